import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install, type Installation } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A header that no dictionary knows, above columns that say nothing by their content either. */
const list = (...parts: string[]) =>
  `Xa;Xb;Xc\n${parts.map((part, at) => `${at % 2 === 0 ? 'Qorvax' : 'Zelmat'};${part};${at + 1},50\n`).join('')}`;
const FIRST = list('QX 100', 'ZM-200', 'QX 300');
const SECOND = list('QX 100', 'ZM-200', 'QX 300', 'ZM-400');

async function shopWith(config: Record<string, unknown> = {}) {
  const service = await sandboxForTest();
  const whole = { service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } }, ...config };
  const shop = install(whole);
  return { service, shop, config: whole };
}

async function approve(shop: Installation, run: string, ...args: string[]) {
  const ended = await shop.offerline('approve', run, '--reason', 'asked them', ...args);
  return { ...ended, answer: () => JSON.parse(ended.stdout) as RunAnswer };
}

const COLUMNS = ['--columns', 'brand=Xa,oem="Xb"'];

test('a header that nobody knows is held until its columns are accepted; the next file goes through, until they are revoked', async () => {
  const { shop, service } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held' });
  expect(await service.offers()).toEqual([]);

  const plain = await approve(shop, held.run);
  expect(plain).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`offerline approve ${held.run} --columns`),
  });
  expect(await approve(shop, held.run, '--columns', 'brand=Xa,oem=Xz')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('has no column "Xz". Its columns: "Xa", "Xb", "Xc".'),
  });
  const approved = await approve(shop, held.run, ...COLUMNS, '--wait', '--json');
  expect(approved.answer()).toMatchObject({
    run: held.run,
    outcome: 'live',
    rows: { read: 3, live: 3 },
    mapping: expect.arrayContaining([
      { key: 'oem', column: 'Xb', position: 2, sure: true, evidence: expect.stringContaining('asked them') as string },
    ]),
  });

  shop.deliver('north', 'b.csv', SECOND);
  expect(await rehearse(shop, 'north')).toMatchObject({ outcome: 'live', rows: { live: 4 } });
  const checked = await shop.offerline('check', `${shop.folder}/inbox/north/b.csv`, '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ outcome: 'accepted', rows: { accepted: 4 } });
  const next = await shop.ingest('north');
  expect(next).toMatchObject({ status: 0, outcome: 'live', rows: { live: 4 } });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });

  const feeds = await shop.offerline('feeds');
  expect(feeds.stdout).toMatch(/feed north: brand ← "Xa", oem ← "Xb", accepted by \S+ on 20\d\d-\d\d-\d\d: asked them/);
  const [north] = JSON.parse((await shop.offerline('feeds', '--json')).stdout) as Record<string, unknown>[];
  expect(north).toMatchObject({
    acceptedColumns: [{ header: ['Xa', 'Xb', 'Xc'], run: held.run, reason: 'asked them' }],
  });
  expect((await shop.offerline('config', 'show', 'north')).stdout).toMatch(/- Xb +# accepted by .*: asked them$/m);

  const revoked = await approve(shop, next.run, '--columns', '--revoke', '--json');
  expect(JSON.parse(revoked.stdout)).toEqual({ run: next.run, feed: 'north', revoked: true, readAgain: null });
  expect(await approve(shop, next.run, '--columns', '--revoke')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('No columns are accepted for the header of run'),
  });
  shop.deliver('north', 'c.csv', list('QX 100'));
  expect(await shop.ingest('north')).toMatchObject({ status: 3, outcome: 'held', now: { live: 4 } });
});

