import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readByteRows, type ReadRows } from '../../../../src/jobs/read/joined/byte-rows.ts';
import { indexPartner, withoutRow, type Partner } from '../../../../src/jobs/read/joined/index-partner.ts';
import { createCellStore } from '../../../../src/jobs/read/joined/kernel/cell-store.ts';
import { openJoinKernel } from '../../../../src/jobs/read/joined/kernel/join-kernel.ts';
import { createPartIndex } from '../../../../src/jobs/read/joined/kernel/part-index.ts';
import { indexedRows } from '../../../../src/jobs/read/joined/kernel/partner-rows.ts';
import { createRowKeys, type KeyPlaces } from '../../../../src/jobs/read/joined/row-keys.ts';
import { writeJoined } from '../../../../src/jobs/read/joined/write-joined.ts';
import { cellDialect } from '../../../../src/jobs/read/joined/written-cells.ts';
import type { Detection, JoinedFile } from '../../../../src/model.ts';
import { sourceOfText } from '../../../../src/validate/scan/scan-text.ts';
import { dialect, plainSettings } from '../../../support/read-settings.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A file as it is drawn: its rows with the delimiter that it has, and how it is written. */
type File = { text: string; detection: Detection; places: KeyPlaces };

const folder = tempFolder();
const settings = plainSettings();
const limit = { most: Infinity, tooLarge: () => new Error('No file is larger.') };

function write(name: string, { text, detection }: File): string {
  const path = join(folder, name);
  writeFileSync(path, iconv.encode(text, detection.charset, { addBOM: detection.bom }));
  return path;
}

/** The text that is made of a list and its partners, and their accounts and issues; in two threads with jobs of `least` bytes, behind so many bytes of memory. */
async function joined(list: File, stocks: File[], reading: ReadRows, least: number | null = null, before = 0) {
  await using kernel = await openJoinKernel(least === null ? null : { least });
  kernel.allocate(before);
  const work = { settings, signal: undefined, kernel, reading };
  const { dialect: own } = sourceOfText({ ...list, path: write('list', list), settings });
  const partners: Partner[] = [];
  for (const [at, stock] of stocks.entries()) {
    const source = {
      role: 'stock',
      file: `stock-${at}`,
      path: write(`stock-${at}`, stock),
      detection: stock.detection,
      parts: [],
      places: stock.places,
      columns: [
        { place: 2, name: `price-${at}` },
        { place: 3, name: `text-${at}` },
      ],
      charset: stock.detection.charset,
      notes: [],
    };
    partners.push(await indexPartner(source, { target: cellDialect(own), spill: join(folder, `cells-${at}`) }, work));
  }
  const target = join(folder, 'joined');
  const { detection, places } = list;
  const file = { name: 'list', path: join(folder, 'list'), detection, parts: [], places };
  const { bytes, withoutAny } = await writeJoined(file, partners, target, { ...work, limit });
  for (const partner of partners) await withoutRow(partner, work);
  for (const partner of partners) partner[Symbol.dispose]();
  const text = readFileSync(target, 'latin1');
  expect(text).toHaveLength(bytes);
  return { text, withoutAny, accounts: partners.map(({ account, issues }) => ({ account, issues: issues.all() })) };
}

