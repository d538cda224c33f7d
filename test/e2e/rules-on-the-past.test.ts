import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReading } from '../../src/app/open-reader.ts';
import { LISTS } from '../../src/app/lists/lists.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createGauges } from '../../src/gauge.ts';
import { tryRules, type FollowedTrial, type TriedRules } from '../../src/jobs/trial/try-rules.ts';
import { atEnd } from '../support/at-end.ts';
import { install, type Installation } from '../support/installation.ts';
import { ledgerRows } from '../support/ledger-rows.ts';
import { memoryLog } from '../support/memory-log.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const NEW = `rules:
  - { name: no stock, when: { stock: { below: 1 } }, leaveOut: true }
  - { name: express, when: { brand: { is: bosch } }, tags: { add: [express] } }
  - { name: nobody, when: { brand: { is: NOBODY } }, leaveOut: true }
`;

/** So many parts, of which every eighth has no stock. */
function list(count: number, head = 'brand;oem;name;tags;Bestand'): string {
  const rows = Array.from({ length: count }, (_, at) =>
    [['BOSCH', 'TRW', 'ATE'][at % 3]!, `NT-${1000 + at}`, `Part ${at}`, 'brakes', at % 8 === 0 ? '0' : '5'].join(';'),
  );
  return `${head}\n${rows.join('\n')}\n`;
}

/** A shop with two deliveries of north, and one of south that has two of its parts. */
async function shopWith(rules: object[] = []) {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { minRows: 1, maxPartsGone: '100%' } } },
    feeds: { north: rules.length === 0 ? {} : { rules }, south: { priority: 200 } },
  });
  shop.deliver('north', 'a.csv', list(40));
  const first = await shop.ingest('north');
  shop.deliver('south', 'a.csv', 'brand;oem\nBOSCH;NT-1000\nTRW;NT-1001\nVALEO;7\n');
  await shop.ingest('south');
  shop.deliver('north', 'b.csv', list(42));
  const second = await shop.ingest('north');
  expect([first.outcome, second.outcome]).toEqual(['live', 'live']);
  writeFileSync(join(shop.folder, 'new.yaml'), NEW);
  return { shop, service, first, second };
}

async function rulesOf(shop: Installation, ...args: string[]): Promise<TriedRules> {
  const { status, stdout, stderr } = await shop.offerline('rules', 'north', '--json', ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as TriedRules;
}

/** All that an installation keeps, but for what says who has it open. */
function kept({ home }: Installation) {
  const files = readdirSync(home, { recursive: true }) as string[];
  return {
    ledger: ledgerRows(join(home, 'ledger.sqlite')),
    files: files.filter((name) => /^(?:archive|outbox|reports|rehearsals)/u.test(name)).sort(),
  };
}

test('rules are tried on what is live and on each delivery, with their first rows; nothing is recorded or sent', async () => {
  const { shop, service, first, second } = await shopWith();
  const [before, uploads] = [kept(shop), (await service.offers()).length];
  const answer = await rulesOf(shop, '--with', 'new.yaml');
  expect(kept(shop)).toEqual(before);
  expect(await service.offers()).toHaveLength(uploads);
  expect(answer).toMatchObject({
    feed: 'north',
    login: 'main',
    left: 0,
    live: {
      state: 'compared',
      run: second.run,
      why: null,
      feeds: [
        { feed: 'north', before: 42, after: 36 },
        { feed: 'south', before: 1, after: 2 },
      ],
      // South has one of the six parts that north loses, in other words; twelve of Bosch get the tag.
      diff: { before: 43, after: 38, added: 0, removed: 5, changed: 13 },
    },
    deliveries: [
      { run: second.run, name: 'b.csv', state: 'read', change: { added: 0, removed: 6 } },
      {
        run: first.run,
        name: 'a.csv',
        state: 'read',
        rows: { before: { accepted: 40 }, after: { accepted: 35, leftOut: 5 } },
      },
    ],
    rules: [
      { rule: 'no stock', does: 'leave-out', rows: 11, before: 0, deliveries: 2 },
      { rule: 'express', does: 'change', deliveries: 2 },
      { rule: 'nobody', does: 'leave-out', rows: 0, deliveries: 0 },
    ],
  });
  const [stock, express, nobody] = answer.deliveries[1]!.rules;
  expect(stock).toMatchObject({ rows: 5, before: null });
  expect(stock!.examples.map(({ line, part }) => `${line} ${part}`)).toEqual([
    '2 BOSCH NT-1000',
    '10 ATE NT-1008',
    '18 TRW NT-1016',
    '26 BOSCH NT-1024',
    '34 ATE NT-1032',
  ]);
  expect(express!.examples).toHaveLength(5);
  expect(express!.examples[0]).toEqual({
    sheet: null,
    line: 5,
    part: 'BOSCH NT-1003',
    cells: [{ column: 'tags', before: 'brakes', after: 'brakes,express' }],
  });
  expect(nobody).toMatchObject({ rows: 0, examples: [] });

  const said = await shop.offerline('rules', 'north', '--with', 'new.yaml');
  expect(said).toMatchObject({ status: 0, stderr: '' });
  for (const line of [
    /^What would be live at main instead of upload \d+ \(run \S+\): north 42 → 36, south 1 → 2$/mu,
    /^ {2}What would change in the rows of the whole dataset: 43 → 38 rows \(5 removed, \d+ changed\)$/mu,
    /^\S+ \S+ {2}a\.csv \(run \S+\): 40 read, accepted 40 → 35, left out 0 → 5; parts: 5 removed, \d+ changed$/mu,
    /^ {2}no stock: leaves out 5 rows \(new\)\n {4}line 2 BOSCH NT-1000$/mu,
    /^ {4}line 5 BOSCH NT-1003: tags “brakes” → “brakes,express”$/mu,
    /^In all, in 2 deliveries since /mu,
    /^ {2}nobody: acts on no row; it never matched$/mu,
  ])
    expect(said.stdout).toMatch(line);
});

test('without a file the configuration is tried as it is; rules that are as they were change nothing', async () => {
  const rules = [
    { name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true },
    { name: 'old', when: { brand: { is: 'TRW' } }, tags: { add: ['old'] } },
  ];
  const { shop } = await shopWith(rules);
  const same = await rulesOf(shop);
  expect(same).toMatchObject({
    live: { state: 'compared', held: null, diff: { added: 0, removed: 0, changed: 0 } },
    deliveries: [{ change: { added: 0, removed: 0, changed: 0 } }, {}],
  });
  for (const { rules: tried } of same.deliveries) for (const { rows, before } of tried) expect(rows).toBe(before);
  writeFileSync(
    join(shop.folder, 'new.yaml'),
    'rules:\n  - { name: no stock, when: { stock: { below: 6 } }, leaveOut: true }\n',
  );
  const { live, deliveries } = await rulesOf(shop, '--with', 'new.yaml');
  expect(deliveries[0]!.rules).toMatchObject([
    { rule: 'no stock', rows: 42, before: 6 },
    { rule: 'old', rows: null, before: 12, examples: [] },
  ]);
  expect(live.held).toMatchObject({
    why: expect.stringContaining('guard.maxLeftOut'),
    ended: { outcome: 'held', cause: 'guard', reason: { code: 'guard' } },
  });
});

test('what guards of parts, of brands and of the login would hold is said', async () => {
  const service = await sandboxForTest();
  const login = (guard: object) => ({ main: { coalesce: '0s', guard: { minRows: 1, ...guard } } });
  const config = { service: { baseUrl: service.url }, logins: login({}), feeds: { north: {} } };
  const shop = install(config);
  const rows = (brand: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${brand};NT-${1000 + at};Part ${at}\n`).join('');
  shop.deliver('north', 'a.csv', `brand;oem;name\n${rows('VAG', 30)}${rows('TRW', 10)}`);
  expect((await shop.ingest('north')).outcome).toBe('live');
  writeFileSync(join(shop.folder, 'new.yaml'), 'brands: { aliases: { VW: [VAG] } }\n');
  const { live } = await rulesOf(shop, '--with', 'new.yaml');
  const held = (tripped: object) => ({
    ended: { outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped } },
  });
  expect(live).toMatchObject({
    state: 'compared',
    diff: { added: 30, removed: 30 },
    held: held({ whose: { feed: 'north' }, guard: 'maxPartsGone', gone: 30, of: 40 }),
  });
  const { stdout } = await shop.offerline('rules', 'north', '--with', 'new.yaml');
  expect(stdout).toMatch(/^ {2}A run would hold the delivery: .*guard\.maxPartsGone/mu);

  const all = { maxPartsGone: '100%' };
  shop.configure({ ...config, logins: login({ ...all, maxBrandDrop: '50%' }) });
  expect((await rulesOf(shop, '--with', 'new.yaml')).live.held).toMatchObject(
    held({ whose: { feed: 'north' }, guard: 'maxBrandDrop', first: { name: 'VAG', before: 30, after: 0 } }),
  );
  shop.configure({
    ...config,
    logins: login({ ...all, maxBrandDrop: '50%' }),
    feeds: { north: { guard: { maxBrandDrop: '100%' } } },
  });
  expect((await rulesOf(shop, '--with', 'new.yaml')).live.held).toMatchObject(
    held({ whose: { login: 'main' }, guard: 'maxBrandDrop' }),
  );
  expect((await rulesOf(shop)).live.held).toBeNull();
});

