import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBeginning, readPieces } from '../../src/io/read-pieces.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('pieces of a file are read from where they are wanted, as far as the file goes', () => {
  const path = join(tempFolder(), 'prices.csv');
  writeFileSync(path, '0123456789');
  expect(readPieces(path, [2, 8, 10], 4).map(String)).toEqual(['2345', '89', '']);
  expect(String(readBeginning(path, 3))).toBe('012');
});

test('a file that is not there is an error', () => {
  expect(() => readBeginning(join(tempFolder(), 'prices.csv'), 1)).toThrow('ENOENT');
});