const number = fc.oneof(
  { weight: 8, arbitrary: fc.nat(40).map((at) => `13.0${at}`) },
  { weight: 3, arbitrary: fc.nat(40).map((at) => ` 13 0-${at} `) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '-', '13.0é', '1\u00a03', '13/02', '"1302"', 'oem', 'x'.repeat(70)),
  },
);
const brand = fc.constantFrom('ATE', 'ate', ' A-T-E ', '', 'Bosch', 'Škoda', 'БОШ', '.', '"ATE"');
const cell = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('1,90', '17', '', 'Pads; front', 'Диск', 'y'.repeat(40)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('"a;b"', '"two ""inch"""', '5" hose', '"', "'q'", 'a\\"b', '"a\\"b"', 'a\tb'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"open', '"two\nlines"', 'a\rb', '"a" b', 'a\u2028b', 'a\u000bb', 'z'.repeat(300)),
  },
);
const usual = fc.tuple(brand, number, cell, cell);
const row = fc.oneof(
  { weight: 12, arbitrary: usual },
  { weight: 1, arbitrary: fc.array(cell, { maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['brand', 'oem', 'price', 'name'], [''], ['', '', '', ''], ['', 'oem', '1', '2']),
  },
);

/** A file with rows of four columns; its text is drawn with semicolons. */
const file = fc
  .record({
    rows: fc.array(row, { maxLength: 60 }),
    times: fc.constantFrom(1, 1, 2),
    delimiter: fc.constantFrom(';', ';', ',', '\t'),
    quote: fc.constantFrom('"', '"', "'", null),
    escape: fc.constantFrom('"', '"', '\\', null),
    newline: fc.constantFrom('\n', '\r\n'),
    header: fc.constantFrom(true, true, false),
    above: fc.constantFrom(0, 0, 2),
    charset: fc.constantFrom('utf-8', 'utf-8', 'windows-1251'),
    bom: fc.boolean(),
    isOpen: fc.boolean(),
    brand: fc.constantFrom(null, null, 0, 'ATE'),
    isWrapped: fc.constantFrom(false, false, false, true),
  })
  .map((drawn): File => {
    const { delimiter, newline, header, above, charset } = drawn;
    const columns = ['brand', 'oem', 'price', 'name'];
    const all = Array.from({ length: drawn.times }, () => drawn.rows).flat();
    const lines = [...Array.from({ length: above }, () => 'Prices'), ...(header ? [columns] : []), ...all];
    const cells = lines.map((line) => (typeof line === 'string' ? line : line.join(';')));
    const text = cells.map((line) => line.replaceAll(';', delimiter) + newline).join('');
    const wrap = { position: 2, apostrophe: true, pair: null, decimals: null };
    return {
      text: drawn.isOpen ? text.replace(/\r?\n$/u, '') : text,
      places: { oem: 1, brand: drawn.brand },
      detection: dialect({
        delimiter,
        newline,
        header,
        charset,
        quote: drawn.quote,
        escape: drawn.quote === null ? null : drawn.escape,
        headerLine: above + 1,
        bom: drawn.bom && charset === 'utf-8',
        columns: header ? columns : [],
        width: 4,
        wraps: { backslashes: false, columns: drawn.isWrapped ? [wrap] : [] },
      }),
    };
  });

test('plain rows that are taken at once become what they become one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.array(file, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(32, 100, 1000, 1 << 20),
      async (list, stocks, chunk) => {
        const found = await joined(list, stocks, { chunk, takesPlain: true });
        expect(found).toEqual(await joined(list, stocks, { chunk: 1 << 20, takesPlain: false }));
      },
    ),
    { numRuns: repetitions(3000) },
  );
});

test('two threads make of rows what one makes of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.array(file, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(200, 1000, 1 << 20),
      fc.constantFrom(1, 30, 200),
      async (list, stocks, chunk, least) => {
        const found = await joined(list, stocks, { chunk, takesPlain: true }, least);
        expect(found).toEqual(await joined(list, stocks, { chunk: 1 << 20, takesPlain: false }));
      },
    ),
    { numRuns: repetitions(200) },
  );
});

test('two threads make of many rows what one makes of them', async () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => {
    const name = at % 5000 === 4999 ? '"two\nlines"' : at % 777 === 0 ? '"two ""inch"""' : 'Disc';
    return `ATE;13.${(at * 7919) % 60_000};${at % 90},00;${name}`;
  });
  const list = fileOf(
    rows.map((_row, at) => (at % 3000 === 7 ? `ATE;13.${at};1;"a\nb"` : `ATE;13.${at + 300};1;Disc`)),
  );
  const stocks = [fileOf(rows.slice(1000)), fileOf(rows.toReversed().concat(rows.slice(0, 500)))];
  const expected = await joined(list, stocks, { chunk: 1 << 20, takesPlain: false });
  for (const least of [500, 1 << 14]) {
    const found = await joined(list, stocks, { chunk: 1 << 18, takesPlain: true }, least);
    expect(found.text === expected.text).toBe(true);
    expect({ ...found, text: '' }).toEqual({ ...expected, text: '' });
  }
});

/** A file with these rows, in the order brand, number, price, name. */
function fileOf(rows: string[]): File {
  const columns = ['brand', 'oem', 'price', 'name'];
  const detection = dialect({ columns, width: 4 });
  return { text: [columns.join(';'), ...rows, ''].join('\n'), detection, places: { oem: 1, brand: 0 } };
}

test.each([
  ['longer than what is staged at once', 70_000],
  ['longer than what is written at once', 300_000],
  ['about as long as a row may be', 990_000],
])('cells that are %s are brought as they are one by one', async (_, length) => {
  const rows = Array.from({ length: 480 }, (_row, at) => {
    const isLong = at % 40 === 7;
    return `ATE;13.${at};${at},00;${isLong ? String(at % 10).repeat(length) : 'Disc'}`;
  });
  const list = fileOf(rows.map((_row, at) => `ATE;13.${at * 7};1;list ${at}`).toReversed());
  const [stock, other] = [fileOf(rows), fileOf(rows.filter((_row, at) => at % 3 === 0))];
  const found = await joined(list, [stock, other], { chunk: 1 << 18, takesPlain: true });
  const expected = await joined(list, [stock, other], { chunk: 1 << 20, takesPlain: false });
  expect(found.text === expected.text).toBe(true);
  expect(found.text.length).toBeGreaterThan(length);
  expect({ ...found, text: '' }).toEqual({ ...expected, text: '' });
});

