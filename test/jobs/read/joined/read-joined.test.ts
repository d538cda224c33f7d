import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readSettings, type ReadSettings } from '../../../../src/config/schema/feed-settings.ts';
import { withOriginalRows } from '../../../../src/jobs/read/original-rows.ts';
import { readFile, type ReadInput } from '../../../../src/jobs/read/read.ts';
import { configSchema, type Config } from '../../../../src/config/schema/schema.ts';
import { partKey } from '../../../../src/parts/part-key.ts';
import { SIZES } from '../../../../src/validate/fast/sizes.ts';
import { rawZip } from '../../../support/raw-zip.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

type Files = Record<string, string | Buffer>;
type Feed = Record<string, unknown>;

/** The settings of a feed whose archive has a list and its stock, changed where a test wants it. */
function settingsOf({ join: joined, ...feed }: Feed = {}): ReadSettings {
  const entries = { list: 'list*', stock: 'stock*' };
  const source = { type: 'directory', path: '.' };
  const north = { login: 'main', source, entries, join: { on: ['oem'], ...(joined as Feed | undefined) }, ...feed };
  return readSettings(configSchema.parse({ logins: { main: {} }, feeds: { north } }) as unknown as Config, 'north');
}

function delivery(files: Files, feed: Feed = {}): ReadInput {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, rawZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return { path, name: 'north.zip', folder, settings: settingsOf(feed) };
}

/** What was read, the text that was made, the accepted rows and the issues. */
async function read(files: Files, feed: Feed = {}) {
  const result = await readFile(delivery(files, feed));
  const rows = result.validation === null ? [] : linesOf(result.rowsPath).map((text) => text.replaceAll('\t', '|'));
  const issues = result.validation === null ? [] : linesOf(result.issuesPath);
  return {
    result,
    rows,
    text: readFileSync(result.path, 'utf8'),
    issues: issues.map((text) => JSON.parse(text) as unknown),
  };
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

async function refusal(files: Files, feed: Feed = {}): Promise<string> {
  const error: unknown = await readFile(delivery(files, feed)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'file-rejected' });
  return (error as Error).message;
}

async function whyHeld(files: Files, feed: Feed = {}): Promise<string> {
  const { unsure, reason } = await readFile(delivery(files, feed));
  expect(unsure).toBe('dialect');
  return reason as string;
}

const LIST = 'brand;oem;name\nATE;13.0460-2782.2;Disc\nATE;24.0110-0234.1;Pad\nBOSCH;0 986 424 797;"Pad; front"\n';
const STOCK = 'Artikelnummer,Bestand,Preis\n0986424797,5,"1.234,50"\n13046027822,0,12\n99,7,8\n';

test('the values of a partner stand behind the rows of the list, which are read as before', async () => {
  const { result, text, rows } = await read({ 'list.csv': LIST, 'stock.csv': STOCK });
  expect(text).toBe(
    'brand;oem;name;Bestand;Preis\nATE;13.0460-2782.2;Disc;0;12\nATE;24.0110-0234.1;Pad;;\n' +
      'BOSCH;0 986 424 797;"Pad; front";5;1.234,50\n',
  );
  expect(rows).toEqual([
    '2|ATE|13.0460-2782.2|Disc|',
    '3|ATE|24.0110-0234.1|Pad|',
    '4|BOSCH|0 986 424 797|Pad; front|',
  ]);
  expect(result.detection).toMatchObject({
    format: 'files',
    columns: ['brand', 'oem', 'name', 'Bestand', 'Preis'],
    width: 5,
  });
  expect(result.joined).toEqual([
    {
      role: 'stock',
      file: 'stock.csv',
      columns: ['Bestand', 'Preis'],
      rows: 3,
      unusable: 0,
      repeated: 0,
      joined: 2,
      withoutPartner: 1,
      withoutRow: 1,
      examples: {
        repeated: [],
        withoutPartner: [{ sheet: null, line: 3, part: 'ATE 24.0110-0234.1' }],
        withoutRow: [{ sheet: null, line: 4, part: '99' }],
      },
    },
  ]);
});

