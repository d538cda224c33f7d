import { expect, test } from 'vitest';
import { encodeBytes } from '../../src/io/text-decode.ts';
import { checkUtf8, headOf, markedEncoding } from '../../src/tables/encoding.ts';
import { refusedFor, written } from './written-file.ts';

test('byte order marks and zero bytes name an encoding', () => {
  expect(markedEncoding(Buffer.from('\uFEFF<a/>'))).toEqual({ charset: 'utf-8', bom: true });
  expect(markedEncoding(Buffer.from('\uFEFF<a/>', 'utf16le'))).toEqual({ charset: 'utf-16le', bom: true });
  expect(markedEncoding(Buffer.from('<a/>', 'utf16le'))).toEqual({ charset: 'utf-16le', bom: false });
  expect(markedEncoding(Buffer.from('<a/>', 'utf16le').swap16())).toEqual({ charset: 'utf-16be', bom: false });
  expect(markedEncoding(Buffer.from('<a/>'))).toBeNull();
  expect(markedEncoding(Buffer.alloc(0))).toBeNull();
});

test('the first line with bytes that are not UTF-8 is named, wherever they are', async () => {
  const lines = 'Колодка тормозная\n'.repeat(30_000);
  expect(await checkUtf8(written(lines))).toEqual({ badLine: null, surelyUtf8: true });
  expect(await checkUtf8(written(`${lines}\xE9`))).toEqual({ badLine: null, surelyUtf8: true });
  expect(await checkUtf8(written(Buffer.concat([Buffer.from(lines), Buffer.from([0xe9])])))).toMatchObject({
    badLine: 30_001,
  });
  expect(
    await checkUtf8(written(Buffer.concat([Buffer.from(lines), encodeBytes('Диск\n', 'windows-1251')]))),
  ).toMatchObject({
    badLine: 30_001,
  });
  expect(
    await checkUtf8(written(Buffer.concat([encodeBytes('A\nДиск\n', 'windows-1251'), Buffer.from(lines)]))),
  ).toMatchObject({
    badLine: 2,
  });
});

test('a few characters that happen to be UTF-8 prove nothing', async () => {
  expect(await checkUtf8(written(encodeBytes('её', 'windows-1251')))).toMatchObject({ surelyUtf8: false });
  expect(await checkUtf8(written('ATE'))).toEqual({ badLine: null, surelyUtf8: false });
});

test('the head of a file, and no more of it', async () => {
  expect(String(await headOf(written('12345'), 3))).toBe('123');
  expect(String(await headOf(written(''), 3))).toBe('');
  const input = written('12345', { fileSize: 4 });
  expect(await refusedFor(() => headOf(input, 3) as never)).toMatchObject({ code: 'file-too-large' });
});
