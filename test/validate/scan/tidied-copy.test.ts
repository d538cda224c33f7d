import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { tidiedCopy } from '../../../src/validate/scan/tidied-copy.ts';
import { dialect } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A file with both habits. */
function input(charset: string, bytes = iconv.encode('brand;oem\r\r\nФильтр; "1;2"\r\r\n', charset)) {
  const path = join(tempFolder(), 'prices.csv');
  writeFileSync(path, bytes);
  return { path, detection: dialect({ charset, newline: '\r\r\n', spacedQuotes: true }) };
}

test('a copy is mended and in UTF-8, and goes when it is disposed of', async () => {
  const folder = tempFolder();
  {
    await using copy = await tidiedCopy(input('windows-1251'), folder);
    expect(readFileSync(copy!.path, 'utf8')).toBe('brand;oem\r\nФильтр;"1;2"\r\n');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('there is none where bytes cannot be decoded, nor once reading was interrupted', async () => {
  const folder = tempFolder();
  expect(await tidiedCopy(input('utf-8', Buffer.from('a;b\r\r\n\xff;c\r\r\n', 'latin1')), folder)).toBe(null);
  expect(await tidiedCopy({ ...input('utf-8'), signal: AbortSignal.abort() }, folder)).toBe(null);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that is not there is an error', async () => {
  await expect(tidiedCopy(input('utf-8'), join(tempFolder(), 'nowhere'))).rejects.toThrow('ENOENT');
});