test('signals see what a partner brought, and issues name the list', async () => {
  const signals = { stock: 'Bestand', price: 'Preis' };
  const { result, issues } = await read({ 'list.csv': `${LIST}ATE;;no number\n`, 'stock.csv': STOCK }, { signals });
  expect(result.seen?.signals).toMatchObject({ price: { column: 'Preis', known: 2 }, stock: { known: 2, inStock: 1 } });
  expect(issues).toMatchObject([
    { code: 'oem-empty', file: 'list.csv', line: 5, cells: ['ATE', '', 'no number', '', ''] },
  ]);
});

test('brands are compared where they are to be, spelled as they are meant', async () => {
  const stock = 'Marke;Artikelnummer;Bestand\nate;13046027822;1\nBOSCH;2401100234.1;2\n';
  const { text } = await read({ 'list.csv': LIST, 'stock.csv': stock }, { join: { on: ['brand', 'oem'] } });
  expect(text.split('\n').slice(1, 3)).toEqual(['ATE;13.0460-2782.2;Disc;1', 'ATE;24.0110-0234.1;Pad;']);
});

test('the first of several rows of a part counts, and the others are told', async () => {
  const { text, result } = await read({
    'list.csv': LIST,
    'stock.csv': 'oem;qty\n13.0460-2782.2;1\n;4\n13046027822;2\noem;qty\n',
  });
  expect(text).toContain('13.0460-2782.2;Disc;1\n');
  expect(result.joined).toMatchObject([
    { rows: 3, unusable: 1, repeated: 1, examples: { repeated: [{ line: 4, part: '13046027822' }] } },
  ]);
});

test('a list in another charset, with other lines and broken rows, keeps its lines', async () => {
  const list =
    'Прайс-лист\r\n\r\nПроизводитель;Артикул;Имя\r\nATE;1;"две\r\nстроки"\r\nКолодки\r\nATE;2\r\nATE;3;Имя;;\r\nATE;4;Имя;лишнее\r\nПроизводитель;Артикул;Имя\r\n"ATE;5;Имя\r\nATE;6;Имя';
  const { result, text, issues } = await read(
    {
      'list.csv': iconv.encode(list, 'windows-1251'),
      'stock.csv': iconv.encode('Артикул\tОстаток\n1\tесть\n3\t"a;b"\n4\t7\n6\t9\n', 'utf-16le', { addBOM: true }),
    },
    { dialect: { charset: 'windows-1251', delimiter: ';', header: 3 } },
  );
  expect(text).toBe(
    'Прайс-лист\r\n\r\nПроизводитель;Артикул;Имя;Остаток\r\nATE;1;"две\r\nстроки";есть\r\nКолодки\r\nATE;2\r\nATE;3;Имя;"a;b"\r\n' +
      'ATE;4;Имя;7;лишнее\r\nПроизводитель;Артикул;Имя;Остаток\r\n"ATE;5;Имя\r\nATE;6;Имя;9',
  );
  expect(result.validation?.counts).toMatchObject({ accepted: 3, rejectedLocally: 3 });
  expect(issues).toMatchObject([
    { code: 'wrong-cell-count', file: 'list.csv', line: 7 },
    { code: 'wrong-cell-count', file: 'list.csv', line: 9 },
    { code: 'unclosed-quote', file: 'list.csv', line: 11 },
  ]);
});

test('workbooks are joined as texts are', async () => {
  const book = async (sheet: string, rows: unknown[][]) => {
    const workbook = new exceljs.Workbook();
    workbook.addWorksheet(sheet).addRows(rows);
    return Buffer.from(await workbook.xlsx.writeBuffer());
  };
  const { result, text, issues } = await read({
    'list.xlsx': await book('Preise', [
      ['Hersteller', 'Artikelnummer'],
      ['ATE', 'A 1'],
      ['ATE', ''],
      ['ATE', 'A 2'],
    ]),
    'stock.xlsx': await book('Lager', [
      ['Artikelnummer', 'Bestand'],
      ['A2', 12],
      ['A7', 3],
    ]),
  });
  expect(text).toBe('Hersteller\tArtikelnummer\tBestand\nATE\tA 1\t\nATE\t\t\nATE\tA 2\t12\n');
  expect(issues).toMatchObject([{ code: 'oem-empty', file: 'list.xlsx', sheet: 'Preise', line: 3 }]);
  expect(result.joined).toMatchObject([{ examples: { withoutRow: [{ sheet: 'Lager', line: 3, part: 'A7' }] } }]);
});

