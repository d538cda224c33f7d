import { expect, test } from 'vitest';
import { readErrorsFile, type ErrorRow } from '../../../src/upload/errors/errors-file.ts';
import { fileOf, utf16 } from '../service-files.ts';

const KEYS = ['brand', 'oem', 'name', 'tags'];

async function read(content: string | Buffer): Promise<Omit<ErrorRow, 'leading' | 'ordinal'>[]> {
  const rows: Omit<ErrorRow, 'leading' | 'ordinal'>[] = [];
  for await (const row of readErrorsFile(fileOf(content), KEYS)) {
    const { code, message, cells } = row;
    rows.push({ code, message, cells });
  }
  return rows;
}

const FULL =
  'errorLine\terrorCode\terrorMessage\tbrand\toem\tname\ttags\n3\tE7\tunknown brand\tNONAME\t12\tPads\ta,b\n';
const FULL_ROW = {
  code: 'E7',
  message: 'unknown brand',
  cells: { brand: 'NONAME', oem: '12', name: 'Pads', tags: 'a,b' },
};

test('code and message are told from the line number and from our columns', async () => {
  expect(await read(FULL)).toEqual([FULL_ROW]);
});

test.each<[string, string | Buffer]>([
  ['CRLF', FULL.replaceAll('\n', '\r\n')],
  ['no line end at the end', FULL.trimEnd()],
  ['empty lines', FULL.replaceAll('\n', '\n\n')],
  ['a UTF-8 byte order mark', `\uFEFF${FULL}`],
  ['UTF-16 LE', utf16(FULL, 'le')],
  ['UTF-16 BE', utf16(FULL, 'be')],
  ['UTF-16 without a byte order mark', Buffer.from(FULL, 'utf16le')],
  [
    'commas, quoted',
    FULL.split('\n')
      .map((line) => line.replaceAll(/[^\t]+/g, '"$&"').replaceAll('\t', ','))
      .join('\n'),
  ],
  ['semicolons', FULL.replaceAll('\t', ';')],
  ['tabs, every cell quoted', FULL.replaceAll(/[^\t\n]+/g, '"$&"')],
  ['other spellings of the header', FULL.replace('brand\toem\tname\ttags', ' Brand\tOEM\tNAME\tTags ')],
  [
    'columns in another order',
    'errorCode\terrorMessage\ttags\tname\toem\tbrand\nE7\tunknown brand\ta,b\tPads\t12\tNONAME\n',
  ],
])('the same is read from a file with %s', async (_what, content) => {
  expect(await read(content)).toEqual([FULL_ROW]);
});

test.each([
  ['one column is the message, whatever its name', 'errorCode\tbrand\toem\nE7\tATE\t1', null, 'E7'],
  ['two columns, code and message', 'код\tописание\tbrand\toem\nE7\tбренд\tATE\t1', 'E7', 'бренд'],
  ['two columns, line and message', 'line\ttext\tbrand\toem\n12\tbad\tATE\t1', null, 'bad'],
  ['two columns, line and code', 'rowNumber\terror_code\tbrand\toem\n12\tE7\tATE\t1', 'E7', 'E7'],
  [
    'extra columns are joined',
    'line\tcode\tfield\tcause\tbrand\toem\n12\tE7\toem\ttoo long\tATE\t1',
    'E7',
    'oem; too long',
  ],
  ['empty ones are left out', 'line\tcode\tfield\tcause\tbrand\toem\n12\tE7\t\ttoo long\tATE\t1', 'E7', 'too long'],
  [
    'a describing column may have the name of one of ours',
    'code\tname\tbrand\toem\tname\nE7\tbad\tATE\t1\tPads',
    'E7',
    'bad',
  ],
  ['none describes', 'brand\toem\nATE\t1', null, ''],
])('%s', async (_what, content, code, message) => {
  expect(await read(content)).toMatchObject([{ code, message, cells: { brand: 'ATE', oem: '1' } }]);
});

test('an optional column that is missing is absent, a cell that is missing is empty', async () => {
  expect(await read('message\tbrand\toem\tname\nbad\tATE\t1\n')).toEqual([
    { code: null, message: 'bad', cells: { brand: 'ATE', oem: '1', name: '' } },
  ]);
});

test('our cells are never told by position', async () => {
  const rows = await read('message\toem\tbrand\nbad\t1\tATE\n');
  expect(rows[0]?.cells).toEqual({ brand: 'ATE', oem: '1' });
});

test('quotes that are part of a cell do not swallow the rows below', async () => {
  const rows = await read(
    'message\tbrand\toem\tname\nbad\t"ATE\t1\t3/4" pipe\nbad\tATE\t2\t"Pads" left\nbad\tATE\t3\t"\n',
  );
  expect(rows.map((row) => [row.cells['brand'], row.cells['oem'], row.cells['name']])).toEqual([
    ['"ATE', '1', '3/4" pipe'],
    ['ATE', '2', '"Pads" left'],
    ['ATE', '3', '"'],
  ]);
});

test('quoted cells of a comma file may hold commas, quotes and line breaks; a message is one line', async () => {
  const [row] = await read('message,brand,oem,name\n"bad, ""very""\nbad",ATE,1,"a,b"\n');
  expect(row).toMatchObject({ message: 'bad, "very" bad', cells: { brand: 'ATE', oem: '1', name: 'a,b' } });
});

test.each([
  ['an error page', '<html><body>Not found</body></html>', 'it begins with "<html><body>Not found</body></html>"'],
  ['a JSON answer', '{"error":{"code":"NO_FILE"}}', 'it begins with'],
  ['nothing', '', 'it is empty'],
  ['an open quote', 'message,brand,oem\n"bad,ATE,1\n', 'cannot be read as a table'],
  ['a line without end', `message\tbrand\toem\n${'x'.repeat(1_500_000)}\n`, 'a line is longer than 1000000 characters'],
  ['other columns', 'Fehler\tMarke\tNummer\nx\ty\tz\n', 'none of our columns in its header: Fehler, Marke, Nummer.'],
])('%s is no table of errors, and that is said', async (_what, content, message) => {
  await expect(read(content)).rejects.toMatchObject({
    code: 'service-reply',
    message: expect.stringContaining(message) as string,
  });
});

test('a file with a header and no row tells of nothing', async () => {
  expect(await read('errorMessage\tbrand\toem\n')).toEqual([]);
});