test.each([
  ['shorter than those of which many are staged', (at: number) => `;${at % 50_000};;`],
  ['with cells', (at: number) => `ATE;13.${at};${at % 90};Disc`],
])('many rows %s are taken in either way, also beyond two gigabytes', async (_, rowOf) => {
  const rows = Array.from({ length: 60_000 }, (_row, at) => rowOf(at));
  const [list, stock] = [fileOf(rows), fileOf(rows.toReversed().slice(0, 50_000))];
  const expected = await joined(list, [stock], { chunk: 1 << 20, takesPlain: false });
  const reading = { chunk: 1 << 20, takesPlain: true };
  for (const [least, before] of [
    [null, 0],
    [1 << 16, 0],
    [1 << 16, 2 ** 31],
  ] as const) {
    const found = await joined(list, [stock], reading, least, before);
    expect(found.text === expected.text).toBe(true);
    expect({ ...found, text: '' }).toEqual({ ...expected, text: '' });
  }
});

test('cells that memory does not hold are brought row by row, and few rows are read again', async () => {
  const kernel = await openJoinKernel();
  let staged = 0;
  const counting = {
    ...kernel,
    calls: {
      ...kernel.calls,
      stageRows: (...args: Parameters<typeof kernel.calls.stageRows>) => {
        const next = kernel.calls.stageRows(...args);
        staged += kernel.calls.taken.value;
        return next;
      },
    },
  };
  const index = createPartIndex(counting);
  using cells = createCellStore(counting, join(folder, 'cells'), { block: 1 << 10, kept: 1 });
  const count = 5000;
  const stock = fileOf(Array.from({ length: count }, (_, at) => `ATE;13.${at};${at},00;Disc`));
  const { text, detection, places } = stock;
  const path = write('stock', { text, detection, places });
  const rowKeys = createRowKeys({ ...detection, places, settings });
  const account = { rows: 0, repeated: 0, examples: { repeated: [] } } as unknown as JoinedFile;
  const source = { detection, columns: [{ place: 2, name: 'price' }] };
  const target = cellDialect(detection);
  let slow = 0;
  await readByteRows(
    { name: 'stock', path, written: detection, settings },
    {
      plain: indexedRows(counting, source, { keys: rowKeys.plain, index, cells, target, account, most: 10 }),
      row: () => (slow += 1),
      scanned: () => undefined,
      lines: () => undefined,
      pause: () => Promise.resolve(true),
    },
    undefined,
  );
  expect(account.rows + slow).toBe(count + 1);
  expect(slow).toBeGreaterThan(count / 2);
  expect(staged).toBeLessThan(8 * count);
});

test('only rows that are not plain come one by one', async () => {
  const kernel = await openJoinKernel();
  const index = createPartIndex(kernel);
  using cells = createCellStore(kernel, join(folder, 'cells'));
  const plain = Array.from({ length: 1000 }, (_, at) => `ATE;13.${at};"${at},00";Disc\n`);
  const odd = ['ATE;13.0é;1;Disc\n', 'ATE;13.1;"two ""inch""";\n', '\n'];
  const text = `brand;oem;price;name\n${plain.toSpliced(500, 0, ...odd).join('')}`;
  const detection = dialect({ columns: ['brand', 'oem', 'price', 'name'], width: 4 });
  const places = { oem: 1, brand: null };
  const path = write('list', { text, detection, places });
  const { plain: keys } = createRowKeys({ ...detection, places, settings });
  const account = { rows: 0, repeated: 0, examples: { repeated: [] } } as unknown as JoinedFile;
  const target = cellDialect(detection);
  const source = { detection, columns: [{ place: 2, name: 'price' }] };
  const lines: number[] = [];
  await readByteRows(
    { name: 'list', path, written: detection, settings },
    {
      plain: indexedRows(kernel, source, { keys, index, cells, target, account, most: 10 }),
      row: (_, line) => void lines.push(line),
      scanned: ({ line }) => void lines.push(line),
      lines: () => undefined,
      pause: () => Promise.resolve(true),
    },
    undefined,
  );
  expect(lines).toEqual([1, 502, 503, 504]);
  expect([account.rows, account.repeated, index.size]).toEqual([1000, 0, 1000]);
});
