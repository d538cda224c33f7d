import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Signals } from '../../src/model.ts';
import { compareSeen } from '../../src/signals/compare.ts';
import { readSample, writeSample } from '../../src/signals/sample.ts';
import { watchRows } from '../../src/signals/see.ts';
import { findingWords } from '../../src/wording/signal-words.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { repetitions } from '../support/repetitions.ts';

/** Cells of an offer: brand and number, price, stock. */
type Cells = { oem: string; price: string; stock?: string };

const COLUMN = { column: 'X', position: 1 };

/** What is seen of rows, through the file that is kept. */
async function seen(rows: Cells[], names: { rows: number; filled: number } | null = null) {
  const watcher = watchRows({ price: COLUMN, stock: COLUMN });
  for (const [at, { oem, price, stock = '5' }] of rows.entries()) {
    watcher.add({ line: at + 2, brand: 'ATE', oem, price, stock });
  }
  const { seen: cells, parts, cells: priceCells } = watcher.end();
  const path = join(tempFolder(), 'seen.tsv');
  await writeSample(path, parts, priceCells);
  return { seen: { rows: rows.length, names, ...cells }, sample: await readSample(path) };
}

const list = (count: number, price: (at: number) => string, stock?: (at: number) => string): Cells[] =>
  Array.from({ length: count }, (_, at) => ({
    oem: `13.0460-${7000 + at}.2`,
    price: price(at),
    ...(stock === undefined ? {} : { stock: stock(at) }),
  }));
const withoutComma = (rows: Cells[]) => rows.map(({ oem, price }) => ({ oem, price: price.replace(',', '') }));
const german = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');
const usual = (at: number) => german(1250 + at * 137);

async function compared(before: Cells[] | null, after: Cells[]): Promise<Signals> {
  const older = before === null ? null : { run: 'earlier', ...(await seen(before)) };
  return compareSeen(await seen(after), older);
}

const codes = ({ findings }: Signals) => findings.map(({ code }) => code);
const sentences = (signals: Signals) => findingWords(signals).map(({ sentence }) => sentence);

test('a lost decimal comma is found, with numbers and examples, though some prices have none', async () => {
  const before = list(40, (at) => (at % 4 === 0 ? `${at + 9}` : usual(at)));
  const after = withoutComma(before);
  const signals = await compared(before, after);
  expect(signals).toMatchObject({ compared: 40, jumped: 30, comparedWith: 'earlier' });
  expect(findingWords(signals)).toEqual([
    {
      sentence:
        'The price of 30 of 40 compared parts (75%) is 100 times what it was; a decimal mark may have been lost',
      examples: [
        'ATE 13.0460-7001.2 (line 3): 13.87 → 1387',
        'ATE 13.0460-7002.2 (line 4): 15.24 → 1524',
        'ATE 13.0460-7003.2 (line 5): 16.61 → 1661',
      ],
    },
  ]);
});

test.each([10, 100, 1000, 0.1, 0.01])('prices that are %s times those of before are scaled', async (factor) => {
  const before = list(30, (at) => german(12_000 + at * 1700));
  const after = list(30, (at) => german((12_000 + at * 1700) * factor * 1.03));
  expect((await compared(before, after)).findings[0]).toMatchObject({
    code: 'prices-scaled',
    factor,
    parts: 30,
    of: 30,
  });
});

test('prices that rise as usual, single errors and short lists are nothing strange', async () => {
  const before = list(200, usual);
  expect(
    codes(
      await compared(
        before,
        list(200, (at) => german((1250 + at * 137) * 1.2)),
      ),
    ),
  ).toEqual([]);
  const few = before.map((row, at) => (at < 8 ? { ...row, price: row.price.replace(',', '') } : row));
  expect(codes(await compared(before, few))).toEqual([]);
  const short = list(9, usual);
  expect(codes(await compared(short, withoutComma(short)))).toEqual([]);
});

test('prices of another currency are said to be that, not scaled', async () => {
  const before = list(20, (at) => `${usual(at)} EUR`);
  const after = list(20, (at) => `${german((1250 + at * 137) * 98)} руб.`);
  const signals = await compared(before, after);
  expect(sentences(signals)).toEqual(['The prices are in RUB now; they were in EUR']);
  expect(signals.jumped).toBe(20);
});

test('prices that are others altogether have jumped', async () => {
  const signals = await compared(
    list(20, usual),
    list(20, (at) => german((1250 + at * 137) * 4.3)),
  );
  expect(sentences(signals)).toEqual([
    'The price of 20 of 20 compared parts (100%) more than doubled or fell to less than half (usually 4.3 times what it was)',
  ]);
});

test('prices that are all equal are strange, also at first, unless they were before', async () => {
  const equal = list(20, () => '9,99');
  expect(sentences(await compared(null, equal))).toEqual(['20 of 20 parts (100%) cost the same: 9.99']);
  expect((await compared(list(20, usual), equal)).findings[0]?.examples[0]).toMatchObject({
    before: '12.5',
    after: '9.99',
  });
  expect(codes(await compared(equal, equal))).toEqual([]);
});

test('prices and article numbers that have changed places are found', async () => {
  const before = list(30, usual);
  const after = before.map(({ oem, price }) => ({ oem: price, price: oem }));
  const signals = await compared(before, after);
  expect(codes(signals)).toEqual(['prices-swapped']);
  expect(signals).toMatchObject({ compared: 0, swapped: { parts: 30, of: 30 } });
});

test('prices that cannot be read are counted, shown, and strange where most are', async () => {
  const after = list(20, (at) => (at < 12 ? `GDB${at}` : at === 19 ? 'по запросу' : usual(at)));
  const signals = await compared(list(20, usual), after);
  expect(signals.seen.price).toMatchObject({
    known: 7,
    notGiven: 1,
    unreadable: 12,
    examples: ['GDB0', 'GDB1', 'GDB2'],
  });
  expect(sentences(signals)).toEqual(['13 prices of 20 rows are missing or no prices']);
});

test('a stock that is zero throughout is strange, unless it was before', async () => {
  const sold = list(20, usual, () => 'нет');
  expect(
    sentences(
      await compared(
        list(20, usual, (at) => (at < 5 ? '0' : '>10')),
        sold,
      ),
    ),
  ).toEqual(['Nothing is in stock: the stock of 20 rows is zero; 15 of 20 were before']);
  expect(codes(await compared(null, sold))).toEqual(['stock-zero']);
  expect(codes(await compared(sold, sold))).toEqual([]);
});

test('half of the names gone is strange, with no column of prices', async () => {
  const nothing = { rows: 40, price: null, stock: null };
  const named = (filled: number) => ({ seen: { ...nothing, names: { rows: 40, filled } }, sample: null });
  expect(sentences(compareSeen(named(18), { run: 'earlier', ...named(38) }))).toEqual([
    '55% of the rows have no name; before, 5% had none',
  ]);
  expect(codes(compareSeen(named(20), { run: 'earlier', ...named(38) }))).toEqual([]);
  expect(codes(compareSeen(named(0), { run: 'earlier', ...named(4) }))).toEqual([]);
});

test('of any list most prices are found a hundred times as high, whatever they were', async () => {
  const prices = fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 10, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(prices, async (cents) => {
      const before = list(cents.length, (at) => german(cents[at]!));
      const after = withoutComma(before);
      expect(codes(await compared(before, after))).toContain('prices-scaled');
      expect(codes(await compared(before, before)).filter((code) => code === 'prices-scaled')).toEqual([]);
    }),
    { numRuns: repetitions(30) },
  );
});
