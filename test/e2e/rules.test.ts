import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoginTrace } from '../../src/jobs/queries/trace-part.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const RULES = [
  { name: 'used parts', when: { column: { Zustand: { in: ['gebraucht', 'used'] } } }, leaveOut: true },
  {
    name: 'express',
    when: { all: [{ brand: { in: ['bosch', 'ATE'] } }, { price: { below: 500 } }] },
    tags: { add: ['express'] },
  },
];

/** Forty parts, of which every eighth has no stock, and the second and third are used. */
function list(
  change: (row: string[], at: number) => string[] = (row) => row,
  head = 'brand;oem;name;tags;Preis;Bestand;Zustand',
) {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const row = [['BOSCH', 'TRW', 'ATE'][at % 3]!, `NT-${1000 + at}`, `Part ${at}`, 'brakes', `${at * 20},50`];
    return change([...row, at % 8 === 0 ? '0' : '5', at === 1 || at === 2 ? 'gebraucht' : 'neu'], at).join(';');
  });
  return `${head}\n${rows.join('\n')}\n`;
}

async function shopWith(feed: object = {}, guard: object = {}) {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: {
      main: {
        coalesce: '0s',
        guard: { minRows: 1, maxPartsGone: '100%', maxRowDrop: '100%', ...guard },
        rules: [{ name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true }],
      },
    },
    feeds: { north: { rules: RULES, numbers: { strip: { prefix: ['NT-'] } }, ...feed } },
    managers: [{ email: 'brakes@example.com', when: ['always'] }],
  });
  const live = async () => {
    const [newest] = await service.offers();
    return (await service.source(newest?.id ?? '')).trim().split('\n').slice(1);
  };
  return { shop, live };
}

test('rows are left out and changed, and every account says by which rule', async () => {
  const { shop, live } = await shopWith();
  shop.deliver('north', 'a.csv', list());
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'live',
    rows: { read: 40, accepted: 33, rejectedLocally: 0, duplicates: 0, leftOut: 7, live: 33 },
    leftOut: [
      { rule: 'no stock', rows: 5 },
      { rule: 'used parts', rows: 2 },
    ],
    issues: { 'left-out': 7, 'rule-changed': 1 },
  });
  const rows = await live();
  expect(rows).toHaveLength(33);
  expect(rows[0]).toBe('BOSCH\t1003\tPart 3\tbrakes,express');
  expect(rows.filter((row) => row.startsWith('TRW')).every((row) => row.endsWith('\tbrakes'))).toBe(true);

  const shown = await shop.offerline('show', run.run);
  expect(shown.stdout).toContain('40 read = 33 accepted + 0 rejected here + 0 duplicates + 7 left out by rules');
  expect(shown.stdout).toContain('left out   no stock 5, used parts 2');
  const left = await shop.offerline('show', run.run, '--rows', 'leftOut', '--json');
  expect(JSON.parse(left.stdout)).toMatchObject({
    total: 7,
    matches: 7,
    rows: [{ line: 2, verdict: 'leftOut' }, { line: 3 }, { line: 4 }, {}, {}, {}, {}],
  });
  const all = await shop.offerline('show', run.run, '--rows', 'read', '--search', 'nt-1008', '--json');
  expect(JSON.parse(all.stdout)).toMatchObject({ rows: [{ line: 10, verdict: 'leftOut' }] });

  for (const number of ['NT-1008', '1008']) {
    const { stdout } = await shop.offerline('trace', 'ATE', number, '--json');
    const [traced] = (JSON.parse(stdout) as { logins: LoginTrace[] }).logins;
    expect(traced).toMatchObject({
      live: false,
      why: 'a rule leaves it out of the rows of north',
      feeds: [{ verdict: 'left-out', line: 10, messages: ['line 10: The rule “no stock” left the row out.'] }],
    });
  }

  const csv = readFileSync(run.reports!.csv, 'utf8');
  expect(csv.split('\r\n').filter((line) => line.startsWith('issue,left-out,info'))).toHaveLength(7);
  expect(readFileSync(run.reports!.html, 'utf8')).toContain('left out by our rules');
  expect(readFileSync(run.reports!.html, 'utf8')).toContain('Our rules left out “no stock” 5 and “used parts” 2.');
  const { stdout: mails } = await shop.offerline('mails', '--json');
  expect(mails).toContain('brakes@example.com');
});

test('a row whose brand a rule sets is traced under the brand that the supplier wrote', async () => {
  const service = await sandboxForTest();
  const rules = [{ name: 'behr', when: { name: { is: 'cooler' } }, set: { brand: 'BEHR' } }];
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: { rules } },
  });
  const tracedAs = async (brand: string, number: string) => {
    const { stdout } = await shop.offerline('trace', brand, number, '--json');
    return (JSON.parse(stdout) as { logins: LoginTrace[] }).logins[0];
  };
  shop.deliver('north', 'a.csv', 'brand;oem;name\nBEHR;77;fan\nHELLA;8MK376;cooler\nHELLA;5;lamp\n');
  const run = await shop.ingest('north');
  expect(run).toMatchObject({ outcome: 'live' });
  const row = { feed: 'north', run: run.run, file: 'a.csv', sheet: null, line: 3 };
  const messages = ['the rule “behr” uploads it as BEHR'];
  expect(await tracedAs('hella', '8 MK-376')).toMatchObject({
    live: true,
    winner: 'north',
    why: null,
    row,
    feeds: [{ feed: 'north', verdict: 'live', line: 3, messages }],
  });
  expect(await tracedAs('BEHR', '8MK376')).toMatchObject({ live: true, row, feeds: [{ messages: [] }] });
  // It is a row of BEHR in the file, too, and of nobody else.
  expect(await tracedAs('HELLA', '77')).toMatchObject({
    live: false,
    why: 'no feed offers it',
    feeds: [{ line: null }],
  });
  expect(await tracedAs('VALEO', '8MK376')).toMatchObject({ live: false, why: 'no feed offers it' });

  const archive = join(shop.home, 'archive');
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(run.delivery!.sha256.slice(4))) rmSync(join(archive, name));
  const unknown = await tracedAs('HELLA', '8MK376');
  expect(unknown).toMatchObject({
    live: false,
    why: 'no feed offers it under this brand',
    feeds: [{ verdict: 'absent' }],
  });
  expect(unknown?.feeds[0]?.messages).toEqual([
    'the rule “behr” sets the brand BEHR, and a row of BEHR has this number; which brand the supplier wrote is not known',
  ]);
});