test('deliveries that are gone are passed over, and those that rules do not fit are said to be held', async () => {
  const { shop, first, second } = await shopWith();
  const sha = first.delivery!.sha256;
  const files = readdirSync(join(shop.home, 'archive'), { recursive: true, withFileTypes: true });
  const file = files.find(({ name }) => sha.endsWith(name) && name.length > 10)!;
  rmSync(join(file.parentPath, file.name));
  writeFileSync(
    join(shop.folder, 'new.yaml'),
    'rules:\n  - { name: used, when: { column: { Zustand: { is: used } } }, leaveOut: true }\n',
  );
  const { live, deliveries, rules } = await rulesOf(shop, '--with', 'new.yaml');
  expect(deliveries).toMatchObject([
    {
      run: second.run,
      state: 'held',
      why: expect.stringContaining('asks for the column "Zustand"'),
      ended: { outcome: 'held', cause: 'rules', reason: { code: 'rule-column', rule: 'used' } },
      rows: { before: { accepted: 42 }, after: null },
      rules: [],
    },
    { run: first.run, state: 'gone', why: 'its file is missing in the archive', ended: null },
  ]);
  expect(live).toMatchObject({ state: 'unknown', why: expect.stringContaining('would be held'), diff: null });
  expect(rules).toEqual([]);
  const { stdout } = await shop.offerline('rules', 'north', '--with', 'new.yaml');
  expect(stdout).toMatch(/a\.csv \(run \S+\): passed over: its file is missing in the archive/u);
  expect(stdout).toMatch(/b\.csv \(run \S+\): it would be held: /u);
});

