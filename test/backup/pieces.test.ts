import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/archive/folder.ts';
import { namesOf, writeNames } from '../../src/backup/names.ts';
import { readPieces, writePieces } from '../../src/backup/pieces.ts';
import type { PlainRow } from '../../src/ledger/maintenance/snapshot.ts';
import { repetitions } from '../support/repetitions.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TABLE = { name: 'runs', columns: ['id', 'note', 'count'], key: ['id'] };

async function* inPages(rows: PlainRow[], size = 1000): AsyncGenerator<PlainRow[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

async function allOf(rows: AsyncIterable<PlainRow[]>): Promise<PlainRow[]> {
  const all: PlainRow[] = [];
  for await (const some of rows) all.push(...some);
  return all;
}

const rowsOf = (count: number): PlainRow[] =>
  Array.from({ length: count }, (_, at) => [`run-${String(at).padStart(6, '0')}`, `note ${at}`, at]);

test('rows come back as they were, whatever is in them', async () => {
  const files = await openArchive(tempFolder());
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '\u2028', '"', '\0'),
    fc.integer(),
    fc.constant(null),
  );
  const rows = fc.array(fc.tuple(fc.string({ unit: 'binary' }), cell, cell), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (given, size) => {
      const { pieces, rows: count } = await writePieces(TABLE, inPages(given, size), files);
      expect(count).toBe(given.length);
      expect(await allOf(readPieces(TABLE, pieces, files))).toEqual(given);
    }),
    { numRuns: repetitions(200) },
  );
});

test('a row that comes in, changes or goes makes one piece anew, wherever it stands', async () => {
  const files = await openArchive(tempFolder());
  const rows = rowsOf(20_000);
  const before = new Set((await writePieces(TABLE, inPages(rows), files)).pieces);
  expect(before.size).toBeGreaterThan(20);
  const changes: PlainRow[][] = [
    [...rows, ['run-999999', 'new', 1]],
    [...rows.slice(0, 9000), ['run-009000b', 'between', 1], ...rows.slice(9000)],
    rows.map((row, at) => (at === 12_345 ? [row[0]!, 'changed', 7] : row)),
    rows.toSpliced(77, 1),
  ];
  for (const changed of changes) {
    const { pieces } = await writePieces(TABLE, inPages(changed), files);
    // Where the row is the last of its piece, the piece after it changes, too.
    expect(pieces.filter((sha256) => !before.has(sha256)).length).toBeLessThanOrEqual(2);
    expect(await allOf(readPieces(TABLE, pieces, files))).toEqual(changed);
  }
});

test('a table whose keys are all alike in their last bits is still cut into pieces', async () => {
  const files = await openArchive(tempFolder());
  const rows: PlainRow[] = Array.from({ length: 10_000 }, (_, at) => [`${at * 4096}`, '', 0]);
  const { pieces } = await writePieces(TABLE, inPages(rows), files);
  expect(pieces.length).toBeGreaterThan(3);
});

test('a piece that is damaged is named, and gives no row as if it were right', async () => {
  const folder = tempFolder();
  const files = await openArchive(folder);
  const { pieces } = await writePieces(TABLE, inPages(rowsOf(10)), files);
  await files.remove(pieces[0]!);
  await expect(allOf(readPieces(TABLE, pieces, files))).rejects.toMatchObject({
    code: 'archive',
    details: { damage: 'missing' },
  });
});

test('names are sorted, once each, and come back', async () => {
  const files = await openArchive(tempFolder());
  const names = Array.from({ length: 2500 }, (_, at) => at.toString(16).padStart(64, '0'));
  const read = (sha256: string, count: number) =>
    namesOf({ id: 'b', names: sha256, files: count }, { files, where: 'the place' });
  const sha256 = await writeNames([...names.toReversed(), names[3]!], files);
  expect(await read(sha256, 2500)).toEqual(names);
  expect(await read(await writeNames([], files), 0)).toEqual([]);
  await expect(read(sha256, 2499)).rejects.toMatchObject({ code: 'archive' });
});

test('a file that is no piece of the table gives no row', async () => {
  const files = await openArchive(tempFolder());
  const { pieces } = await writePieces({ ...TABLE, name: 'uploads' }, inPages(rowsOf(10)), files);
  const names = await writeNames(pieces, files);
  for (const other of [pieces, [names]]) {
    await expect(allOf(readPieces(TABLE, other, files))).rejects.toMatchObject({
      code: 'archive',
      message: expect.stringContaining('has no rows of the table runs') as string,
    });
  }
});