test('several partners bring their columns one after the other', async () => {
  const entries = { list: 'list*', stock: 'stock*', prices: 'prices*' };
  const { text } = await read(
    { 'list.csv': LIST, 'stock.csv': STOCK, 'prices.csv': 'oem;Preis;name\n24.0110-0234.1;9,90;Bremsbelag\n' },
    { entries, join: { partners: { stock: { bring: ['Preis'] } } } },
  );
  expect(text.split('\n').slice(0, 3)).toEqual([
    'brand;oem;name;Preis;Preis (prices);name (prices)',
    'ATE;13.0460-2782.2;Disc;12;;',
    'ATE;24.0110-0234.1;Pad;;9,90;Bremsbelag',
  ]);
});

test('a list with one column gets others, and names that it lacks come from the partner', async () => {
  const { text, rows } = await read(
    { 'list.txt': 'oem\nA1\nA2\nA3\nA4\nA5\n', 'stock.csv': 'oem;name\nA1;Pad\nA2;Disc\nA3;Hose\nA4;Belt\nA5;Bulb\n' },
    { defaults: { brand: 'ATE' } },
  );
  expect(text.split('\n').slice(0, 2)).toEqual(['oem\tname', 'A1\tPad']);
  expect(rows[0]).toBe('2|ATE|A1|Pad|');
});

test('numbers are compared without what is taken off them and written around them', async () => {
  const { text } = await read(
    { 'list.csv': 'brand;oem\nATE;ATE-A 1\nATE;="A2"\nATE;A4, A5\n', 'stock.csv': 'oem;qty\nA1;1\nA2-X;2\nA5;5\n' },
    { numbers: { strip: { prefix: ['ATE-'], suffix: ['-X'] }, take: 'each', separator: ',' } },
  );
  expect(text).toBe('brand;oem;qty\nATE;ATE-A 1;1\nATE;="A2";2\nATE;A4, A5;5\n');
});

test.each<[string, Files, Feed, string]>([
  ['no partner', { 'list.csv': LIST }, {}, 'has no entry that matches "stock*"'],
  ['no list', { 'stock.csv': STOCK }, {}, 'has no entry that matches "list*"'],
  [
    'two lists',
    { 'list-a.csv': LIST, 'list-b.csv': LIST, 'stock.csv': STOCK },
    {},
    'several files may be the list (list: list*): list-a.csv, list-b.csv',
  ],
  ['an empty partner', { 'list.csv': LIST, 'stock.csv': '' }, {}, 'stock.csv is empty'],
  ['a partner without rows', { 'list.csv': LIST, 'stock.csv': 'oem;qty\n' }, {}, 'stock.csv has no row'],
  [
    'another file',
    { 'list.csv': LIST, 'stock.csv': 'oem;qty\nX1;1\nX2;2\n' },
    {},
    'stock.csv has none of the parts of the list (2 rows, and 3 of the list, such as ATE 13.0460-2782.2)',
  ],
  [
    'a column that is missing',
    { 'list.csv': LIST, 'stock.csv': STOCK },
    { join: { partners: { stock: { bring: ['Menge'] } } } },
    'stock.csv has no column Menge (feeds.NAME.join.partners.stock.bring; its columns: Artikelnummer, Bestand, Preis)',
  ],
  ['nothing to bring', { 'list.csv': LIST, 'stock.csv': 'oem\nA1\nA2\n' }, {}, 'there is nothing to join'],
])('nothing is taken of a delivery with %s', async (_, files, feed, message) => {
  expect(await refusal(files, feed)).toContain(message);
});