test('what is proposed is taken without being named', async () => {
  const { shop } = await shopWith();
  const makers = ['BOSCH', 'ATE', 'SACHS', 'LUK', 'BREMBO', 'MANN-FILTER'];
  const rows = makers.map((maker, at) => `${maker};0 986 4${at}4 797;${at + 3},50\n`).join('');
  shop.deliver('north', 'a.csv', `Xa;Xb;Xc\n${rows}`);
  const rehearsed = await shop.offerline('ingest', 'north', '--rehearse');
  expect(rehearsed.stdout).toContain(
    'after `offerline ingest north` run `offerline approve RUN --columns --reason TEXT`',
  );
  expect(rehearsed.stdout).not.toMatch(/(?:approve|rerun) \d/);
  expect(rehearsed.stderr).toContain('Set feeds.north.columns and rehearse again, or run `offerline ingest north`');
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'columns' });
  expect(held.reason).toContain(`offerline approve ${held.run} --columns --reason TEXT`);
  const approved = await approve(shop, held.run, '--columns', '--wait');
  expect(approved.status).toBe(0);
  // Off a terminal all that is said on the way is lines of JSON.
  const said = [held.stderr, approved.stderr].flatMap((text) => text.split('\n').filter((line) => line !== ''));
  const progress = said.map((line) => (JSON.parse(line) as { progress?: string }).progress);
  expect(progress).toContain('Accepted: brand ← "Xa", oem ← "Xb". The file is read again.');
  expect((await shop.offerline('show', held.run)).stdout).toMatch(
    /^column +brand ← "Xa": accepted by .*: asked them$/m,
  );
});

test('a header that has changed is held again, or said where its columns are known', async () => {
  const { shop, config } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  await approve(shop, held.run, ...COLUMNS, '--wait');
  shop.deliver('north', 'b.csv', FIRST.replace('Xa;Xb;Xc', 'Xa;Xnew;Xc'));
  const changed = await shop.ingest('north');
  expect(changed).toMatchObject({ outcome: 'held', now: { live: 3 }, issues: { 'structure-changed': 1 } });
  const held2 = await shop.offerline('check', `${shop.folder}/inbox/north/b.csv`, '--feed', 'north', '--json');
  expect(JSON.parse(held2.stdout)).toMatchObject({ outcome: 'rejected', issues: { 'structure-changed': 1 } });
  expect(changed.reason).toContain('"Xb" is now "Xnew"');
  shop.configure({ ...config, feeds: { north: { columns: { brand: 'Xa', oem: 'Xnew' } } } });
  const checked = await shop.offerline('check', `${shop.folder}/inbox/north/b.csv`, '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ outcome: 'accepted', issues: { 'structure-changed': 1 } });
  const again = await shop.offerline('rerun', changed.run, '--from', 'validate', '--wait', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'live', issues: { 'structure-changed': 1 } });
});

test('guards look at a file whose columns were accepted, and the configuration wins over them', async () => {
  const { shop, config } = await shopWith({ logins: { main: { coalesce: '0s', guard: { minRows: 4 } } } });
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  const guarded = await approve(shop, held.run, ...COLUMNS, '--wait', '--json');
  expect(guarded.status).toBe(3);
  expect(guarded.answer()).toMatchObject({ outcome: 'held', cause: 'guard', rows: { accepted: 3 } });
  // Other columns may be accepted for a file that a guard held.
  const other = await approve(shop, held.run, '--columns', 'oem=Xc', '--wait', '--json');
  expect(other.answer()).toMatchObject({
    outcome: 'held',
    mapping: expect.arrayContaining([
      expect.objectContaining({ key: 'oem', column: 'Xc' }),
      expect.objectContaining({ key: 'brand', column: 'Xa' }),
    ]),
  });
  shop.configure({ ...config, feeds: { north: { columns: { oem: 'Xb' } } } });
  expect((await shop.offerline('feeds')).stdout).toMatch(
    /feed north: brand ← "Xa", oem ← "Xc" \(gives way to the configuration\), accepted by /,
  );
  const named = await shop.offerline('check', `${shop.folder}/inbox/north/a.csv`, '--feed', 'north');
  expect(named.stdout).toContain('oem ← "Xb": "Xb" is named in the configuration');
  const wins = await approve(shop, held.run, '--columns', 'oem=Xc');
  expect(wins).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The configuration says oem ← "Xb", which always wins.'),
  });
  expect((await approve(shop, held.run, '--wait', '--json')).answer()).toMatchObject({ outcome: 'live' });
});

