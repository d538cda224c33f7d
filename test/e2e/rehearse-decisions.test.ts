import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RehearsedRollback } from '../../src/jobs/rehearse/rehearse-rollback.ts';
import type { RehearsedRun } from '../../src/jobs/rehearse/rehearse-run.ts';
import { install, type Installation } from '../support/installation.ts';
import { ledgerRows } from '../support/ledger-rows.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const rows = (brand: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${brand};${100 + from + at};part ${from + at}\n`).join('');
const file = (...parts: string[]) => `brand;oem;name\n${parts.join('')}`;

/** A shop with two feeds that are live: north with 20 rows of BOSCH and south with 5 of ATE. */
async function shopWithTwo(config: { guard?: Record<string, string>; keep?: Record<string, unknown> } = {}) {
  const service = await sandboxForTest();
  const { guard = {}, keep = {} } = config;
  const settings = {
    service: { baseUrl: service.url },
    keep,
    logins: { main: { coalesce: '0s', guard } },
    feeds: { north: {}, south: {} },
  };
  const shop = install(settings);
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 0, 20)));
  shop.deliver('south', 'a.csv', file(rows('ATE', 0, 5)));
  await shop.ingest('north');
  await shop.ingest('south');
  return { shop, service, settings };
}

/** A command with `--rehearse --json`, its answer and its exit status. */
async function rehearsed<T>(
  shop: Installation,
  ...args: string[]
): Promise<T & { status: number | null; said: string }> {
  const { status, stdout, stderr } = await shop.offerline(...args, '--rehearse', '--json');
  return { ...(JSON.parse(stdout) as T), status, said: stderr };
}

/** All that is real: the ledger, and the files of the home. */
function realThings(shop: Installation) {
  const files = readdirSync(shop.home, { recursive: true, encoding: 'utf8' });
  return {
    ledger: ledgerRows(join(shop.home, 'ledger.sqlite')),
    files: files.filter((path) => /^(?:archive|outbox|reports|sandbox)\//.test(path)).sort(),
  };
}

test('approving a held run is shown beforehand, and touches nothing', async () => {
  const { shop, service } = await shopWithTwo();
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 0, 4), 'BOSCH;104;another name\n', 'NONSUCH;1;bad\n'));
  const held = await shop.ingest('north');
  expect(held.outcome).toBe('held');
  const before = { ...realThings(shop), offers: await service.offers() };

  const answer = await rehearsed<RehearsedRun>(shop, 'approve', held.run);
  expect(answer).toMatchObject({
    status: 0,
    run: held.run,
    outcome: 'partial',
    rehearsal: true,
    sandbox: true,
    effect: {
      live: { before: 25, after: 10 },
      feeds: [
        { feed: 'north', run: held.run, before: 20, after: 5, rejected: 1 },
        { feed: 'south', before: 5, after: 5, rejected: 0 },
      ],
      change: { of: 'dataset', before: 25, after: 11, added: 1, removed: 15, changed: 1 },
      rejected: { rows: 1, examples: [{ feed: 'north', brand: 'NONSUCH', oem: '1', line: 7 }] },
      guards: [{ guard: 'maxRowDrop' }],
      lifts: expect.stringContaining('the file of north shrank by 70%') as string,
      freezes: [],
    },
  });
  expect(answer.effect.change?.brands.map(({ brand, removed, changed }) => [brand, removed, changed])).toEqual([
    ['BOSCH', 15, 1],
    ['NONSUCH', 0, 0],
  ]);
  expect(answer.effect.sentence).toMatch(
    /^10 rows would be live; 25 are live now\. 1 row would be added, 15 removed and 1 changed\./,
  );
  expect({ ...realThings(shop), offers: await service.offers() }).toEqual(before);

  const text = await shop.offerline('approve', 'latest:north', '--rehearse');
  expect([text.status, text.stdout]).toEqual([
    0,
    expect.stringMatching(/^REHEARSAL [^]*10 rows would be live[^]*\nrehearsal {2}/) as string,
  ]);
  const real = await shop.offerline('approve', held.run, '--reason', 'checked', '--wait', '--json');
  expect(JSON.parse(real.stdout)).toMatchObject({ outcome: 'partial', dataset: { live: 10 }, sandbox: false });
});

test('what cannot be approved is refused in the same words, with the same status', async () => {
  const { shop, settings } = await shopWithTwo();
  const { run: live } = await shop.ingest('north', '--force');
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 0, 2)));
  const held = await shop.ingest('north');
  shop.configure({ ...settings, feeds: { south: {} } });
  for (const run of [live, held.run, '20200101-000000-abcde']) {
    const tried = await shop.offerline('approve', run, '--rehearse');
    const real = await shop.offerline('approve', run, '--reason', 'checked', '--wait');
    expect([tried.status, tried.stderr]).toEqual([real.status, real.stderr]);
    expect([tried.status, tried.stdout]).toEqual([expect.any(Number), '']);
  }
  const { stderr } = await shop.offerline('approve', held.run, '--rehearse');
  expect(stderr).toBe(`The feed north of run ${held.run} is no longer in the configuration.\n`);
  expect((await shop.offerline('approve', held.run)).stderr).toContain('--reason is missing: ');
  expect((await shop.offerline('approve', held.run, '--columns', 'brand=1,oem=Art. "Nr"')).stderr).toContain(
    `offerline approve ${held.run} --columns 'brand=1,oem=Art. "Nr"' --reason TEXT`,
  );
  expect((await shop.offerline('approve', held.run, '--rehearse', '--wait')).status).toBe(2);
});

