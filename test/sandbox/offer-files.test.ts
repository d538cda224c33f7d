import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawZip } from '../support/raw-zip.ts';
import { errorOf, GOOD, idOf, startWorld } from './world.ts';
import { repetitions } from '../support/repetitions.ts';

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const RUSSIAN = 'brand\toem\tname\nЛАДА\t2108-1601130\tДиск сцепления\n';

test.each([
  { file: 'txt is tab separated', name: 'a.txt', content: GOOD, delimiter: '\t' },
  { file: 'CSV is comma separated', name: 'a.CSV', content: 'brand,oem\nA,1\nB,2\n', delimiter: ',' },
  {
    file: 'CSV may have semicolons',
    name: 'a.csv',
    content: 'brand;oem\nA;1\nB;2\n',
    query: '?delimiter=%3B',
    delimiter: ';',
  },
  {
    file: 'a txt may have a delimiter',
    name: 'a.txt',
    content: 'brand,oem\nA,1\nB,2\n',
    query: '?delimiter=,',
    delimiter: ',',
  },
  { file: 'CRLF and blank lines', name: 'a.txt', content: '\r\nbrand\toem\r\nA\t1\r\n\r\nB\t2', delimiter: '\t' },
  { file: 'header in any case', name: 'a.txt', content: ' Brand \tOEM\nA\t1\nB\t2\n', delimiter: '\t' },
])('$file', async ({ name, content, query = '', delimiter }) => {
  const world = await startWorld();
  const offer = await world.uploaded(content, { name, query });
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 2, errorFileExists: false, delimiter });
});

test.each([
  ['UTF-8', Buffer.from(RUSSIAN), ''],
  ['UTF-8', Buffer.from(`\uFEFF${RUSSIAN}`), ''],
  ['UTF-8', Buffer.from(RUSSIAN), '?charsetName=utf-8'],
  ['UTF-16', utf16le(`\uFEFF${RUSSIAN}`), ''],
  ['UTF-16', utf16be(`\uFEFF${RUSSIAN}`), ''],
  ['UTF-16', utf16be(`\uFEFF${RUSSIAN}`), '?charsetName=UTF-16'],
  ['UTF-16', utf16le(RUSSIAN), '?charsetName=UTF-16'],
])('the charset is %s by parameter, by byte order mark, else UTF-8', async (charsetName, content, query) => {
  const world = await startWorld();
  const offer = await world.uploaded(content, { query });
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 1, errorFileExists: false, charsetName });
});

test('a quoted cell of a CSV keeps delimiters and line breaks; lines count physically', async () => {
  const world = await startWorld();
  const { id } = await world.uploaded('brand,oem,name\r\nA,1,"x, ""y""\r\nz"\r\n,2,"p\nq"\r\n', { name: 'a.csv' });
  expect((await world.get('errors', id)).text.split('\n')[1]).toBe('4\tBRAND_EMPTY\tThe brand is empty\t\t2\tp q');
});

test('in a txt a quote is a character like any other', async () => {
  const world = await startWorld();
  const offer = await world.uploaded('brand\toem\tname\nA\t1\t"unclosed\nA\t2\t17" wheel\n');
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 2, errorFileExists: false });
});

test('a zip with one text is unpacked; source is the text', async () => {
  const world = await startWorld();
  const csv = 'brand;oem\nA;1\n';
  const zip = rawZip([{ name: 'prices/' }, { name: '__MACOSX/._a' }, { name: 'prices/a.csv', data: csv }]);
  const { id, ...offer } = await world.uploaded(zip, { name: 'north.zip', query: '?delimiter=;' });
  expect(offer).toMatchObject({ state: 'success', linesProcessed: 1, sourceFile: 'north.zip', delimiter: ';' });
  const source = await world.get('source', id);
  expect(source.text).toBe(csv);
  expect(source.headers.get('content-disposition')).toContain('filename="north.offer"');
});

