import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RowFile } from '../../src/compose/row-file.ts';
import type { IsRejected } from '../../src/compose/rejected-rows.ts';
import { droppedSlices, greatestLosses, trippedSlices, type SliceInput } from '../../src/compose/slices.ts';
import { guardSentence } from '../../src/wording/reasons/guard-reasons.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Rows by feed: `BRAND×count:tags`. */
function rowFile(...groups: [feed: string, brand: string, count: number, tags?: string][]): RowFile {
  const path = join(tempFolder(), 'index');
  const lines = groups.flatMap(([feed, brand, count, tags = '']) =>
    Array.from({ length: count }, (_, at) => `${feed}\t${at + 2}\t${brand}\t${at}\t${tags}\n`),
  );
  writeFileSync(path, lines.join(''));
  return { path, columns: ['brand', 'oem', 'tags'], kind: 'index' };
}

async function found(
  older: RowFile,
  newer: RowFile,
  guard: SliceInput['guard'],
  { without = [], isRejected = null }: { without?: string[]; isRejected?: IsRejected | null } = {},
) {
  const compared = { older, newer, guard, without, tagKey: 'tags', tagSeparator: ',' };
  const drops = await droppedSlices(compared, isRejected);
  const tripped = trippedSlices(drops, guard, { feed: 'north' });
  return { ...drops, text: tripped === null ? null : guardSentence(tripped) };
}

test('a brand that shrank too much is named with its numbers and the setting', async () => {
  const { text, lost } = await found(rowFile(['north', 'ATE', 10]), rowFile(['north', 'ate', 4]), {
    maxBrandDrop: 0.5,
  });
  expect(text).toBe(
    'the brand ATE of the file of north shrank by 60% (from 10 to 4 rows), more than guard.maxBrandDrop (50%)',
  );
  expect(lost).toEqual({ north: 6 });
});

test('a brand that vanished is said to have, the greatest loss first, the others after it', async () => {
  const older = rowFile(['north', 'SKF', 3], ['north', 'ATE', 10], ['north', 'BOSCH', 50]);
  const { text } = await found(older, rowFile(['north', 'BOSCH', 49]), { maxBrandDrop: 0.5 });
  expect(text).toBe(
    'the brand ATE of the file of north vanished (it had 10 rows), more than guard.maxBrandDrop (50%); also brand SKF (3 → 0)',
  );
});

test('tags have a guard of their own, and a row counts once for each of its tags', async () => {
  const older = rowFile(['north', 'ATE', 10, 'sale, new,sale']);
  const newer = rowFile(['north', 'ATE', 9, 'new'], ['north', 'ATE', 1, 'sale']);
  expect((await found(older, newer, { maxBrandDrop: 0 })).text).toBeNull();
  expect((await found(older, newer, { maxTagDrop: 0.3 })).text).toBe(
    'the tag sale of the file of north shrank by 90% (from 10 to 1 rows), more than guard.maxTagDrop (30%)',
  );
});

test.each<[string, RowFile, RowFile]>([
  ['exactly the share', rowFile(['north', 'ATE', 10]), rowFile(['north', 'ATE', 5])],
  ['a new brand', rowFile(['north', 'ATE', 10]), rowFile(['north', 'ATE', 10], ['north', 'SKF', 1])],
  ['nothing before', rowFile(), rowFile(['north', 'ATE', 1])],
])('%s does not trip', async (_what, older, newer) => {
  expect((await found(older, newer, { maxBrandDrop: 0.5, maxTagDrop: 0.5 })).text).toBeNull();
});

test('rows of a feed that a person decided on count on neither side', async () => {
  const older = rowFile(['north', 'ATE', 10], ['south', 'ATE', 10]);
  const newer = rowFile(['south', 'ATE', 9]);
  expect((await found(older, newer, { maxBrandDrop: 0.2 })).lost).toEqual({ north: 10, south: 1 });
  expect((await found(older, newer, { maxBrandDrop: 0.2 }, { without: ['north'] })).text).toBeNull();
});

test('rows of parts that the service rejected count on neither side, for brands and for tags', async () => {
  const older = rowFile(['north', 'ATE', 10, 'sale'], ['north', 'SKF', 4, 'new']);
  const isRejected = (brand: string, oem: string) => brand === 'SKF' || Number(oem) < 5;
  const guard = { maxBrandDrop: 0.2, maxTagDrop: 0.2 };
  expect((await found(older, rowFile(['north', 'ATE', 10, 'sale']), guard, { isRejected })).text).toBeNull();
  const { text, lost } = await found(older, rowFile(['north', 'ATE', 6, 'sale']), guard, { isRejected });
  expect(text).toContain('the brand ATE of the file of north shrank by 80% (from 5 to 1 rows)');
  expect(lost).toEqual({ north: 4 });
});

test('what is beyond five slices is counted', async () => {
  const older = rowFile(...Array.from({ length: 8 }, (_, at): [string, string, number] => ['north', `B${at}`, at + 1]));
  const { text, more } = await found(older, rowFile(), { maxBrandDrop: 0.2 });
  expect(more).toBe(3);
  expect(text).toMatch(/the brand B7 .* also brand B6 \(7 → 0\), .*, 3 more$/);
});

test('the greatest losses are those at which the guards begin to trip', async () => {
  const older = rowFile(['north', 'ATE', 10, 'sale,new'], ['north', 'SKF', 4, 'new'], ['north', 'TRW', 2]);
  const newer = rowFile(['north', 'ATE', 7, 'new'], ['north', 'SKF', 4, 'sale'], ['north', 'NEW', 9, 'other']);
  const isRejected = (brand: string) => brand === 'TRW';
  const compared = { older, newer, without: [], tagKey: 'tags', tagSeparator: ',' };
  const { brand, tag } = await greatestLosses(compared, isRejected);
  expect([brand, tag]).toEqual([0.3, 0.6]);
  expect((await greatestLosses(compared, null)).brand).toBe(1);
  const trips = async (guard: SliceInput['guard']) =>
    (await found(older, newer, guard, { isRejected })).drops.length > 0;
  expect(await trips({ maxBrandDrop: 0.3, maxTagDrop: 0.6 })).toBe(false);
  expect(await trips({ maxBrandDrop: 0.299 })).toBe(true);
  expect(await trips({ maxTagDrop: 0.599 })).toBe(true);
});

test('where there was nothing before, and without a column of tags, nothing is lost', async () => {
  const rows = rowFile(['north', 'ATE', 1, 'sale']);
  const compared = { newer: rows, without: [], tagKey: null, tagSeparator: ',' };
  expect(await greatestLosses({ ...compared, older: rows }, null)).toEqual({ brand: 0, tag: null });
  expect(await greatestLosses({ ...compared, older: rowFile() }, null)).toEqual({ brand: null, tag: null });
});
