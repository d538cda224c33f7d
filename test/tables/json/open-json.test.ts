import { expect, test } from 'vitest';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { openJson } from '../../../src/tables/json/open-json.ts';
import { cellsOf, refusedFor, rowsOf, written } from '../written-file.ts';

const ITEMS = `{"ok": true, "data": {"total": 2, "items": [
  {"brand": "BOSCH", "oem": "0986424797", "price": 12.50},
  {"brand": "ATE", "oem": "13.0460-2782.2", "price": null}
]}}`;

function opened(content: string | Uint8Array, records: string | null = null) {
  return openJson({ ...written(content), records });
}

/** How a value is shown. */
async function shown(value: string): Promise<string | undefined> {
  return (await cellsOf(await opened(`[{"oem":"1","a":${value}},{"oem":"2","a":1}]`)))[1]?.[1];
}

test('the array of objects is found, each object is a record', async () => {
  const file = await opened(ITEMS);
  expect(file).toMatchObject({
    tables: [{ name: null, hidden: false }],
    found: { path: '/data/items', records: 2, names: ['brand', 'oem', 'price'] },
  });
  expect(await rowsOf(file)).toEqual([
    { line: 1, cells: ['brand', 'oem', 'price'] },
    { line: 2, cells: ['BOSCH', '0986424797', '12.50'] },
    { line: 3, cells: ['ATE', '13.0460-2782.2'] },
  ]);
});

test.each([
  ['"0012"', '0012'],
  ['4047024', '4047024'],
  ['1.0E+10', '10000000000'],
  ['1.25e-3', '0.00125'],
  ['18446744073709551617', '18446744073709551617'],
  ['12.50', '12.50'],
  ['-0.5', '-0.5'],
  ['1e999999999', '1e999999999'],
  ['true', 'TRUE'],
  ['"a\\u0041\\n\\"b\\""', 'aA\n"b"'],
  ['["A1", 2, null, "B3"]', 'A1,2,B3'],
  ['[[1, 2], [3]]', '1,2,3'],
])('%s is shown as %s', async (value, text) => {
  expect(await shown(value)).toBe(text);
});

test('nested fields have their path, fields of nested arrays are joined', async () => {
  const record = (at: number) => `{"oem": "A${at}", "producer": {"name": "ATE"}, "stock": [{"n": 4}, {"n": 5}]}`;
  expect(await cellsOf(await opened(`[${record(1)}, ${record(2)}]`))).toEqual([
    ['oem', 'producer/name', 'stock/n'],
    ['A1', 'ATE', '4,5'],
    ['A2', 'ATE', '4,5'],
  ]);
});

test('an empty key has a name', async () => {
  expect(await cellsOf(await opened('[{"oem": 1, "": 2}, {"oem": 3, "": 4}]'))).toEqual([
    ['oem', 'unnamed'],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('NDJSON: one object a line, blank lines are none', async () => {
  const file = await opened('{"oem":"A1","n":1}\n\n{"oem":"B2"}\r\n{"oem":"C3","m":[{"x":1}]}');
  expect(file.found).toBeNull();
  expect(await rowsOf(file)).toEqual([
    { line: 1, cells: ['oem', 'n', 'm/x'] },
    { line: 2, cells: ['A1', '1'] },
    { line: 3, cells: ['B2'] },
    { line: 4, cells: ['C3', '', '1'] },
  ]);
});

test.each([
  ['{"a":1}\n{"a":2\n{"a":3}', 'Line 2 of prices is broken JSON: its object is not closed'],
  ['{"a":1}\n{"a":2}\n{"a":}', 'Line 3 of prices is broken JSON: expected a value'],
  ['{"a":1\n{"a":2}', 'Line 1 of prices is broken JSON: its object is not closed'],
  ['{"a":1}\n{"a":2}\n[3]', 'Line 3 of prices is broken JSON: it is no object'],
  ['{"a":1}\n{"a":2}\nOops', 'Line 3 of prices is broken JSON: expected a value'],
])('the broken line of %j is named', async (text, sentence) => {
  expect(await refusedFor(() => opened(text))).toEqual({
    code: 'json-broken',
    message: expect.stringContaining(sentence),
  });
});

test.each([
  ['{"a": [\n  {"b": 1,}\n]}', 'at line 2, column 11'],
  ['[{"b": 1}, {"b": 2}', 'at line 1, column 20'],
  ['[1] 2', 'at line 1, column 5'],
  ['', 'at line 1, column 1'],
  ["[{'b': 1}]", 'at line 1, column 3'],
  [`[${'[1],'.repeat(40_000)}`, 'at line 1, column 160002'],
])('broken JSON %# is named with its place', async (text, place) => {
  expect(await refusedFor(() => opened(text))).toEqual({
    code: 'json-broken',
    message: expect.stringContaining(`prices is broken JSON ${place}`),
  });
});

test.each([
  ['{"error": "No access", "code": 403}', 'prices is JSON with the keys "error", "code" in which no array has objects'],
  ['[1, 2, 3]', 'prices is a JSON array in which no array has objects'],
  ['{"items": {"A1": {"price": 1}, "B2": {"price": 2}}}', 'with the keys "items"'],
  ['null', 'prices is JSON in which no array'],
])('JSON of another shape is named: %s', async (text, sentence) => {
  expect(await refusedFor(() => opened(text))).toEqual({
    code: 'no-records',
    message: expect.stringContaining(sentence),
  });
});

test('a setting points to the array; the root has an empty one', async () => {
  expect(
    await cellsOf(await opened('{"a/b": [{"oem": 1}], "c": [{"x": 1, "oem": 2}, {"x": 1, "oem": 2}]}', '/a~1b')),
  ).toEqual([['oem'], ['1']]);
  expect(await cellsOf(await opened('[{"oem": 1}]', ''))).toEqual([['oem'], ['1']]);
  for (const records of ['/data', '', '/data/offers']) {
    expect(await refusedFor(() => opened(ITEMS, records))).toEqual({
      code: 'no-records',
      message: `prices has no records at "${records}" (the setting records). It has 2 records at "/data/items".`,
    });
  }
});

test('a star in a setting is any key: objects by their numbers are records too', async () => {
  const json = '{"items": {"A1": {"price": 1}, "B2": {"price": 2}}}';
  expect(await cellsOf(await opened(json, '/items/*'))).toEqual([['price'], ['1'], ['2']]);
});

test('UTF-8 and UTF-16 are read, other bytes are refused with their line', async () => {
  const text = '[{"имя":"Диск","n":1},\n{"имя":"Ось","n":2}]';
  for (const bytes of [
    text,
    `\uFEFF${text}`,
    encodeBytes(text, 'utf-16le'),
    encodeBytes(`\uFEFF${text}`, 'utf-16be'),
  ]) {
    expect((await cellsOf(await opened(bytes)))[2]).toEqual(['Ось', '2']);
  }
  expect(await refusedFor(() => opened(encodeBytes(text, 'windows-1251')))).toMatchObject({
    code: 'wrong-encoding',
    message: expect.stringContaining('prices is JSON, which is UTF-8, but line 1 has bytes that are not UTF-8'),
  });
});

test('values too deep in one another are refused', async () => {
  expect(await refusedFor(() => opened('['.repeat(200_000)))).toMatchObject({
    message: expect.stringContaining('more than 100 deep'),
  });
});