test('a partner whose number is not certain is asked about, with the setting that names it', async () => {
  const stock = 'Bestand;Lager\n5;Nord\n7;Ost\n';
  expect(await whyHeld({ 'list.csv': LIST, 'stock.csv': stock })).toContain(
    'In stock.csv: It is not certain which column has the article number, by which files are joined. Its columns: "Bestand", "Lager"',
  );
  const named = { join: { partners: { stock: { oem: 'Teil-Nr' } } } };
  const { text } = await read({ 'list.csv': LIST, 'stock.csv': 'Teil-Nr;Bestand\n13046027822;5\n1;7\n' }, named);
  expect(text).toContain('13.0460-2782.2;Disc;5');
});

test('a list whose number is not certain is asked about as if it had come alone', async () => {
  const list = 'brand;x;y\nATE;13.0460-2782.2;Disc\nATE;24.0110-0234.1;Pad\n';
  const { result } = await read({ 'list.csv': list, 'stock.csv': STOCK });
  expect(result.joined).toBeUndefined();
  expect(result.validation?.outcome ?? result.unsure).not.toBe('accepted');
});

test('the rows of a supplier are found again as they were sent', async () => {
  const input = delivery({ 'list.csv': LIST, 'stock.csv': STOCK });
  const { detection, name } = await readFile(input);
  const again = { ...input, folder: tempFolder(), entry: name, detection, lines: [3, 4] };
  const cells = await withOriginalRows(again, async ({ rows }) => {
    const found: string[][] = [];
    for await (const row of rows) found.push(row.cells);
    return found;
  });
  expect(cells).toEqual([
    ['ATE', '24.0110-0234.1', 'Pad'],
    ['BOSCH', '0 986 424 797', 'Pad; front'],
  ]);
});

test('a join answers as a Map of part keys does', async () => {
  const number = fc.constantFrom('A1', 'a 1', 'A-2', 'A.2', 'B3', '="B3"', 'Б4', '', 'C 5"', '"5"" X"');
  const list = fc.array(number, { minLength: 1, maxLength: 12 });
  const stock = fc.array(fc.tuple(number, fc.nat(99)), { maxLength: 12 });
  const plain = (cell: string) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.replace(/^="(.*)"$/, '$1');
  await fc.assert(
    fc.asyncProperty(list, stock, async (numbers, partners) => {
      const files = {
        'list.csv': `brand;oem\nATE;A1\n${numbers.map((oem) => `ATE;${oem}\n`).join('')}`,
        'stock.csv': `oem;qty\nA1;100\n${partners.map(([oem, qty]) => `${oem};${qty}\n`).join('')}`,
      };
      const feed = {
        dialect: { delimiter: ';', header: 1 },
        join: { partners: { stock: { dialect: { delimiter: ';', header: 1 } } } },
      };
      const { text, result } = await read(files, feed);
      const known = new Map<string, string>([[partKey('', 'A1'), '100']]);
      for (const [oem, qty] of partners) {
        const key = partKey('', plain(oem));
        if (key !== '\t' && !known.has(key)) known.set(key, String(qty));
      }
      const expected = ['A1', ...numbers].map((oem) => `ATE;${oem};${known.get(partKey('', plain(oem))) ?? ''}`);
      expect(text).toBe(['brand;oem;qty', ...expected, ''].join('\n'));
      const met = new Set(['A1', ...numbers].map((oem) => partKey('', plain(oem))));
      expect(result.joined![0]!.withoutRow).toBe([...known.keys()].filter((key) => !met.has(key)).length);
    }),
    { numRuns: repetitions(300) },
  );
});

test('a large list is joined and read on the fast path, with the same result', async () => {
  const count = Math.ceil((2 * SIZES.fastPath) / 30);
  const row = (at: number) => `ATE;13.${at}-${at % 7};${at % 5 === 0 ? '"Pad; front"' : 'Disc'}\n`;
  const list = `brand;oem;name\n${Array.from({ length: count }, (_, at) => row(at)).join('')}`;
  const stock = `oem;qty\n${Array.from({ length: count }, (_, at) => `13${at * 2}${(at * 2) % 7};${at}\n`).join('')}`;
  const { text, rows, result } = await read({ 'list.csv': list, 'stock.csv': stock });
  expect(rows).toHaveLength(count);
  expect(result.joined).toMatchObject([
    {
      rows: count,
      joined: Math.ceil(count / 2),
      withoutPartner: Math.floor(count / 2),
      withoutRow: Math.floor(count / 2),
    },
  ]);
  const lines = text.split('\n');
  expect(lines[1 + 10]).toBe('ATE;13.10-3;"Pad; front";5');
  expect(lines[1 + 11]).toBe('ATE;13.11-4;Disc;');
});

