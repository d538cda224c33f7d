import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { CheckAnswer } from '../../src/cli/files/check-answer.ts';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const HEADER = 'Hersteller;Artikelnummer;Bezeichnung;Preis;Bestand';
const price = (at: number) => (12 + at * 1.37).toFixed(2).replace('.', ',');

type Row = { oem?: string; name?: string; price?: string; stock?: string };

/** A price list of 40 parts, changed where a test wants it. */
function list(change: (at: number) => Row = () => ({}), header = HEADER): string {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const row = { oem: `13.0460-${7000 + at}.2`, name: 'Bremsbelag', price: price(at), stock: '>10', ...change(at) };
    return ['ATE', row.oem, row.name, row.price, row.stock].join(';');
  });
  return `${[header, ...rows].join('\n')}\n`;
}
const withoutComma = (at: number) => ({ price: price(at).replace(',', '') });

async function shopWith(feed: Record<string, unknown>) {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: feed },
    managers: [{ email: 'brakes@example.com', when: ['problem'] }],
  });
  const check = async (content: string) => {
    const path = shop.deliver('checked', 'file.csv', content);
    const { status, stdout } = await shop.offerline('check', path, '--feed', 'north', '--json');
    return { status, ...(JSON.parse(stdout) as CheckAnswer) };
  };
  return { service, shop, check };
}

async function mails(home: string) {
  const folder = join(home, 'outbox');
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
}

test('a lost decimal comma is said in answer, report and mail; nothing of prices is uploaded', async () => {
  const { service, shop, check } = await shopWith({ signals: { price: ['Preis'], stock: ['Bestand'] } });
  shop.deliver('north', 'a.csv', list());
  const first = await shop.ingest('north');
  expect(first).toMatchObject({
    outcome: 'live',
    signals: { comparedWith: null, findings: [], seen: { price: { column: 'Preis', position: 4, known: 40 } } },
  });
  const strange = list((at) => ({ ...withoutComma(at), ...(at === 0 ? { name: 'Bremsscheibe' } : {}) }));
  expect(await check(strange)).toMatchObject({
    status: 0,
    outcome: 'accepted',
    signals: { comparedWith: first.run, findings: [{ code: 'prices-scaled', factor: 100, parts: 40, of: 40 }] },
  });

  shop.deliver('north', 'b.csv', strange);
  const second = await shop.ingest('north');
  expect(second).toMatchObject({
    outcome: 'live',
    signals: {
      compared: 40,
      jumped: 40,
      findings: [
        { code: 'prices-scaled', examples: [{ oem: '13.0460-7000.2', line: 2, before: '12', after: '1200' }, {}, {}] },
      ],
    },
  });
  const sentence = 'The price of 40 of 40 compared parts (100%) is 100 times what it was';
  expect((await shop.offerline('show', second.run)).stdout).toContain(sentence);
  expect(readFileSync(second.reports?.html ?? '', 'utf8')).toContain(sentence);
  const [mail, ...others] = await mails(shop.home);
  expect(others).toEqual([]);
  for (const part of [mail?.text ?? '', mail?.html ?? '']) {
    expect(part).toContain(sentence);
    expect(part).toContain('ATE 13.0460-7001.2 (line 3): 13.37 → 1337');
  }
  const sent = await service.source((await service.offers())[0]?.id ?? '');
  expect(sent.split('\n')[0]).toBe('brand\toem\tname\ttags');
  expect(sent).not.toContain('1337');
});

test('a guard holds prices that jump, and an approval lets them through', async () => {
  const { service, shop, check } = await shopWith({ signals: {}, guard: { maxPriceJump: '20%' } });
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  const strange = list(withoutComma);
  expect(await check(strange)).toMatchObject({ status: 3, outcome: 'rejected' });
  shop.deliver('north', 'b.csv', strange);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({
    status: 3,
    outcome: 'held',
    cause: 'guard',
    reason:
      'in the file of north the price of 100% of the parts more than doubled or fell to less than half (40 of 40 compared), more than guard.maxPriceJump (20%)',
    signals: { findings: [{ code: 'prices-scaled' }] },
  });
  expect(await service.offers()).toHaveLength(1);
  expect(await mails(shop.home)).toHaveLength(1);
  const { stdout } = await shop.offerline('approve', held.run, '--reason', 'new currency', '--wait', '--json');
  // The rows that are uploaded are the same.
  expect(JSON.parse(stdout) as RunAnswer).toMatchObject({ outcome: 'unchanged' });
  expect(await check(strange)).toMatchObject({ status: 0, signals: { comparedWith: held.run, findings: [] } });
});

test('a guard holds a list of which too little is in stock', async () => {
  const { shop } = await shopWith({ signals: { stock: 'Bestand', price: 'off' }, guard: { maxStockDrop: '60%' } });
  shop.deliver(
    'north',
    'a.csv',
    list((at) => ({ stock: at < 4 ? 'nein' : 'ja' })),
  );
  await shop.ingest('north');
  shop.deliver(
    'north',
    'b.csv',
    list((at) => ({ stock: at < 20 ? '0' : '5 Stk.' })),
  );
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  shop.deliver(
    'north',
    'c.csv',
    list(() => ({ stock: '0' })),
  );
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    reason:
      'the share of rows of the file of north that are in stock fell by 100% (from 50% (20 of 40) to 0% (0 of 40)), more than guard.maxStockDrop (60%)',
    signals: { seen: { price: null }, findings: [{ code: 'stock-zero', before: { rows: 20, of: 40 } }] },
  });
});

