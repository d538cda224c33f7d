import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decodeXml } from '../../../src/service/xml/decode-xml.ts';

const NAME = 'Фильтр масляный';

function document(encoding: string | undefined): string {
  const declared = encoding === undefined ? '' : ` encoding="${encoding}"`;
  return `<?xml version="1.0"${declared}?><Detail name="${NAME}"/>`;
}

test.each([
  ['declares windows-1251', document('windows-1251'), 'windows-1251', 'text/xml'],
  ['declares koi8-r with single quotes', document('koi8-r').replaceAll('"', "'"), 'koi8-r', undefined],
  ['says so in the header field', document(undefined), 'windows-1251', 'text/xml; charset=windows-1251'],
  [
    'declares otherwise than its header field, which counts',
    document('utf-8'),
    'windows-1251',
    'text/xml;charset="CP1251"',
  ],
  ['declares nothing', document(undefined), 'utf-8', 'application/xml'],
  ['is UTF-16 without a mark', document('UTF-16'), 'utf-16le', undefined],
])('a reply that %s is read', (_name, text, charset, contentType) => {
  expect(decodeXml(iconv.encode(text, charset), contentType)).toBe(text);
});

test('a byte order mark counts most, and is left out', () => {
  expect(decodeXml(Buffer.from(`\uFEFF${document('windows-1251')}`), undefined)).toBe(document('windows-1251'));
});

test('an unknown charset is named', () => {
  expect(() => decodeXml(Buffer.from(document('x-mac-klingon')), undefined)).toThrow(
    'it is in the charset "x-mac-klingon", which is not known',
  );
});

test('bytes that do not fit the charset are named', () => {
  const bytes = iconv.encode(document('utf-8'), 'windows-1251');

  expect(() => decodeXml(bytes, undefined)).toThrow('it is said to be in utf-8, but has bytes that are not');
});