test('files of many megabytes are joined with a second thread as small ones are', async () => {
  const count = 400_000;
  const rowOf = (at: number) => `ATE;13.${at}-${at % 7};${at % 5 === 0 ? '"Brake disc; front"' : 'Brake disc'}`;
  const rows = Array.from({ length: count }, (_, at) => rowOf(at));
  const parts = Array.from(
    { length: count },
    (_, at) => `13${(at * 7919) % count}${((at * 7919) % count) % 7};${at % 90}`,
  );
  const input = delivery({
    'list.csv': ['brand;oem;name', ...rows, ''].join('\n'),
    'stock.csv': ['oem;qty', ...parts.slice(count / 10), ''].join('\n'),
  });
  const { joined, validation } = await readFile(input);
  expect(validation?.counts.read).toBe(count);
  expect(joined).toMatchObject([
    { rows: 0.9 * count, joined: 0.9 * count, withoutPartner: 0.1 * count, withoutRow: 0 },
  ]);
  const lines = readFileSync(join(input.folder, 'joined.txt'), 'utf8').split('\n');
  const stock = new Map(parts.slice(count / 10).map((line) => line.split(';') as [string, string]));
  const wrong = rows.findIndex((row, at) => lines[at + 1] !== `${row};${stock.get(`13${at}${at % 7}`) ?? ''}`);
  expect(wrong).toBe(-1);
});

test('a joined text that would be larger than a file may be is given up where it is', async () => {
  const rows = Array.from({ length: 20_000 }, () => 'ATE;13.0460;Disc\n').join('');
  const files = {
    'list.csv': `brand;oem;name\n${rows}`,
    'stock.csv': `Artikelnummer;Bestand\n13.0460;${'9'.repeat(5000)}\n`,
  };
  const input = delivery(files);
  const limits = { ...input.settings.limits, fileSize: 2_000_000 };
  await expect(readFile({ ...input, settings: { ...input.settings, limits } })).rejects.toThrow(
    'north.zip has more than 2000000 bytes once its files are joined (limits.fileSize)',
  );
  expect(statSync(join(input.folder, 'joined.txt')).size).toBeLessThan(8_000_000);
});

test('a row with another number of cells is told by what its own file has', async () => {
  const many = Array.from({ length: 3000 }, (_, at) => `BOSCH;1 987 ${100_000 + at};Pads`);
  const list = ['brand;oem;name', 'ATE;13.0460', 'ATE;24.0110;Disc;x;y', ...many, ''].join('\n');
  const { issues } = await read({
    'list.csv': list,
    'stock.csv': 'oem;Bestand;Preis\n13.0460;4;1,90\n24.0110;2;3,90\n',
  });
  expect(issues).toMatchObject([
    { code: 'wrong-cell-count', line: 2, message: expect.stringContaining('has 2 cells instead of 3.') as string },
    { code: 'wrong-cell-count', line: 3, message: expect.stringContaining('has 5 cells instead of 3.') as string },
  ]);
});

test('what others brought behind the columns of a row is no cell of it', async () => {
  const many = Array.from({ length: 100 }, (_, at) => `BOSCH;1 987 ${100_000 + at};Pads`);
  const list = ['brand;oem;name', 'ATE;24.0110;Disc;x;y', ...many, ''].join('\n');
  const { issues } = await read({ 'list.csv': list, 'stock.csv': 'oem;Bestand\n24.0110;2\n' });
  expect(issues).toMatchObject([{ code: 'wrong-cell-count', value: 'ATE;24.0110;Disc;x;y' }]);
});