test('prices and article numbers that changed places are held by the guard of prices', async () => {
  const { shop } = await shopWith({
    signals: {},
    columns: { brand: ['Hersteller'], oem: ['Artikelnummer'] },
    guard: { maxPriceJump: '20%' },
  });
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  shop.deliver(
    'north',
    'b.csv',
    list((at) => ({ oem: price(at), price: `13.0460-${7000 + at}.2` })),
  );
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    cause: 'guard',
    signals: { findings: [{ code: 'prices-swapped', parts: 40, of: 40 }] },
  });
});

test('half of the names gone is said of a feed without signals', async () => {
  const { shop, check } = await shopWith({});
  shop.deliver('north', 'a.csv', list());
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', signals: null });
  const nameless = list((at) => (at < 25 ? { name: '' } : {}));
  expect(await check(nameless)).toMatchObject({ signals: { findings: [{ code: 'names-gone', rows: 25, of: 40 }] } });
  shop.deliver('north', 'b.csv', nameless);
  const strange = await shop.ingest('north');
  expect(strange).toMatchObject({ outcome: 'live', signals: { seen: { price: null, stock: null } } });
  expect((await shop.offerline('show', strange.run)).stdout).toContain(
    '62.5% of the rows have no name; before, 0% had none',
  );
});

test('a column that is not there, and two of one name, are warnings; the file is uploaded', async () => {
  const { shop, check } = await shopWith({ signals: { price: 'Netto', stock: 'Bestand' } });
  const twice = list(undefined, 'Hersteller;Artikelnummer;Bezeichnung;Bestand;Bestand');
  const answer = await check(twice);
  expect(answer).toMatchObject({
    status: 0,
    issues: { 'signal-missing': 1, 'signal-ambiguous': 1 },
    signals: null,
  });
  expect(answer.sample.map(({ message }) => message)).toEqual([
    expect.stringContaining('The column of feeds.NAME.signals.price is missing. It is set to Netto.'),
    expect.stringContaining(
      'Several columns fit feeds.NAME.signals.stock (Bestand): "Bestand" (column 4), "Bestand" (column 5).',
    ),
  ]);
  shop.deliver('north', 'a.csv', twice);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', issues: { 'signal-missing': 1 } });
});

/** The files of the archive that begin as samples do. */
function samplesIn(home: string): string[] {
  const entries = readdirSync(join(home, 'archive'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((path) => readFileSync(path, 'utf8').startsWith('{"version":1,"limit"'));
}

test('a damaged sample is made again from its delivery', async () => {
  const { shop } = await shopWith({ signals: {} });
  shop.deliver('north', 'a.csv', list());
  await shop.ingest('north');
  const [sample = '', ...others] = samplesIn(shop.home);
  expect(others).toEqual([]);
  writeFileSync(sample, readFileSync(sample, 'utf8').replace('ATE', 'TRW'));
  const found = await shop.offerline('verify', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({
    ok: false,
    faults: [{ damage: 'damaged', names: [expect.stringContaining('the sample of prices and stock of run')] }],
  });
  shop.deliver('north', 'b.csv', list(withoutComma));
  expect(await shop.ingest('north')).toMatchObject({
    signals: { compared: 40, findings: [{ code: 'prices-scaled' }] },
  });
  expect(JSON.parse((await shop.offerline('verify', '--json')).stdout)).toMatchObject({ ok: true });
});

/** A workbook with a sheet of pads and one of discs, 20 parts each, with numbers as cells. */
async function workbook(factor: number): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [sheet, first] of [
    ['Pads', 1000],
    ['Discs', 2000],
  ] as const) {
    const rows = Array.from({ length: 20 }, (_, at) => ['ATE', `N${first + at}`, (12.5 + at) * factor]);
    book.addWorksheet(sheet).addRows([['Hersteller', 'Artikelnummer', 'Preis'], ...rows]);
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

test('prices of a workbook are seen in all sheets that are read, and examples name the sheet', async () => {
  const { shop } = await shopWith({ signals: { price: 3 }, sheet: 'all' });
  shop.deliver('north', 'a.xlsx', await workbook(1));
  expect(await shop.ingest('north')).toMatchObject({ signals: { seen: { price: { known: 40, unreadable: 0 } } } });
  shop.deliver('north', 'b.xlsx', await workbook(10));
  const strange = await shop.ingest('north');
  expect(strange).toMatchObject({
    signals: {
      compared: 40,
      findings: [
        {
          code: 'prices-scaled',
          factor: 10,
          examples: [{ sheet: 'Pads', line: 2, before: '12.5', after: '125' }, {}, {}],
        },
      ],
    },
  });
  expect((await shop.offerline('show', strange.run)).stdout).toContain('ATE N1001 (Pads!3): 13.5 → 135');
});