test('the supplier is not told of rules', async () => {
  const { shop } = await shopWith();
  shop.deliver(
    'north',
    'a.csv',
    list((row, at) => (at === 5 ? ['', ...row.slice(1)] : row)),
  );
  const run = await shop.ingest('north');
  expect(run).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: 1, leftOut: 7 } });
  const { stdout } = await shop.offerline(
    'check',
    'inbox/north/a.csv',
    '--feed',
    'north',
    '--marked',
    'marked.xlsx',
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    marked: { rows: 1 },
    leftOut: [
      { rule: 'no stock', rows: 5 },
      { rule: 'used parts', rows: 2 },
    ],
  });
});

test('a column that a rule asks for and that is not there holds the file, in check and in a run', async () => {
  const { shop } = await shopWith();
  shop.deliver(
    'north',
    'a.csv',
    list((row) => row, 'brand;oem;name;tags;Preis;Bestand;Condition'),
  );
  const checked = await shop.offerline('check', 'inbox/north/a.csv', '--feed', 'north', '--json');
  expect(checked.status).toBe(3);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    wouldBe: 'held',
    reason: expect.stringContaining('asks for the column "Zustand"'),
  });
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'held',
    cause: 'rules',
    reason: expect.stringContaining('"Condition" (column 7)'),
  });
  const { status, stderr } = await shop.offerline('approve', run.run, '--reason', 'x');
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('correct feeds.north.rules') });
});

test('values that are no numbers hold the file, and a person may let it through', async () => {
  const { shop } = await shopWith();
  shop.deliver(
    'north',
    'a.csv',
    list((row, at) => (at < 3 ? row.with(5, 'ask the boss') : row)),
  );
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'held',
    cause: 'rules',
    reason: expect.stringContaining('3 of its 40 values (7.5%) cannot be read'),
  });
  const { stdout } = await shop.offerline('approve', run.run, '--reason', 'looked', '--wait', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'live', rows: { leftOut: 6 } });
});

test('a stock that is suddenly nothing takes nothing offline, and is the measure once it is approved', async () => {
  const { shop, live } = await shopWith();
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  shop.deliver(
    'north',
    'b.csv',
    list((row, at) => (at % 2 === 0 ? row.with(5, '0') : row)),
  );
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'held',
    cause: 'guard',
    reason: expect.stringMatching(/rules left out 52\.5% \(21 of 40\).*17\.5% \(7 of 40\).*guard\.maxLeftOut/u),
  });
  expect(await live()).toHaveLength(33);
  const checked = await shop.offerline('check', 'inbox/north/b.csv', '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({
    wouldBe: 'held',
    reason: expect.stringContaining('guard.maxLeftOut'),
  });
  await shop.offerline('approve', run.run, '--reason', 'sold out', '--wait');
  expect(await live()).toHaveLength(19);
  shop.deliver(
    'north',
    'c.csv',
    list((row, at) => (at % 2 === 0 || at === 9 ? row.with(5, '0') : row)),
  );
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { leftOut: 22 } });
});

test('a column of stock that is suddenly empty puts nothing live that rules had left out', async () => {
  const { shop, live } = await shopWith();
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  expect(await live()).toHaveLength(33);
  const emptied = (share: (at: number) => boolean) => list((row, at) => (share(at) ? row.with(5, '') : row));
  shop.deliver(
    'north',
    'b.csv',
    emptied(() => true),
  );
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'held',
    cause: 'rules',
    reason: expect.stringMatching(
      /"stock" as a number.*empty in 40 of 40 rows \(100%\).*0 of 40 rows \(0%\).*approve/u,
    ),
  });
  expect(await live()).toHaveLength(33);
  const checked = await shop.offerline('check', 'inbox/north/b.csv', '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ wouldBe: 'held', reason: expect.stringContaining(run.reason!) });
  await shop.offerline('approve', run.run, '--reason', 'they send no stock any more', '--wait');
  expect(await live()).toHaveLength(38);
  shop.deliver('north', 'c.csv', emptied((at) => at % 2 === 0).replaceAll('Part', 'New part'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
});

test('a few cells of stock that are empty hold nothing', async () => {
  const { shop } = await shopWith();
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  shop.deliver(
    'north',
    'b.csv',
    list((row, at) => (at % 8 === 0 ? row.with(5, '') : row)),
  );
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { leftOut: 2 } });
});

test('nothing but rows that are left out is held, not rejected', async () => {
  const { shop } = await shopWith();
  shop.deliver(
    'north',
    'a.csv',
    list((row) => row.with(5, '0')),
  );
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    cause: 'guard',
    reason: expect.stringContaining('guard.minRows'),
    rows: { leftOut: 40 },
  });
});

test('a rehearsal honours rules', async () => {
  const { shop } = await shopWith();
  shop.deliver('north', 'a.csv', list());
  const { stdout } = await shop.offerline('ingest', 'north', '--rehearse', '--json');
  expect(stdout).toContain('"leftOut":7');
});
