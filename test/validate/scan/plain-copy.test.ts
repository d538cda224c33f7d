import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { plainCopy } from '../../../src/validate/scan/plain-copy.ts';
import { sourceOf } from '../../../src/validate/scan/scan-file.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A file with both habits. */
function input(charset: string, bytes = iconv.encode('brand;oem\r\r\nФильтр; "1;2"\r\r\n', charset)) {
  const path = join(tempFolder(), 'prices.csv');
  writeFileSync(path, bytes);
  return { path, detection: dialect({ charset, newline: '\r\r\n', spacedQuotes: true }) };
}

function copyOf(original: ReturnType<typeof input> & { signal?: AbortSignal }, folder: string) {
  return plainCopy(original, sourceOf({ ...original, settings: plainSettings() }), folder);
}

/** What a text of lines that end with CR becomes, read in pieces. */
async function withLineFeeds(text: string, changes = {}) {
  const path = join(tempFolder(), 'prices.csv');
  writeFileSync(path, text);
  const original = { path, detection: dialect({ newline: '\r', ...changes }) };
  await using copy = await copyOf(original, tempFolder());
  return copy === null ? null : readFileSync(copy.path, 'utf8');
}

test('a copy is mended and in UTF-8, and goes when it is disposed of', async () => {
  const folder = tempFolder();
  {
    await using copy = await copyOf(input('windows-1251'), folder);
    expect(readFileSync(copy!.path, 'utf8')).toBe('brand;oem\r\nФильтр;"1;2"\r\n');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('there is none where bytes cannot be decoded, nor once reading was interrupted', async () => {
  const folder = tempFolder();
  expect(await copyOf(input('utf-8', Buffer.from('a;b\r\r\n\xff;c\r\r\n', 'latin1')), folder)).toBe(null);
  expect(await copyOf({ ...input('utf-8'), signal: AbortSignal.abort() }, folder)).toBe(null);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that is not there is an error', async () => {
  await expect(copyOf(input('utf-8'), join(tempFolder(), 'nowhere'))).rejects.toThrow('ENOENT');
});

test('lines that end with CR end with LF in it, where no cell is of several lines', async () => {
  expect(await withLineFeeds('brand;oem\rATE;"1;2"\rhose 5";"a ""b"""\r\r;1')).toBe(
    'brand;oem\nATE;"1;2"\nhose 5";"a ""b"""\n\n;1',
  );
  const long = `brand;oem\r${'ATE;"1;2"\r'.repeat(20_000)}`;
  expect(await withLineFeeds(long)).toBe(long.replaceAll('\r', '\n'));
});

test.each([
  ['a cell of two lines', 'brand;oem\rATE;"1\r2"\r'],
  ['a quote that is not closed', 'brand;oem\rATE;"1\r'],
  ['text behind a quote', 'brand;oem\rATE;"1"2\r'],
  ['blanks before a quote', 'brand;oem\rATE; "1"\r'],
  ['a line feed', 'brand;oem\rATE;1\n2\r'],
  ['a lost character', 'brand;oem\rATE;\ufffd\r'],
  ['one in a last line without an end', 'brand;oem\rATE;\ufffd'],
])('there is no copy of a text with such lines and %s', async (_what, text) => {
  expect(await withLineFeeds(text)).toBe(null);
});

test('there is none where quotes are escaped, or a line is too long', async () => {
  expect(await withLineFeeds(`brand;oem\rATE;"${'x'.repeat(100_000)}"\r`)).toBe(null);
  expect(await withLineFeeds('brand;oem\rATE;"1"\r', { escape: '\\' })).toBe(null);
  expect(await withLineFeeds(`brand;oem\r${'x'.repeat(2_000_000)}`)).toBe(null);
});

test('half of the bytes of the file are counted while it is copied', async () => {
  const meter = new SharedArrayBuffer(16);
  const original = input('windows-1251');
  await using copy = await plainCopy(
    { ...original, meter },
    sourceOf({ ...original, settings: plainSettings() }),
    tempFolder(),
  );
  expect(copy).not.toBe(null);
  expect(new Float64Array(meter)[0]).toBe(statSync(original.path).size / 2);
});