test('what cannot be used is refused with its line, and nothing is read', async () => {
  const shop = install();
  const refused = async (...args: string[]) => {
    const { status, stdout, stderr } = await shop.offerline('rules', ...args);
    return { status, said: stdout + stderr };
  };
  shop.deliver('north', 'a.csv', list(40));
  await shop.ingest('north');
  writeFileSync(
    join(shop.folder, 'new.yaml'),
    'rules:\n  - { name: a, when: { stok: { below: 1 } }, leaveOut: true }\n',
  );
  expect(await refused('north', '--with', 'new.yaml')).toEqual({
    status: 2,
    said: expect.stringMatching(/new\.yaml:2:24 {2}feeds\.north\.rules\[0\]\.when\.stok .*did you mean "stock"\?/u),
  });
  expect(await refused('nowhere')).toMatchObject({ status: 2, said: expect.stringContaining('There is no feed') });
  expect(await refused('north', '--with', 'none.yaml')).toMatchObject({
    status: 2,
    said: 'There is no file none.yaml (--with).\n',
  });
  writeFileSync(join(shop.folder, 'latin.yaml'), Buffer.from('rules: [] # \xe9', 'latin1'));
  expect(await refused('north', '--with', 'latin.yaml')).toMatchObject({ said: expect.stringContaining('not UTF-8') });
  expect(await refused('north', '--untrusted')).toMatchObject({ status: 2 });
  expect(await refused('north', '--within', 'soon')).toMatchObject({ status: 2 });
  expect(await refused('north', '--since', 'ever')).toMatchObject({ status: 2 });
  expect(await refused('north')).toMatchObject({ status: 0, said: expect.stringContaining('The feed has no rules') });
});

