import { CFB, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { openWithin } from '../../../src/tables/xls/open-xls.ts';
import { readWorkbook } from '../../../src/tables/xls/read-workbook.ts';
import { damaged, random } from '../damage.ts';
import { refusedFor } from '../read-file.ts';
import { label, ole, record, stream5, words } from './biff.ts';
import { madeXls, sheetOf, workbookOf } from './made-xls.ts';

const LIMITS = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };
const RUNS = 400;
const CHILDREN = 24;

const values = Array.from({ length: 60 }, (_row, at) => [`Колодки ${at}`, at, at / 8, at % 2 === 0, null, `OC ${at}`]);
const workbook = workbookOf({ List: sheetOf(values, { 1: '0000', 2: 'dd.mm.yyyy' }), Old: sheetOf([['x', 1]]) });
const packed = CFB.read(write(workbook, { type: 'buffer', bookType: 'biff8', bookSST: true }), {
  type: 'buffer',
}) as object;
const stream8 = Buffer.from((CFB.find(packed, '/Workbook') as { content: Uint8Array }).content);
const oldStream = stream5([record(0x42, words(1251))], { List: [label(0, 0, 'Артикул'), label(1, 1, 'x')] });

/** Reads all rows; what is wrong is said in a sentence. */
async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    for (const { rows } of await readWorkbook({ bytes, name: 'list', codePage: null, limits: LIMITS })) {
      for (const batch of rows()) if (batch.some(({ cells }) => cells.at(-1) === '')) return 'an empty cell at the end';
    }
    return 'read';
  } catch (error) {
    return error instanceof OfferlineError ? error.code : String(error);
  }
}

test.each([
  ['Excel 97', stream8],
  ['Excel 5', oldStream],
])('damaged streams of %s are read or refused', async (_name, stream) => {
  const next = random(20_260_301);
  const outcomes = new Set([await outcomeOf(Buffer.from(stream))]);
  expect([...outcomes]).toEqual(['read']);
  for (let run = 0; run < RUNS; run++) outcomes.add(await outcomeOf(Buffer.from(damaged(stream, next))));
  expect([...outcomes].sort()).toEqual(['file-rejected', 'read']);
});

test('damaged files are read or refused by the child', async () => {
  const next = random(20_260_302);
  const open = openWithin({ file: 50 << 20, memory: 500 << 20, time: 10_000 });
  const files = [madeXls(workbook), ole({ Book: oldStream })];
  const refused = new Set<unknown>();
  for (let run = 0; run < CHILDREN; run++) {
    refused.add((await refusedFor(open, damaged(files[run % 2]!, next)))?.code);
  }
  expect(refused).toContain('workbook-broken');
});