test('a number alone is an offer of a list of numbers, whether it has a partner or none', async () => {
  const numbers = Array.from({ length: 12 }, (_, at) => `13.${at}`);
  const stock = `oem;Bestand\n${numbers
    .slice(0, 9)
    .map((number) => `${number};1\n`)
    .join('')}`;
  const { result } = await read(
    { 'list.txt': ['oem', ...numbers, 'WXYZ', ''].join('\n'), 'stock.csv': stock },
    { defaults: { brand: 'ATE' } },
  );
  expect(result.validation?.counts).toMatchObject({ read: 13, accepted: 13, skipped: 0 });
});

test('so it is on the fast path', async () => {
  const count = Math.ceil(SIZES.fastPath / 8);
  const numbers = Array.from({ length: count }, (_, at) => `13.${100_000 + at}`);
  const stock = `oem;Bestand\n${numbers.flatMap((number, at) => (at % 2 === 0 ? `${number};1\n` : [])).join('')}`;
  const { result } = await read(
    { 'list.txt': `oem\n${numbers.join('\n')}\n`, 'stock.csv': stock },
    { defaults: { brand: 'ATE' } },
  );
  expect(result.validation?.counts).toMatchObject({ read: count, accepted: count, skipped: 0 });
});

const OTHERS = Array.from({ length: 20 }, (_, at) => `77.${1000 + at};${at}\n`).join('');

test('blank rows of a partner are no rows', async () => {
  const stock = `oem;qty\n13.0460-2782.2;1\n;4\n${OTHERS};\n  ; \n"";""\n\n\0\0\n;\n`;
  const { result } = await read({ 'list.csv': LIST, 'stock.csv': stock });
  expect(result.joined).toMatchObject([{ rows: 22, unusable: 1 }]);
});

test('what is passed over and removed in a partner is said as it is of the list', async () => {
  const { issues, text } = await read({
    'list.csv': LIST,
    'stock.csv': `oem;Bestand\n13.0460\0-2782.2;1\n24.0110-0234.1;2\n${OTHERS}\0\0\0`,
  });
  expect(text).toContain('13.0460-2782.2;Disc;1\n');
  expect(issues).toMatchObject([
    { code: 'bytes-passed-over', file: 'stock.csv', line: null },
    { code: 'control-character', file: 'stock.csv', line: 2, column: 'oem', value: '13.0460\0-2782.2' },
  ]);
});

test('advice about a partner names the settings of the partner', async () => {
  const stock = Buffer.concat([
    Buffer.from('oem;name\n13.0460-2782.2;Br'),
    Buffer.from([0xff]),
    Buffer.from('mse\n24.0110-0234.1;Bremse\n0986424797;Bremse\n'),
  ]);
  const feed = { join: { partners: { stock: { dialect: { charset: 'utf-8' } } } } };
  const { issues } = await read({ 'list.csv': LIST.replaceAll('name', 'text'), 'stock.csv': stock }, feed);
  expect(issues).toMatchObject([
    {
      code: 'undecodable',
      line: 2,
      column: 'name',
      message: expect.stringContaining('set feeds.NAME.join.partners.stock.dialect.charset') as string,
    },
  ]);
  const own = iconv.encode(LIST.replace('Disc', 'D\u0098sc'), 'latin1');
  const { issues: ofList } = await read({ 'list.csv': own, 'stock.csv': STOCK }, { dialect: { charset: 'utf-8' } });
  expect(ofList).toMatchObject([
    { code: 'undecodable', message: expect.stringContaining('set feeds.NAME.dialect.charset') as string },
  ]);
});

test('of a partner with several tables nothing is advised that its list would get', async () => {
  const workbook = new exceljs.Workbook();
  for (const sheet of ['Nord', 'Ost']) {
    workbook.addWorksheet(sheet).addRows([
      ['oem', 'Bestand'],
      ['13.0460-2782.2', sheet.length],
      ['24.0110-0234.1', 2],
      ['0986424797', 3],
    ]);
  }
  const stock = Buffer.from(await workbook.xlsx.writeBuffer());
  const reason = await whyHeld({ 'list.csv': LIST, 'stock.xlsx': stock });
  expect(reason).toContain('In stock.xlsx: Several sheets hold offers: "Nord", "Ost". Ask the supplier');
  expect(reason).not.toContain('feeds.NAME');
});