test('a trial stops between deliveries when it is interrupted, and leaves what there is no time for', async () => {
  const { shop } = await shopWith();
  const loaded = await loadConfig({
    file: join(shop.folder, 'offerline.yaml'),
    home: shop.home,
    env: {},
    lists: LISTS,
  });
  const { ctx, close } = await openReading(loaded, memoryLog().log, createGauges());
  atEnd(close);
  const stop = new AbortController();
  const told: string[] = [];
  const follow = (changes: Partial<FollowedTrial>): FollowedTrial => ({
    signal: stop.signal,
    within: undefined,
    during: (_subject, work) => work(undefined),
    tried: (part) => void told.push(...Object.keys(part)),
    ...changes,
  });
  const asked = { feed: 'north', login: 'main', since: 0 };
  const late = await tryRules(asked, ctx, follow({ within: 0 }));
  expect(late).toMatchObject({
    live: { state: 'unknown', why: expect.stringContaining('no time') },
    deliveries: [],
    left: 2,
  });
  expect(told.splice(0)).toEqual(['live']);
  const stopping = follow({
    tried: (part) => {
      told.push(...Object.keys(part));
      if ('delivery' in part) stop.abort();
    },
  });
  await expect(tryRules(asked, ctx, stopping)).rejects.toMatchObject({ code: 'interrupted' });
  expect(told).toEqual(['live', 'delivery']);
});

test('what the service rejected would not be live either', async () => {
  const service = await sandboxForTest({
    faults: [{ fault: 'reject-rows', oems: ['NT-1001', 'NT-1008'], times: 'forever' }],
  });
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: {} } });
  shop.deliver('north', 'a.csv', list(40));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial', rows: { live: 38 } });
  writeFileSync(join(shop.folder, 'new.yaml'), NEW);
  const { live } = await rulesOf(shop, '--with', 'new.yaml');
  // Of the five parts without stock one was rejected as well.
  expect(live).toMatchObject({
    feeds: [{ feed: 'north', before: 38, after: 34 }],
    diff: { before: 38, after: 34, removed: 4 },
  });
});

test('changes are tried upon the rows that they were put upon, which stay as they were read; that is said', async () => {
  const delivery = { full: { pattern: 'full_*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } };
  const shop = install({
    logins: { main: { coalesce: '0s', guard: { minRows: 1, maxPartsGone: '100%' } } },
    feeds: { north: { delivery } },
  });
  shop.deliver('north', 'full_a.csv', list(40));
  const full = await shop.ingest('north');
  const head = 'brand;oem;name;tags;Bestand';
  shop.deliver('north', 'delta_1.csv', `${head}\nTRW;NT-1001;Part;brakes;0\nBOSCH;NT-2000;Part;brakes;5\n`);
  const changes = await shop.ingest('north');
  expect(changes).toMatchObject({ outcome: 'live', rows: { live: 41 } });
  writeFileSync(join(shop.folder, 'new.yaml'), NEW);
  const { live, deliveries, rules } = await rulesOf(shop, '--with', 'new.yaml');
  // The five parts without stock of the full list stay, and one goes that the changes set.
  expect(live).toMatchObject({
    state: 'compared',
    run: changes.run,
    upon: full.run,
    feeds: [{ feed: 'north', before: 41, after: 40 }],
    diff: { added: 0, removed: 1, changed: 1 },
  });
  expect(deliveries).toMatchObject([
    {
      run: changes.run,
      state: 'read',
      upon: full.run,
      rows: { before: { read: 2, accepted: 41 }, after: { read: 2, accepted: 40, leftOut: 1 } },
      change: { added: 0, removed: 1, changed: 1 },
    },
    { run: full.run, state: 'read', upon: null, rows: { after: { accepted: 35 } } },
  ]);
  expect(rules).toMatchObject([
    { rule: 'no stock', rows: 6, deliveries: 2 },
    { rule: 'express', deliveries: 2 },
    { rule: 'nobody', rows: 0 },
  ]);
  const { stdout } = await shop.offerline('rules', 'north', '--with', 'new.yaml');
  expect(stdout).toContain(
    `  It has changes: the rows of run ${full.run}, which they are put upon, stay as they were read; a full list brings the rules to all rows.\n`,
  );
  expect(stdout).toContain(`; changes, put upon the rows of run ${full.run} as these were read\n`);
});
