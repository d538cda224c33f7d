import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canDecode, decodeBytes, decodeText } from '../../src/io/text-decode.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerline-decode-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function decodeFile(bytes: Buffer, charset: string, bom = false): Promise<string> {
  const path = join(folder, 'file.txt');
  await writeFile(path, bytes);
  let text = '';
  for await (const piece of decodeText(path, charset, bom)) text += piece;
  return text;
}

const OFFERS = 'Бренд;Артикул\r\nФильтр 🚗;№ 7\r\n';

test.each(['utf-8', 'utf-16le', 'utf-16be', 'gb18030'])('%s is decoded across chunk borders', async (charset) => {
  const text = OFFERS.repeat(20_000);
  expect(await decodeFile(iconv.encode(text, charset), charset)).toBe(text);
});

test('x-mac-cyrillic is known under its WHATWG name', async () => {
  expect(canDecode('x-mac-cyrillic')).toBe(true);
  expect(await decodeFile(iconv.encode('Фильтр', 'maccyrillic'), 'x-mac-cyrillic')).toBe('Фильтр');
});

test('the byte order mark is removed when there is one', async () => {
  expect(await decodeFile(Buffer.from('\uFEFFbrand', 'utf16le'), 'utf-16le', true)).toBe('brand');
  expect(await decodeFile(Buffer.from('\uFEFFbrand'), 'utf-8', true)).toBe('brand');
});

test('bytes that mean nothing become U+FFFD', () => {
  expect(decodeBytes(Buffer.from([0x61, 0xff, 0x62]), 'utf-8')).toBe('a\uFFFDb');
  expect(decodeBytes(Buffer.from([0x98, 0xe0]), 'windows-1251')).toBe('\uFFFDа');
});

test('half a UTF-16 character and lone surrogates become U+FFFD', () => {
  expect(decodeBytes(Buffer.from([0x61, 0, 0x62]), 'utf-16le')).toBe('a\uFFFD');
  expect(decodeBytes(Buffer.from([0x61, 0, 0, 0xd8, 0x62, 0, 0, 0xd8]), 'utf-16le')).toBe('a\uFFFDb\uFFFD');
});

test('an empty file is an empty text, an unknown charset is refused', async () => {
  expect(await decodeFile(Buffer.alloc(0), 'utf-8')).toBe('');
  await expect(decodeFile(Buffer.from('a'), 'klingon')).rejects.toThrow('Unknown charset "klingon"');
});
