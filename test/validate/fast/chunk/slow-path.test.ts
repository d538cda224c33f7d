import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseOnSlowPath } from '../../../../src/validate/fast/chunk/slow-path.ts';
import type { Pool } from '../../../../src/validate/fast/driver/pool.ts';
import { validate } from '../../../../src/validate/validate.ts';
import { dialect, plainSettings } from '../../../support/read-settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What the slow path parses of a file whose first line was loaded. */
async function parseBehindFirstLine(text: string) {
  const path = join(tempFolder(), 'file');
  await writeFile(path, text);
  await using handle = await open(path);
  const scan = { firstLine: 1, rowLength: plainSettings().limits.rowLength, width: null, looseQuotes: false };
  const first = Buffer.from(text.slice(0, text.indexOf('\n') + 1));
  const source = { file: handle.fd, charset: 'utf-8', dialect: dialect(), scan, longestLine: 1_000_000 };
  return parseOnSlowPath(source, { text: first, charset: 'utf-8', line: 1, position: first.length });
}

/** Rows of which nearly every line break is in a cell. */
function rowsOfManyLines(count: number, firstLines: number): string {
  const row = (at: number, lines: number) => `BOSCH;${at};"${`a line of the description of ${at}\n`.repeat(lines)}"\n`;
  return Array.from({ length: count }, (_, at) => row(at, at === 0 ? firstLines : 10)).join('');
}

test('where rows have many lines, not much more than the row that was begun is read behind a chunk', async () => {
  for (let lines = 1; lines <= 20; lines += 1) {
    const parsed = await parseBehindFirstLine(rowsOfManyLines(6000, lines));
    expect(parsed?.beyond).toBeLessThan(500_000);
  }
});

test('where rows have many lines, not much more than the first of them is read before kernels read the rest', async () => {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  const starts: number[] = [];
  const pool: Pool = {
    size: 1,
    parseChunks: ({ start }) => {
      starts.push(start);
      return [];
    },
    pairDuplicates: () => [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const given = { path, rowsPath, issuesPath, detection: dialect(), settings: plainSettings(), pool };
  for (let lines = 1; lines <= 20; lines += 1) {
    await writeFile(path, `brand;oem;name\n${rowsOfManyLines(6000, lines)}`);
    await validate({ ...given, sizes: { fastPath: 0 } });
  }
  expect(starts).toHaveLength(20);
  expect(Math.max(...starts)).toBeLessThan(1_000_000);
});

test('in a file full of unclosed quotes the slow path gives up', async () => {
  expect(await parseBehindFirstLine('A;"x\n'.repeat(2_000_000))).toBeNull();
});

test('a line that is longer than it may be is not read', async () => {
  expect(await parseBehindFirstLine(`A;"x\n${'x'.repeat(3_000_000)}\n`)).toBeNull();
});

test('very many rows may follow a long one', async () => {
  const parsed = await parseBehindFirstLine(`A;"${'x\n'.repeat(200_000)}"\n${'x\n'.repeat(450_000)}`);
  expect(parsed?.rows.length).toBeGreaterThan(100_000);
});
