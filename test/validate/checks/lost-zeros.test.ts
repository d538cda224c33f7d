import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLostZeros, type KeptRows } from '../../../src/validate/checks/lost-zeros.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function rows(cells: string[], columns = ['brand', 'oem', 'name']): KeptRows {
  const path = join(tempFolder(), 'rows.tsv');
  writeFileSync(path, cells.map((row, at) => `${at + 2}\t${row.replaceAll('|', '\t')}\n`).join(''));
  return { path, columns };
}

async function lost(current: KeptRows, earlier: KeptRows): Promise<string[]> {
  const found: string[] = [];
  for await (const { line, code, column, value } of findLostZeros(current, earlier)) {
    found.push(`${line} ${code} ${column} ${value}`);
  }
  return found;
}

test('a number that had leading zeros is named, whatever the spelling of its brand', async () => {
  const earlier = rows(['BOSCH|0986424797|a', 'ATE|007|b', 'ATE|12|c']);
  expect(await lost(rows(['ate|7|b', 'Bosch|986424797|a', 'ATE|12|c']), earlier)).toEqual([
    '2 leading-zero-lost oem 7',
    '3 leading-zero-lost oem 986424797',
  ]);
});

test('columns may have changed their order between the deliveries', async () => {
  expect(await lost(rows(['7|ATE'], ['oem', 'brand']), rows(['ATE|07|b']))).toHaveLength(1);
});

test.each([
  ['another brand', ['BOSCH|7|a'], ['ATE|07|a']],
  ['both spellings are there', ['ATE|7|a', 'ATE|07|a'], ['ATE|07|a']],
  ['the zeros are still there', ['ATE|07|a'], ['ATE|07|a']],
  ['no zero was there', ['ATE|7|a'], ['ATE|7|a']],
  ['a number with letters keeps its zeros', ['ATE|7A|a', 'ATE|9 12|a'], ['ATE|07A|a', 'ATE|09 12|a']],
  ['zeros alone', ['ATE|0|a'], ['ATE|00|a']],
  ['nothing before', ['ATE|7|a'], []],
])('nothing is lost: %s', async (_, current, earlier) => {
  expect(await lost(rows(current), rows(earlier))).toEqual([]);
});

test('many parts are compared', async () => {
  const numbers = Array.from({ length: 50_000 }, (_, at) => at + 1);
  const earlier = rows(numbers.map((number) => `ATE|0${number}|a`));
  const current = rows(numbers.map((number) => `ATE|${number % 1000 === 0 ? '' : '0'}${number}|a`));
  expect(await lost(current, earlier)).toHaveLength(50);
});