test('columns of a file without a header are accepted by position', async () => {
  const { shop } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST.slice(FIRST.indexOf('\n') + 1));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held' });
  const approved = await approve(shop, held.run, '--columns', 'brand=1,oem=2', '--wait', '--json');
  expect(approved.answer()).toMatchObject({ outcome: 'live', rows: { live: 3 } });
  shop.deliver('north', 'b.csv', SECOND.slice(SECOND.indexOf('\n') + 1));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 4 } });
});

/** Brands and numbers of 24 parts, in this order of columns. */
const parts = (from: number, cells: (brand: string, number: string) => string[]) =>
  Array.from({ length: 24 }, (_, at) => {
    const brand = ['Qorvax', 'Zelmat', 'Pilkor'][at % 3]!;
    return `${cells(brand, `QX ${at + from}`).join(';')};${at + 1},50\n`;
  }).join('');

test('accepted columns are asked for anew when their cells have swapped', async () => {
  const { shop } = await shopWith();
  shop.deliver(
    'north',
    'a.csv',
    parts(100, (brand, number) => [brand, number]),
  );
  const held = await shop.ingest('north');
  await approve(shop, held.run, '--columns', 'brand=1,oem=2', '--wait');
  shop.deliver(
    'north',
    'b.csv',
    parts(102, (brand, number) => [number, brand]),
  );
  const swapped = await shop.ingest('north');
  expect(swapped).toMatchObject({ status: 3, outcome: 'held', cause: 'columns', now: { live: 24 } });
  expect(swapped.reason).toContain('the cells of column 2 have changed: 0 % of 24 values look like part numbers');
});

test('accepted columns are asked for anew when none of their values is live, and taken when a person says so', async () => {
  // What its guard says of parts that are all gone is told elsewhere.
  const { shop } = await shopWith({ logins: { main: { coalesce: '0s', guard: { maxPartsGone: '100%' } } } });
  shop.deliver(
    'north',
    'a.csv',
    parts(100, (brand, number) => [brand, number]),
  );
  const held = await shop.ingest('north');
  await approve(shop, held.run, '--columns', 'brand=1,oem=2', '--wait');
  const others = shop.deliver(
    'north',
    'b.csv',
    parts(700, (brand, number) => [brand, number]),
  );
  const checked = await shop.offerline('check', others, '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ outcome: 'rejected' });
  const asked = await shop.ingest('north');
  expect(asked).toMatchObject({ outcome: 'held', cause: 'columns' });
  expect(asked.reason).toContain('none of 24 values is among those that are live');
  const approved = await approve(shop, asked.run, '--columns', '--wait', '--json');
  expect(approved.answer()).toMatchObject({ outcome: 'live', rows: { live: 24 } });
});

test('a column that the settings find by position is doubted when another name stands there', async () => {
  const { shop } = await shopWith({ feeds: { north: { columns: { brand: 1, oem: 2 } } } });
  shop.deliver('north', 'a.csv', FIRST);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', SECOND.replace('Xa;Xb', 'Xb;Xa'));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', now: { live: 3 } });
  const approved = await approve(shop, held.run, '--columns', '--wait', '--json');
  expect(approved.answer()).toMatchObject({ outcome: 'live', issues: { 'structure-changed': 1 } });
});

/** The run once it has an outcome. */
const ended = (shop: Installation, run: string) =>
  until(async () => {
    const shown = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer;
    return shown.outcome === null ? undefined : shown;
  });

