import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filledCells } from '../../src/signals/filled-cells.ts';
import { tempFolder } from '../support/temp-folder.ts';

function rowsFile(count: number, name: (at: number) => string): string {
  const path = join(tempFolder(), 'rows.tsv');
  const rows = Array.from({ length: count }, (_, at) => `${at + 2}\tATE\tN${at}\t${name(at)}\t\n`);
  writeFileSync(path, rows.join(''));
  return path;
}

test('the filled cells of a small file are all counted', async () => {
  const path = rowsFile(10, (at) => (at % 2 === 0 ? 'Pads' : ''));
  expect(await filledCells(path, 2)).toEqual({ rows: 10, filled: 5 });
  expect(await filledCells(path, 1)).toEqual({ rows: 10, filled: 10 });
  expect(await filledCells(path, 3)).toEqual({ rows: 10, filled: 0 });
  expect(await filledCells(path, -1)).toBeNull();
});

test('of a large file pieces are looked at that are spread over all of it', async () => {
  // The names are missing in the second half only.
  const path = rowsFile(300_000, (at) => (at < 150_000 ? 'Brake pads' : ''));
  const { rows, filled } = (await filledCells(path, 2))!;
  expect(rows).toBeLessThan(300_000);
  expect(filled / rows).toBeGreaterThan(0.3);
  expect(filled / rows).toBeLessThan(0.6);
});

test('an empty file has no rows', async () => {
  expect(
    await filledCells(
      rowsFile(0, () => ''),
      2,
    ),
  ).toEqual({ rows: 0, filled: 0 });
});