test.each([
  ['an empty file', 'a.txt', '', 'The file is empty: it has no header row.'],
  ['a file of blank lines', 'a.txt', '\n\n', 'The file is empty: it has no header row.'],
  ['no brand column', 'a.txt', 'oem\tname\n1\tx\n', 'Required column is missing: brand. The header has: oem, name.'],
  ['a doubled column', 'a.txt', 'brand\toem\tBrand\n', 'The column brand occurs more than once.'],
  [
    'undecodable bytes',
    'a.txt',
    Buffer.from('brand\toem\nA\t\xff\n', 'latin1'),
    'The file is not valid text of its charset, somewhere after line 0.',
  ],
  [
    'an unclosed quote',
    'a.csv',
    'brand,oem\nA,"1\n',
    'The text after line 1 cannot be split into columns: Quote Not Closed',
  ],
  ['no zip', 'a.zip', GOOD, 'The file is named .zip but is not a zip archive.'],
  ['an empty zip', 'a.zip', rawZip([]), 'The zip archive holds no file.'],
  [
    'a zip of two texts',
    'a.zip',
    rawZip([
      { name: 'a.txt', data: GOOD },
      { name: 'b.txt', data: GOOD },
    ]),
    'The zip archive holds 2 files; one text file is expected.',
  ],
  [
    'an encrypted zip',
    'a.zip',
    rawZip([{ name: 'a.txt', data: GOOD, flags: 1 }]),
    'a.txt in the zip archive is encrypted.',
  ],
  ['a broken zip', 'a.zip', rawZip([{ name: 'a.txt', data: GOOD }]).subarray(0, 60), 'The zip archive is broken:'],
  [
    'a zip whose entry lies',
    'a.zip',
    rawZip([{ name: 'a.txt', data: GOOD, declaredSize: 10 }]),
    'The zip archive is broken:',
  ],
])('%s fails the upload with its text', async (_, name, content, error) => {
  const world = await startWorld();
  const offer = await world.uploaded(content, { name });
  expect(offer).toMatchObject({ state: 'failed', linesProcessed: 0, errorFileExists: false });
  expect((offer as { error?: string }).error).toContain(error);
  expect((await world.get('errors', offer.id)).status).toBe(404);
});

test('limits on unpacked bytes, on a row and on different tags fail the upload', async () => {
  const world = await startWorld({ settings: { limits: { textBytes: 1000, rowLength: 100, distinctTags: 2 } } });
  const bomb = await world.uploaded(rawZip([{ name: 'a.txt', data: 'x'.repeat(1001) }]), { name: 'a.zip' });
  expect(bomb).toMatchObject({ error: 'a.txt unpacks to 1001 bytes; at most 1000 are allowed.' });
  const long = await world.uploaded(`brand\toem\tname\nA\t1\t${'x'.repeat(101)}\n`);
  expect(long).toMatchObject({ state: 'failed', error: expect.stringContaining('The text after line 1') as string });
  const tags = await world.uploaded('brand\toem\ttags\nA\t1\ta,b\nA\t2\tc\n');
  expect(tags).toMatchObject({ state: 'failed', error: 'The file has more than 2 different tags.' });
});

test('the source of a broken zip cannot be given', async () => {
  const world = await startWorld();
  const { id } = await world.uploaded(rawZip([]), { name: 'a.zip' });
  const reply = await world.get('source', id);
  expect([reply.status, errorOf(reply).message]).toEqual([422, 'The zip archive holds no file.']);
});

test('source and errors are downloads with their suffix and charset', async () => {
  const world = await startWorld();
  const content = utf16le('\uFEFFbrand\toem\nA\t\n');
  const { id } = await world.uploaded(content, { name: 'прайс 1.txt' });
  const source = await fetch(`${world.url()}/us2/public/offer/source?offerId=${id}`);
  expect(Buffer.from(await source.arrayBuffer()).equals(content)).toBe(true);
  expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-16');
  expect(source.headers.get('content-disposition')).toBe(
    'attachment; filename="_____ 1.offer"; filename*=UTF-8\'\'%D0%BF%D1%80%D0%B0%D0%B9%D1%81%201.offer',
  );
  const errors = await world.get('errors', id);
  expect(errors.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(errors.headers.get('content-disposition')).toContain('.errors');
  expect(errors.text).toBe(
    'errorLine\terrorCode\terrorMessage\tbrand\toem\n2\tOEM_EMPTY\tThe article number is empty\tA\t\n',
  );
});

test('listTags gives each tag of the live rows once', async () => {
  const world = await startWorld();
  const offer = await world.uploaded('brand\toem\ttags\nA\t1\tpads, front ,\nA\t2\tpads\n\t3\trejected\n');
  expect((await world.get('listTags', offer.id)).json['data']).toEqual(['front', 'pads']);
});

test('listTags of an upload that is not successful is empty', async () => {
  const world = await startWorld();
  const reply = await world.upload(GOOD);
  await world.settled();
  expect((await world.get('listTags', idOf(reply))).json['data']).toEqual([]);
});

test('any text comes back from source unchanged, and rows are those that were sent', async () => {
  const world = await startWorld({ settings: { oemPattern: '.+' } });
  const cell = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => !/[\t\r\n]/.test(text) && text.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 20 }), async (rows) => {
      const text = `brand\toem\n${rows.map((row) => `${row.join('\t')}\n`).join('')}`;
      const offer = await world.uploaded(text);
      expect(offer).toMatchObject({ state: 'success', linesProcessed: rows.length });
      expect((await world.get('source', offer.id)).text).toBe(text);
    }),
    { numRuns: repetitions(25) },
  );
});
