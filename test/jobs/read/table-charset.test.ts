import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { charsetOfText, tableCharset } from '../../../src/jobs/read/table-charset.ts';
import type { Format } from '../../../src/model.ts';
import { dbf } from '../../tables/xls/made-dbf.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const AUTO = { charset: 'auto' };
const [CP866, ANSI, NONE] = [0x65, 0x57, 0];

function charsetOf(bytes: Uint8Array, format: Format, settings = AUTO): Promise<string | null> {
  const path = join(tempFolder(), 'list');
  writeFileSync(path, bytes);
  return tableCharset(path, format, settings);
}

test.each([
  ['ibm866', NONE],
  ['ibm866', ANSI],
  ['windows-1251', NONE],
  ['windows-1251', CP866],
  ['utf-8', NONE],
  ['utf-8', ANSI],
])('a dBase table in %s that names another charset (%i) is known by its texts', async (charset, driver) => {
  expect(await charsetOf(dbf(charset, driver), 'dbf')).toBe(charset);
});

test.each([NONE, ANSI])('texts that begin late in a dBase table count (driver %i)', async (driver) => {
  const table = dbf('ibm866', driver);
  const [head, length] = [table.readUInt16LE(8), table.readUInt16LE(10)];
  const plain = Buffer.from(` ${'ATE'.padEnd(length - 1)}`).subarray(0, length);
  const rows = [...Array.from({ length: 40_000 }, () => plain), table.subarray(head)];
  expect(await charsetOf(Buffer.concat([table.subarray(0, head), ...rows]), 'dbf')).toBe('ibm866');
});

test('a dBase table of ASCII, a workbook, and what is none say what they are written in themselves', async () => {
  const plain = dbf('ibm866', ANSI).map((byte) => (byte > 127 ? 65 : byte));
  expect(await charsetOf(plain, 'dbf')).toBeNull();
  expect(await charsetOf(Buffer.from([3]), 'dbf')).toBeNull();
  expect(await charsetOf(dbf('ibm866'), 'xlsx')).toBeNull();
});

test('a charset that is set counts', async () => {
  expect(await charsetOf(dbf('ibm866'), 'dbf', { charset: 'ibm855' })).toBe('ibm855');
  expect(await charsetOf(Buffer.from(''), 'xls', { charset: 'koi8-r' })).toBe('koi8-r');
});

test.each(['windows-1251', 'utf-8', 'ibm866'])('SYLK in %s is known by its texts', async (charset) => {
  const text = ['ID;PWXL;N;E', 'C;Y1;X1;K"Колодки тормозные"', 'C;Y1;X2;K"Диск"', 'E', ''].join('\r\n');
  expect(await charsetOf(encodeBytes(text, charset), 'slk')).toBe(charset);
});

test('whatever the head of a dBase table says, an answer comes', async () => {
  const table = dbf('ibm866');
  const changes = fc.array(fc.tuple(fc.nat(160), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const changed = Buffer.from(table);
      for (const [at, byte] of all) changed[at] = byte;
      const charset = await charsetOf(changed, 'dbf');
      expect(charset === null || charset.length > 2).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('the charset of a text that is no Unicode is what the settings say, else what its words show', async () => {
  const text = Buffer.from(encodeBytes('Прайс-лист тормозные колодки.csv\nОстатки на складе.csv\n', 'windows-1251'));
  expect(await charsetOfText(text, AUTO)).toBe('windows-1251');
  expect(await charsetOfText(text, { charset: 'ibm866' })).toBe('ibm866');
  // Of such a text a charset of Unicode was set for other files, such as the lists that a manifest names.
  for (const charset of ['utf-8', 'UTF-16', 'utf16le', 'utf-32be', 'UCS-2'])
    expect({ charset, found: await charsetOfText(text, { charset }) }).toEqual({ charset, found: 'windows-1251' });
});