test('of two people who accept columns at once one is told that the other was first, and the file is uploaded once', async () => {
  const { shop, service } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  const both = await Promise.all([
    approve(shop, held.run, '--columns', 'brand=Xa,oem=Xb'),
    approve(shop, held.run, '--columns', 'brand=Xa,oem=Xc'),
  ]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([0, 2]));
  expect(both.find(({ status }) => status === 2)?.stderr).toContain(`Run ${held.run} is not held`);
  const accepted = both[0].status === 0 ? 'Xb' : 'Xc';
  shop.start('worker');
  const oem = expect.objectContaining({ key: 'oem', column: accepted }) as object;
  expect(await ended(shop, held.run)).toMatchObject({
    outcome: 'live',
    mapping: expect.arrayContaining([oem]) as object,
  });
  expect(await service.offers()).toHaveLength(1);
});

test('a process that is killed after it has recorded the columns leaves the rest to the next one', async () => {
  const { shop, service } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  const killed = shop.start('approve', held.run, '--reason', 'asked them', ...COLUMNS, '--wait');
  await until(() => Promise.resolve(killed.stderr().includes('Accepted: ') || undefined));
  killed.child.kill('SIGKILL');
  await killed.ended;
  shop.start('worker');
  expect(await ended(shop, held.run)).toMatchObject({ outcome: 'live', rows: { live: 3 } });
  expect(await service.offers()).toHaveLength(1);
});

test('an older run is refused once a newer one is live', async () => {
  const { shop } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const older = await shop.ingest('north');
  shop.deliver('north', 'b.csv', SECOND);
  const newer = await shop.ingest('north');
  expect(newer).toMatchObject({ outcome: 'held' });
  expect((await approve(shop, newer.run, ...COLUMNS, '--wait', '--json')).answer()).toMatchObject({ outcome: 'live' });
  expect(await approve(shop, older.run, ...COLUMNS)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      `Run ${older.run} is older than run ${newer.run} of north, which is live`,
    ) as string,
  });
});

test('rows that wait to be uploaded are read again when their columns are taken back', async () => {
  const { shop, service } = await shopWith({ logins: { main: { coalesce: '1h' } } });
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  await approve(shop, held.run, ...COLUMNS, '--wait');
  shop.deliver('north', 'b.csv', SECOND);
  const { run } = JSON.parse((await shop.offerline('ingest', 'north', '--json')).stdout) as { run: string };
  shop.start('worker');
  await until(async () => {
    const { stage } = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer;
    return stage === 'compose' || undefined;
  });
  const revoked = await approve(shop, held.run, '--columns', '--revoke', '--json');
  expect(JSON.parse(revoked.stdout)).toMatchObject({ revoked: true, readAgain: run });
  expect(await ended(shop, run)).toMatchObject({ outcome: 'held', now: { live: 3 } });
  expect(await service.offers()).toHaveLength(1);
});

test('nobody waits for a run of a paused feed; without waiting its columns are accepted, and nothing is uploaded', async () => {
  const { shop, service } = await shopWith();
  shop.deliver('north', 'a.csv', FIRST);
  const held = await shop.ingest('north');
  await shop.offerline('pause', 'feed:north', '--reason', 'stocktaking');
  expect(await approve(shop, held.run, ...COLUMNS, '--wait')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The feed north has been paused since') as string,
  });
  expect(await approve(shop, held.run, ...COLUMNS)).toMatchObject({ status: 0 });
  expect(await service.offers()).toEqual([]);
  await shop.offerline('resume', 'feed:north', '--reason', 'done');
  shop.start('worker');
  expect(await ended(shop, held.run)).toMatchObject({ outcome: 'live', rows: { live: 3 } });
});

test('--revoke goes with --columns alone', async () => {
  const { shop } = await shopWith();
  for (const wrong of [['--revoke'], ['--columns', 'brand=1', '--revoke'], ['--columns', '--revoke', '--wait']])
    expect(await approve(shop, 'x', ...wrong)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('offerline approve RUN --columns --revoke --reason TEXT') as string,
    });
});
