import { write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { prepareRecords } from '../../../src/tables/xls/records.ts';
import { readWorkbook } from '../../../src/tables/xls/read-workbook.ts';
import { readSharedStrings } from '../../../src/tables/xls/shared-strings.ts';
import { label, record, stream5, words } from './biff.ts';
import { sheetOf, workbookOf } from './made-xls.ts';

const LIMITS = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };

async function rowsOf(bytes: Buffer, partBytes: number) {
  const [sheet] = await readWorkbook({ bytes, name: 'list', codePage: null, limits: LIMITS, partBytes });
  return [...sheet!.rows()].flat();
}

test('a table of strings that goes on in other records, and a sheet that is read in parts', async () => {
  const values = Array.from({ length: 400 }, (_row, at) => [`Колодки ${'ä'.repeat(at)}`, `OC ${at}`, at, null, at / 8]);
  const bytes = write(workbookOf({ List: sheetOf(values) }), {
    type: 'buffer',
    bookType: 'biff8',
    bookSST: true,
  }) as Buffer;
  const expected = values.map((row, at) => ({ line: at + 1, cells: row.map((value) => String(value ?? '')) }));
  for (const partBytes of [1, 700, 1e9]) expect(await rowsOf(Buffer.from(bytes), partBytes)).toEqual(expected);
});

test('cells that come column by column are one part: each row has to be whole', async () => {
  const cells = [0, 1].flatMap((column) => [0, 1, 2].map((row) => label(row, column, `${row}/${column}`)));
  const stream = stream5([], { List: cells });
  expect(prepareRecords('list', Buffer.from(stream), null, 1).sheets[0]?.cuts).toHaveLength(2);
  expect(await rowsOf(stream, 1)).toEqual([0, 1, 2].map((row) => ({ line: row + 1, cells: [`${row}/0`, `${row}/1`] })));
  const byRows = stream5([], { List: [0, 1, 2].map((row) => label(row, 0, 'x')) });
  expect(prepareRecords('list', byRows, null, 1).sheets[0]?.cuts).toHaveLength(4);
});

const head = Buffer.alloc(8);

test('a string may change its width where it goes on; runs and phonetics are left out', () => {
  const rich = Buffer.concat([words(2), Buffer.from([8 + 4]), words(1, 6, 0), Buffer.from('AB'), Buffer.alloc(10)]);
  const begun = Buffer.concat([words(5), Buffer.from([0]), Buffer.from('OC ')]);
  const goesOn = Buffer.concat([Buffer.from([1]), Buffer.from('жю', 'utf16le')]);
  expect(readSharedStrings([Buffer.concat([head, rich, begun]), goesOn])).toEqual(['AB', 'OC жю']);
  expect(
    readSharedStrings([Buffer.concat([head, rich.subarray(0, 12)]), Buffer.concat([rich.subarray(12), begun])]),
  ).toEqual(['AB', 'OC ']);
  expect(readSharedStrings([])).toEqual([]);
});

test('what is no cell is skipped before it can do harm', async () => {
  const harm = [
    record(0x1c, words(0xffff, 0xffff, 0, 9)),
    record(0x01b8, words(0, 0xffff, 0, 0xffff), Buffer.alloc(40)),
    record(0x00e5, words(0xffff)),
    record(0x0206, words(0, 2), Buffer.alloc(11, 7)),
    record(0x06, words(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9), Buffer.alloc(9, 0xff)),
  ];
  expect(await rowsOf(stream5([], { List: [label(0, 0, 'x'), ...harm] }), 1)).toEqual([{ line: 1, cells: ['x', '0'] }]);
});