test('proposed columns are tried with the held file, and its guards look at it', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', 'a.csv', `Marke X;Kennung\nBOSCH;0 986 424 797\nATE;13.0460-7184.2\n`);
  const waiting = await shop.ingest('north');
  expect(['held', 'rejected']).toContain(waiting.outcome);
  const before = realThings(shop);
  const answer = await rehearsed<RehearsedRun>(shop, 'approve', waiting.run, '--columns', 'brand=1,oem=2');
  expect(answer).toMatchObject({
    status: 0,
    outcome: 'live',
    effect: { live: { before: null, after: 2 }, change: null, guards: [], lifts: null },
  });
  expect(answer.effect.sentence).toBe('2 rows would be live; nothing is live now.');
  expect(realThings(shop)).toEqual(before);
});

test('a re-run from the archive is shown beforehand, also one that a guard would hold', async () => {
  const { shop, settings } = await shopWithTwo();
  const run = (await shop.offerline('runs', '--feed', 'north', '--json')).stdout;
  const { run: first } = (JSON.parse(run) as { run: string }[])[0]!;
  const before = realThings(shop);
  expect(await rehearsed<RehearsedRun>(shop, 'rerun', first, '--from', 'upload')).toMatchObject({
    status: 0,
    outcome: 'live',
    effect: { live: { before: 25, after: 25 }, change: { added: 0, removed: 0, changed: 0 }, guards: [] },
  });
  shop.configure({ ...settings, feeds: { ...settings.feeds, north: { guard: { minRows: 1000 } } } });
  const held = await rehearsed<RehearsedRun>(shop, 'rerun', first, '--from', 'validate');
  expect(held).toMatchObject({ status: 3, outcome: 'held', effect: { live: { before: 25, after: 25 }, feeds: [] } });
  expect(held.effect.sentence).toMatch(
    /^The run would be held: the file of north has 20 rows[^]*What is live would stay\.$/,
  );
  expect(realThings(shop)).toEqual(before);
  expect((await shop.offerline('rerun', first, '--from', 'report', '--rehearse')).status).toBe(2);
});

test('a rollback is shown beforehand: what would be live again, what would go and what would be frozen', async () => {
  const { shop, service } = await shopWithTwo();
  const before = { ...realThings(shop), offers: await service.offers() };
  const answer = await rehearsed<RehearsedRollback>(shop, 'rollback', 'main');
  expect(answer).toMatchObject({
    status: 0,
    rehearsal: true,
    result: 'met',
    rows: 20,
    target: { rows: 20 },
    effect: {
      live: { before: 25, after: 20 },
      feeds: [
        { feed: 'north', before: 20, after: 20 },
        { feed: 'south', run: null, before: 5, after: 0 },
      ],
      change: { removed: 5, brands: [{ brand: 'ATE', removed: 5 }] },
      lifts: null,
      freezes: ['north', 'south'],
    },
  });
  expect(answer.effect.sentence).toContain('The feeds north, south would be frozen until `offerline release`.');
  expect({ ...realThings(shop), offers: await service.offers() }).toEqual(before);
  const text = await shop.offerline('rollback', 'main', '--to', answer.target.upload, '--rehearse');
  const goal = `Going back to upload ${answer.target.offerId} of `;
  expect([text.status, text.stdout]).toEqual([0, expect.stringContaining(goal) as string]);
  const real = await shop.offerline('rollback', 'main', '--reason', 'wrong currency', '--wait', '--json');
  expect(JSON.parse(real.stdout)).toMatchObject({ result: 'met', rows: 20 });
});

test('a rollback that cannot be made is refused in the same words, with the same status', async () => {
  const { shop } = await shopWithTwo();
  for (const args of [['main', '--to', '99'], ['nobody']]) {
    const tried = await shop.offerline('rollback', ...args, '--rehearse');
    const real = await shop.offerline('rollback', ...args, '--reason', 'because', '--wait');
    expect([tried.status, tried.stderr]).toEqual([real.status, real.stderr]);
  }
  const archive = join(shop.home, 'archive');
  for (const name of readdirSync(archive, { withFileTypes: true, recursive: true })) {
    if (name.isFile() && /^[0-9a-f]{64}$/.test(name.name)) rmSync(join(name.parentPath, name.name));
  }
  const lost = await shop.offerline('rollback', 'main', '--rehearse');
  expect([lost.status, lost.stderr]).toEqual([
    2,
    expect.stringContaining(
      'are no longer in the archive; `offerline rollback main --list` shows the others.',
    ) as string,
  ]);
});

test('SIGTERM ends a rehearsal, and says that nothing real was touched', async () => {
  const { shop } = await shopWithTwo();
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 0, 4)));
  const { run } = await shop.ingest('north');
  const { child, ended, stderr } = shop.start('approve', run, '--rehearse');
  child.stderr!.on('data', () => {
    if (stderr().includes('approved by')) child.kill('SIGTERM');
  });
  const { status, stderr: said } = await ended;
  expect([status, said]).toEqual([130, expect.stringContaining('Nothing real was touched.') as string]);
});
