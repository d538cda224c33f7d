import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeOfferRow, encodeOfferText, offerFile, type OfferLayout } from '../../src/compose/offer-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TXT: OfferLayout = { layout: 'txt', delimiter: ',', charset: 'UTF-8' };

async function file(rows: string, offer: OfferLayout): Promise<Buffer> {
  const path = join(tempFolder(), 'rows');
  await writeFile(path, rows);
  const chunks: Buffer[] = [];
  for await (const chunk of offerFile(path, ['brand', 'oem'], offer)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('txt: tabs, no quotes, UTF-8 without a byte order mark', async () => {
  expect((await file('2\tBOSCH\t5" hose\n7\tATE\t\n', TXT)).toString()).toBe('brand\toem\nBOSCH\t5" hose\nATE\t\n');
});

test('csv: quoted where it must be', () => {
  const offer: OfferLayout = { ...TXT, layout: 'csv', delimiter: ';' };
  expect(encodeOfferRow(['a;b', 'say "hi"', 'c,d', ''], offer)).toBe('"a;b";"say ""hi""";c,d;\n');
});

test('UTF-16 is little-endian and begins with one byte order mark', async () => {
  const bytes = await file('2\tЛУКОЙЛ\t1\n', { ...TXT, charset: 'UTF-16' });
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
  expect(bytes.toString('utf16le')).toBe('\uFEFFbrand\toem\nЛУКОЙЛ\t1\n');
  expect(encodeOfferText('a', { ...TXT, charset: 'UTF-16' }, false)).toEqual(Buffer.from('a\0'));
});
