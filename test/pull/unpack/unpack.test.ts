import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { configSchema, type Limits } from '../../../src/config/schema/schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { unpack } from '../../../src/pull/unpack/unpack.ts';
import { extraField, rawZip, type RawEntry } from '../../support/raw-zip.ts';

const OFFERS = 'brand;oem;name\r\nBOSCH;0986424797;Колодки\r\n';
const DEFAULTS = configSchema.parse({ logins: {}, feeds: {} }).limits;

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'offerline-unpack-'));
  folder = join(root, 'work');
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true }));

async function unpackBytes(
  bytes: Buffer | string,
  options: { name?: string; limits?: Partial<Limits>; entry?: string } = {},
) {
  const name = options.name ?? 'delivery.zip';
  const path = join(root, name);
  await writeFile(path, bytes);
  const entry = options.entry === undefined ? {} : { entry: options.entry };
  return unpack({ path, name, folder, limits: { ...DEFAULTS, ...options.limits }, ...entry });
}

/** An archive whose offsets are those in a file that has so many bytes before it. */
function countedFrom(zip: Buffer, before: number): Buffer {
  const counted = Buffer.from(zip);
  const entry = 'PK\x01\x02';
  for (let at = zip.indexOf(entry, 0, 'latin1'); at >= 0; at = zip.indexOf(entry, at + 1, 'latin1')) {
    counted.writeUInt32LE(zip.readUInt32LE(at + 42) + before, at + 42);
  }
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  counted.writeUInt32LE(zip.readUInt32LE(end + 16) + before, end + 16);
  return counted;
}

/** An OLE container as far as it is looked at: its signature, and a directory behind other bytes. */
function ole(stream: string, rootClass = ''): Buffer {
  const bytes = Buffer.alloc(200_192);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  const entry = (at: number, name: string, type: number) => {
    bytes.write(name, at, 'utf16le');
    bytes.writeUInt16LE(2 * name.length + 2, at + 64);
    bytes.writeUInt8(type, at + 66);
  };
  entry(199_936, 'Root Entry', 5);
  bytes.write(rootClass, 199_936 + 80, 'hex');
  entry(200_064, stream, 2);
  return bytes;
}

/** A table of one column and one row. */
function dbf(): Buffer {
  const bytes = Buffer.alloc(80, ' ');
  bytes.fill(0, 0, 65);
  bytes.set([3, 126, 11, 23, 1, 0, 0, 0, 65, 0, 15, 0]);
  bytes.write('BRAND\0\0\0\0\0\0C', 32, 'latin1');
  bytes[64] = 0x0d;
  return bytes;
}

/** The code and the message of the refusal, after a look that nothing was left behind. */
async function refusalOf(bytes: Buffer | string, options: Parameters<typeof unpackBytes>[1] = {}) {
  const error: unknown = await unpackBytes(bytes, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof OfferlineError)) throw new Error('expected a refusal', { cause: error });
  expect(error.code).toBe('file-rejected');
  expect(await readdir(folder)).toEqual([]);
  return { code: error.details['code'], message: error.message };
}

async function textOf(bytes: Buffer | string, options: Parameters<typeof unpackBytes>[1] = {}) {
  const { path, name, bytes: size } = await unpackBytes(bytes, options);
  const text = await readFile(path, 'utf8');
  expect(size).toBe(Buffer.byteLength(text));
  return { name, text };
}

describe('a plain file', () => {
  test('stays where it is, whatever its name says', async () => {
    const unpacked = await unpackBytes(OFFERS, { name: 'offers.zip' });
    const bytes = Buffer.byteLength(OFFERS);
    expect(unpacked).toEqual({
      path: join(root, 'offers.zip'),
      name: 'offers.zip',
      bytes,
      format: 'text',
      passedOver: [],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(['utf16le', 'utf16-be', 'windows-1251', 'utf32-le', 'shift_jis'])('in %s is a text', async (charset) => {
    const text = 'Бренд;Артикул\r\nФильтр масляный;7700-274-177\r\n'.repeat(3);
    const unpacked = await unpackBytes(iconv.encode(text, charset), { name: 'offers.csv' });
    expect(unpacked.name).toBe('offers.csv');
  });

  test('with some stray control characters is a text', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `BOSCH;${at}${at % 10 === 0 ? '\0' : ''};name of the part\n`);
    expect((await textOf(rows.join(''))).text).toContain('\0');
  });

  test('of no bytes, or of a byte order mark alone, is refused', async () => {
    expect((await refusalOf('')).code).toBe('file-empty');
    expect((await refusalOf('\uFEFF')).code).toBe('file-empty');
  });

  test('over the size limit is refused', async () => {
    expect((await refusalOf(OFFERS, { limits: { fileSize: 10 } })).code).toBe('file-too-large');
  });

  test('that does not exist is named', async () => {
    const missing = { path: join(root, 'no.csv'), name: 'no.csv', folder, limits: DEFAULTS };
    await expect(unpack(missing)).rejects.toMatchObject({ code: 'not-found' });
    await expect(unpack({ ...missing, path: root })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('what stands around the content is passed over, and said', () => {
  const notice =
    '<br />\n<b>Notice</b>:  Undefined index: brand in <b>/var/www/export.php</b> on line <b>23</b><br />\n';
  const said = 'A message of the program that wrote the file was passed over: “Notice: Undefined index: brand”.';

  test.each([
    ['a list', OFFERS, 'text'],
    ['a document', '[{"brand":"BOSCH"}]', 'json'],
  ])('a message of PHP before %s', async (_, content, format) => {
    const found = await unpackBytes(Buffer.from(notice + content), { name: 'prices.csv' });
    expect(found).toMatchObject({ format, passedOver: [said], bytes: Buffer.byteLength(content) });
    expect(await readFile(found.path, 'utf8')).toBe(content);
  });

  test.each([
    ['NUL bytes', Buffer.alloc(4096), ['4,096 NUL bytes at the end of the file were passed over.']],
    [
      'more of them than are looked at at once',
      Buffer.alloc(200_000),
      ['200,000 NUL bytes at the end of the file were passed over.'],
    ],
    ['one NUL byte', Buffer.alloc(1), ['1 NUL byte at the end of the file was passed over.']],
    ['Ctrl-Z', Buffer.from('\x1a'), ['The mark that ends the file (Ctrl-Z) was passed over.']],
    [
      'Ctrl-Z and padding',
      Buffer.from('\x1a\0\0'),
      ['2 NUL bytes at the end of the file were passed over.', 'The mark that ends the file (Ctrl-Z) was passed over.'],
    ],
  ])('behind a text: %s', async (_, padding, passedOver) => {
    const bytes = Buffer.concat([Buffer.from(OFFERS), padding]);
    expect(await textOf(bytes, { name: 'offers.csv' })).toEqual({ name: 'offers.csv', text: OFFERS });
    expect(await unpackBytes(bytes, { name: 'offers.csv' })).toMatchObject({ passedOver });
  });

  test('the last character of UTF-16 is no padding', async () => {
    const { path } = await unpackBytes(iconv.encode(OFFERS, 'utf16le', { addBOM: true }), { name: 'offers.csv' });
    expect(path).toBe(join(root, 'offers.csv'));
  });

  test.each([
    ['a byte order mark', '\xef\xbb\xbf', '3 bytes before the archive were passed over.'],
    ['an empty line', '\r\n', '2 bytes before the archive were passed over.'],
    [
      'a warning of a server',
      'Warning: Undefined index in /srv/export.php on line 3\n',
      '54 bytes before the archive were passed over.',
    ],
  ])('before a zip: %s', async (_, text, said) => {
    const zip = Buffer.concat([Buffer.from(text, 'latin1'), rawZip([{ name: 'offers.csv', data: OFFERS }])]);
    expect(await textOf(zip)).toEqual({ name: 'offers.csv', text: OFFERS });
    expect((await unpackBytes(zip)).passedOver).toEqual([said]);
  });

  test('before a zip that counts it, as one that extracts itself does', async () => {
    const program = '#!/bin/sh\nunzip -o "$0"\nexit\n';
    const zip = rawZip([
      { name: 'readme.txt', data: 'Prices' },
      { name: 'offers.csv', data: OFFERS },
    ]);
    const file = Buffer.concat([Buffer.from(program), countedFrom(zip, program.length)]);
    expect(await textOf(file, { entry: '*.csv' })).toEqual({ name: 'offers.csv', text: OFFERS });
    expect((await unpackBytes(file, { entry: '*.csv' })).passedOver).toEqual([
      `${program.length} bytes before the archive were passed over.`,
    ]);
  });

  test.each([4092, 4095, 4096])('before a zip: %s bytes', async (bytes) => {
    const zip = Buffer.concat([Buffer.alloc(bytes, 'a'), rawZip([{ name: 'offers.csv', data: OFFERS }])]);
    expect(await textOf(zip)).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test.each([
    ['an empty line', '\r\n', '2 bytes behind the archive were passed over.'],
    ['a comment of a page', '<!-- 0.2 s -->', '14 bytes behind the archive were passed over.'],
    ['the name of its own end', 'PK\x05\x06', '4 bytes behind the archive were passed over.'],
    ['NUL bytes of a tape', '\0'.repeat(10_000), '10,000 bytes behind the archive were passed over.'],
  ])('behind a zip, with and without a byte before it: %s', async (_, text, said) => {
    const zip = Buffer.concat([rawZip([{ name: 'offers.csv', data: OFFERS }]), Buffer.from(text, 'latin1')]);
    expect(await textOf(zip)).toEqual({ name: 'offers.csv', text: OFFERS });
    expect((await unpackBytes(zip)).passedOver).toEqual([said]);
    const before = await unpackBytes(Buffer.concat([Buffer.from('\n'), zip]));
    expect(before.passedOver).toEqual(['1 byte before the archive was passed over.', said]);
  });

  test('behind a zip, as long as a list of its own, is no slip', async () => {
    const zip = Buffer.concat([rawZip([{ name: 'offers.csv', data: OFFERS }]), Buffer.alloc(5000, 'a')]);
    expect((await refusalOf(zip)).code).toBe('zip-broken');
  });

  test('before a gzip', async () => {
    const bytes = Buffer.concat([Buffer.from('\n'), gzipSync(OFFERS)]);
    expect((await textOf(bytes, { name: 'offers.csv.gz' })).text).toBe(OFFERS);
  });
});

test.each([41, 150, 3000])('%s messages of PHP above a list are no lines of it', async (count) => {
  const notice = '\nNotice: Undefined index: price in /srv/export/prices.php on line 7\n';
  const { text } = await textOf(Buffer.from(notice.repeat(count) + OFFERS), { name: 'offers.csv' });
  expect(text).toBe(OFFERS);
});

describe('a list behind which the program that wrote it says that it broke off', () => {
  test.each([
    [
      'PHP',
      '<br />\n<b>Fatal error</b>:  Allowed memory size exhausted in <b>/a.php</b> on line <b>12</b><br />\n',
      'Fatal error: Allowed',
    ],
    [
      'PHP in a terminal',
      '\nPHP Fatal error:  Uncaught Exception: timeout in /a.php:12\nStack trace:\n#0 {main}\n',
      'PHP Fatal error: Unc',
    ],
    ['Python', 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: 1\n', 'Traceback'],
    [
      'ASP',
      '<font face="Arial" size=2>Microsoft OLE DB Provider for SQL Server error \'80040e31\'\nTimeout expired\n',
      'Microsoft OLE DB',
    ],
    ['Java', 'java.lang.OutOfMemoryError: Java heap space\n\tat a.b.C.d(C.java:3)\n', 'java.lang.OutOfMemoryError'],
    [
      'PHP in the middle of a row',
      'BOSCH;2;BraFatal error: Maximum execution time exceeded in /x.php on line 3\n',
      'Fatal error: Max',
    ],
    [
      'a stack of 10 KB',
      `Traceback (most recent call last):\n${'  File "a.py", line 3, in run\n'.repeat(350)}`,
      'Traceback',
    ],
    ['Node', 'Error: read ECONNRESET\n    at TLSWrap.onStreamRead (node:internal/x:217:20)\n', 'Error: read'],
    ['Go', 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:\n', 'panic: runtime'],
    ['Oracle', 'ORA-01555: snapshot too old\n', 'ORA-01555'],
    ['Postgres', 'ERROR:  canceling statement due to conflict with recovery\n', 'ERROR: canceling'],
    ['a proxy', '<html><head><title>504 Gateway Time-out</title></head></html>\n', '504 Gateway Time-out'],
    [
      'a lost connection',
      '<b>Warning</b>:  query(): server has gone away in <b>/x.php</b> on line <b>3</b><br />\n',
      'Warning: query()',
    ],
    [
      'a database',
      'ERROR 2013 (HY000) at line 1: Lost connection to MySQL server during query\n',
      'ERROR 2013 (HY000) at line 1',
    ],
  ])('%s: is refused', async (_, end, shown) => {
    const refused = await refusalOf(Buffer.from(OFFERS + end), { name: 'offers.csv' });
    expect(refused).toMatchObject({ code: 'list-cut', message: expect.stringContaining(shown) as string });
  });

  test.each([
    'BOSCH;1;Fatal error: a game\n',
    'Fatal error: x;1;a row\n',
    'BOSCH;1;"Software\nFatal error: fix guide"\nATE;2;x\n',
    "Microsoft;1;Xbox error '80040e31'\n",
    'org.TerrorError;7;s\n',
    'Notice: prices without VAT\n',
    'Exception;2;Error of the system\n',
  ])('%s is no such end', async (end) => {
    expect((await textOf(Buffer.from(OFFERS + end), { name: 'offers.csv' })).text).toBe(OFFERS + end);
  });
});

describe('a web archive', () => {
  const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
  const archive = (encoding: string, page: string, charset = '; charset="utf-8"') =>
    head('MIME-Version: 1.0', 'Content-Type: multipart/related;', ' boundary="----=_Part"') +
    `------=_Part\r\n${head('Content-Type: text/html')}<html><frameset></frameset></html>\r\n` +
    `------=_Part\r\n${head(`Content-Type: text/html${charset}`, `Content-Transfer-Encoding: ${encoding}`)}${page}\r\n` +
    '------=_Part--\r\n';
  const page = '<html><table><tr><td>Бренд</td><td>OEM=1</td></tr></table></html>';

  test.each([
    [
      'quoted-printable',
      archive('quoted-printable', page.replace('=', '=3D').replace('Бренд', '=D0=91=D1=80=D0=B5=\r\n=D0=BD=D0=B4')),
    ],
    ['base64', archive('base64', Buffer.from(page).toString('base64'))],
    ['8bit', archive('8bit', page)],
    ['8bit', archive('8bit', `<meta charset="utf-8">${page}`, '')],
  ])('in %s is the page with its table', async (_, text) => {
    const unpacked = await unpackBytes(text, { name: 'prices.xls' });
    expect(unpacked).toMatchObject({ name: 'prices.xls', format: 'html' });
    expect(await readFile(unpacked.path, 'utf8')).toContain('<td>Бренд</td><td>OEM=1</td>');
  });

  test('without a table is named', async () => {
    const { code, message } = await refusalOf(archive('8bit', '<html>Sign in</html>'), { name: 'prices.mht' });
    expect(code).toBe('no-table');
    expect(message).toMatch(/is a web archive \(MHTML\) without a table/);
  });
});

describe('binary content is refused and named', () => {
  test.each([
    ['a PDF', '%PDF-1.7\n%âãÏÓ\n', /PDF document/],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /JPEG picture/],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /PNG picture/],
    ['an exe', Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0'), Buffer.alloc(200)]), /Windows program/],
    ['a .doc', ole('WordDocument'), /an old Word document/],
    ['a .msg', ole('__properties_version1.0'), /an Outlook message; save its attachment/],
    ['an .msi', ole('x', '84100c0000000000c000000000000046'), /a Windows installer; do not run it/],
    ['another OLE container', ole('Other'), /an old Office file without a workbook/],
    ['bytes without a signature', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 37) % 256)), /not a text/],
  ])('%s', async (_, bytes, message) => {
    const refused = await refusalOf(bytes, { name: 'prices.csv' });
    expect(refused.code).toBe('binary-file');
    expect(refused.message).toMatch(message);
  });

  test.each([['word/document.xml', /Word document/]])('an Office file with %s', async (name, message) => {
    const refused = await refusalOf(
      rawZip([
        { name: '[Content_Types].xml', data: '<a/>' },
        { name, data: '<a/>' },
      ]),
    );
    expect(refused.code).toBe('binary-file');
    expect(refused.message).toMatch(message);
  });

  test.each([
    ['dbf', dbf()],
    ['slk', Buffer.from('ID;PWXL;N;E\r\nC;Y1;X1;K"brand"\r\nE\r\n')],
    ['text', Buffer.from('ID;Price;Name\r\n1;2;3\r\n')],
    ['xlsb', rawZip([{ name: 'xl/workbook.bin', data: 'x' }])],
  ] as const)('the bytes say that a file is %s', async (format, bytes) => {
    expect(await unpackBytes(bytes, { name: 'prices.csv' })).toMatchObject({ format });
  });

  test('a workbook is no archive, whatever its name says, also inside of one', async () => {
    const workbook = rawZip([
      { name: '[Content_Types].xml', data: '<a/>' },
      { name: 'xl/workbook.xml', data: '<a/>' },
    ]);
    const found = await unpackBytes(workbook, { name: 'prices.csv' });
    expect(found).toEqual({
      path: join(root, 'prices.csv'),
      name: 'prices.csv',
      bytes: workbook.length,
      format: 'xlsx',
      passedOver: [],
    });
    const packed = await unpackBytes(rawZip([{ name: 'list.xlsx', data: workbook }]));
    expect(packed).toMatchObject({ name: 'list.xlsx', bytes: workbook.length, format: 'xlsx', passedOver: [] });
  });

  test('an old workbook is recognised wherever its directory is, and is one of several entries of an archive', async () => {
    for (const bytes of [ole('Workbook'), ole('WORKBOOK'), ole('Book')]) {
      expect(await unpackBytes(bytes, { name: 'prices.csv' })).toMatchObject({ format: 'xls' });
    }
    expect(await unpackBytes(ole('EncryptedPackage'))).toMatchObject({ format: 'xlsx' });
    const stream = Buffer.from('0908080000000010000000000a000000', 'hex');
    expect(await unpackBytes(stream)).toMatchObject({ format: 'xls' });
    const offers = { name: 'offers.csv', data: OFFERS };
    const both = await refusalOf(rawZip([offers, { name: 'list.xls', data: ole('Workbook') }]));
    expect(both.code).toBe('zip-several-entries');
    expect(await textOf(rawZip([offers, { name: 'terms.doc', data: ole('WordDocument') }]))).toMatchObject({
      name: 'offers.csv',
    });
  });

  test('an OpenDocument spreadsheet is no archive; other OpenDocument files are refused', async () => {
    const content = [
      { name: 'content.xml', data: '<a/>' },
      { name: 'META-INF/manifest.xml', data: '<a/>' },
    ];
    const packed = (type: string) =>
      rawZip([{ name: 'mimetype', data: `application/vnd.oasis.opendocument.${type}`, stored: true }, ...content]);
    expect(await unpackBytes(packed('spreadsheet'))).toMatchObject({ format: 'ods' });
    expect(await unpackBytes(packed('spreadsheet-template'))).toMatchObject({ format: 'ods' });
    expect(await unpackBytes(rawZip(content))).toMatchObject({ format: 'ods' });
    expect(await refusalOf(packed('text'))).toEqual({
      code: 'binary-file',
      message: 'delivery.zip is an OpenDocument file, but no spreadsheet; export its table as CSV.',
    });
  });

  test('a text that begins like a program is a text', async () => {
    expect((await textOf('MZ;12;motor\n')).text).toBe('MZ;12;motor\n');
  });

  test.each([
    [
      'with a comment first',
      Buffer.from('<!-- saved by a browser -->\r\n<html><body><table><tr><td>BOSCH</td></tr></table>'),
    ],
    ['in UTF-16', iconv.encode('<!DOCTYPE html><html><title>Sign in</title></html>', 'utf-16le', { addBOM: true })],
    ['that is only a table', Buffer.from('\n <TABLE border="1"><tr><td>BOSCH</td><td>0986</td></tr></TABLE>')],
  ])('a web page %s under the name of a table', async (_, bytes) => {
    expect(await unpackBytes(bytes, { name: 'prices.csv' })).toMatchObject({ format: 'html' });
  });

  test.each([
    ['xml', '<?xml version="1.0"?><prices/>'],
    ['xml', ' <prices><item oem="1"/></prices>'],
    ['json', '[{"oem": "0986"}]'],
    ['json', '\uFEFF{ "items": [] }'],
    ['json', '{"oem":"0986"}\n{"oem":"0987"}\n'],
  ])('%s under the name of a table: %s', async (format, text) => {
    expect(await unpackBytes(Buffer.from(text), { name: 'prices.csv' })).toMatchObject({ format });
  });

  test.each(['<b>ATE</b>;0986\n', '{brand};{oem}\n', '[BOSCH];[0986]\n', '<none>;1\n'])(
    'a text that begins like another format is a text: %j',
    async (text) => {
      expect((await textOf(text)).text).toBe(text);
    },
  );

  test('binary content behind a text beginning', async () => {
    const bytes = Buffer.concat([Buffer.from(OFFERS.repeat(5000)), Buffer.alloc(300_000, 1)]);
    expect((await refusalOf(bytes)).code).toBe('binary-file');
  });
});

describe('a zip', () => {
  test.each([
    ['deflated', {}],
    ['stored', { stored: true }],
  ])('%s gives its text', async (_, entry) => {
    const zip = rawZip([{ name: 'folder/offers.csv', data: OFFERS, ...entry }], 'a comment');
    expect(await textOf(zip, { name: 'a.csv' })).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test.each<[string, Partial<RawEntry>]>([
    ['a data descriptor', { descriptor: 'signed' }],
    ['a data descriptor without signature', { descriptor: 'unsigned' }],
    ['stored data and a descriptor', { descriptor: 'signed', stored: true }],
    ['sizes in 64 bits', { zip64: true }],
    ['an entry comment', { comment: 'PK\x05\x06 looks like an end' }],
  ])('with %s, byte by byte, gives its text', async (_, entry) => {
    const zip = rawZip(
      [
        { name: 'Thumbs.db', data: 'x' },
        { name: 'offers.csv', data: OFFERS, ...entry },
      ],
      'a comment',
    );
    expect(await textOf(zip)).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test('with a name in a Unicode extra field, or marked as UTF-8, is read', async () => {
    const name = Buffer.from('Прайс.csv');
    const legacy = iconv.encode('Прайс.csv', 'cp866');
    const checksum = Buffer.alloc(5, 1);
    checksum.writeUInt32LE(crc32(legacy), 1);
    const extra = extraField(0x7075, Buffer.concat([checksum, name]));
    expect((await textOf(rawZip([{ name: legacy, data: OFFERS, extra }]))).name).toBe('Прайс.csv');
    expect((await textOf(rawZip([{ name, data: OFFERS, flags: 0x800 }]))).name).toBe('Прайс.csv');
  });

  test.each([
    ['with data descriptors', false],
    ['in the zip64 format', true],
  ])('%s gives its text', async (_, forceZip64Format) => {
    const zip = new yazl.ZipFile();
    zip.addReadStream(Readable.from([OFFERS]), 'offers.csv', { forceZip64Format });
    zip.end({ forceZip64Format, comment: '' });
    expect(await textOf(await buffer(zip.outputStream))).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test('ignores folders and what file managers add', async () => {
    const clutter = ['prices/', '__MACOSX/prices/._offers.csv', 'prices/._offers.csv', 'Thumbs.db', '.DS_Store'];
    const entries = [...clutter.map((name) => ({ name })), { name: 'prices/offers.csv', data: OFFERS }];
    expect(await textOf(rawZip(entries))).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test('ignores a picture beside the text', async () => {
    const picture = { name: 'logo.png', data: Buffer.from('89504e470d0a1a0a0000000d', 'hex') };
    expect((await textOf(rawZip([picture, { name: 'offers.csv', data: OFFERS }]))).name).toBe('offers.csv');
  });

  test.each(['ibm866', 'windows-1251', 'utf-8'])('with a name in %s without the flag is read', async (charset) => {
    const name = iconv.encode('Прайс №1 Москва.csv', charset === 'ibm866' ? 'cp866' : charset);
    expect((await textOf(rawZip([{ name, data: OFFERS }]))).name).toBe('Прайс №1 Москва.csv');
  });

  test.each(['Größe é.csv', 'Préis_ü.csv', 'señor.csv'])(
    'with the Western name %s of an old packer is read',
    async (name) => {
      expect((await textOf(rawZip([{ name: iconv.encode(name, 'cp437'), data: OFFERS }]))).name).toBe(name);
    },
  );

  test('with a name in both alphabets is read', async () => {
    const name = 'VAG_Прайс 2026.csv';
    expect((await textOf(rawZip([{ name: iconv.encode(name, 'cp866'), data: OFFERS }]))).name).toBe(name);
  });

  test('with a path in backslashes is read', async () => {
    expect((await textOf(rawZip([{ name: 'out\\prices.csv', data: OFFERS }]))).name).toBe('prices.csv');
  });

  test('with several texts needs a pattern', async () => {
    const zip = rawZip([
      { name: 'prices/offers.csv', data: OFFERS },
      { name: 'prices/stock.txt', data: 'a\tb\n' },
    ]);
    const refused = await refusalOf(zip);
    expect(refused.code).toBe('zip-several-entries');
    expect(refused.message).toContain(
      'prices/offers.csv, prices/stock.txt. Choose one with feeds.NAME.entry, or read several as one list with feeds.NAME.entries.',
    );
    expect((await textOf(zip, { entry: 'OFFERS*' })).text).toBe(OFFERS);
    expect((await textOf(zip, { entry: 'prices/*.csv' })).text).toBe(OFFERS);
  });

  test('without an entry that fits the pattern is refused', async () => {
    const zip = rawZip([{ name: 'offers.csv', data: OFFERS }]);
    for (const packed of [zip, gzipSync(zip), rawZip([{ name: 'inner.zip', data: zip }])]) {
      const refused = await refusalOf(packed, { entry: '*.xml' });
      expect(refused.code).toBe('zip-no-match');
      expect(refused.message).toMatch(/no entry that matches "\*\.xml" \(feeds\.NAME\.entry\).*offers\.csv/);
    }
  });

  test('in a zip or in a gzip is unpacked once more, not three times', async () => {
    const inner = rawZip([{ name: 'offers.csv', data: OFFERS }]);
    const nested = rawZip([{ name: 'inner.zip', data: inner }]);
    expect(await textOf(nested)).toEqual({ name: 'offers.csv', text: OFFERS });
    expect((await textOf(gzipSync(inner))).text).toBe(OFFERS);
    expect((await readdir(folder)).length).toBe(1);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect((await refusalOf(rawZip([{ name: 'outer.zip', data: nested }]))).code).toBe('archive-nested');
  });

  test('in a zip: the pattern chooses outside, or else inside, or in both', async () => {
    const inner = (name: string) =>
      rawZip([
        { name: `${name}.csv`, data: OFFERS },
        { name: `${name}-stock.txt`, data: 'a\tb\n' },
      ]);
    const nested = rawZip([
      { name: 'north.zip', data: inner('north') },
      { name: 'readme.txt', data: 'a' },
    ]);
    expect((await textOf(nested, { entry: '*.csv' })).name).toBe('north.csv');
    expect((await textOf(gzipSync(inner('east')), { entry: '*.csv', name: 'a.gz' })).name).toBe('east.csv');
    const both = rawZip([
      { name: 'north.zip', data: inner('north') },
      { name: 'south.zip', data: inner('south') },
    ]);
    expect((await textOf(both, { entry: '{north.*,north}' })).name).toBe('north.csv');
    const single = rawZip([{ name: 'south.zip', data: rawZip([{ name: 'offers.csv', data: OFFERS }]) }]);
    expect((await textOf(single, { entry: 'south*' })).name).toBe('offers.csv');
  });

  const text = { name: 'offers.csv', data: OFFERS };
  const hostile: [string, string, RawEntry[], Partial<Limits>?][] = [
    ['empty', 'zip-empty', []],
    ['of folders only', 'zip-empty', [{ name: 'a/' }]],
    ['with an empty text', 'file-empty', [{ name: 'offers.csv' }]],
    ['encrypted', 'zip-encrypted', [{ ...text, flags: 1 }]],
    ['strongly encrypted', 'zip-encrypted', [{ ...text, flags: 0x41 }]],
    ['packed by an unknown method', 'zip-method', [{ ...text, method: 12 }]],
    ['with a wrong checksum', 'zip-broken', [{ ...text, crc: 1 }]],
    ['that hides its size', 'zip-broken', [{ ...text, declaredSize: 3 }]],
    ['that claims more than it has', 'zip-broken', [{ ...text, declaredSize: 3000 }]],
    ['with a path upwards', 'zip-traversal', [{ ...text, name: '../../etc/offers.csv' }]],
    ['with a path upwards in Windows style', 'zip-traversal', [{ ...text, name: '..\\offers.csv' }]],
    ['with an absolute path', 'zip-traversal', [{ ...text, name: '/etc/offers.csv' }]],
    ['with a drive letter', 'zip-traversal', [{ ...text, name: 'C:\\offers.csv' }]],
    ['with a symbolic link', 'zip-symlink', [{ ...text, data: '/etc/passwd', attributes: 0xa1ff0000 }]],
    ['with overlapping entries', 'zip-overlap', [text, { ...text, name: 'two.csv', offset: 0 }]],
    ['over the size limit', 'archive-too-large', [text], { unpackedSize: 20 }],
    ['over the ratio limit', 'zip-bomb', [{ ...text, data: 'a'.repeat(2_000_000) }]],
    ['with too many entries', 'zip-bomb', [1, 2, 3].map((at) => ({ name: `${at}.csv`, data: 'a' })), { zipEntries: 2 }],
    ['with a picture only', 'binary-file', [{ name: 'a.csv', data: Buffer.from('ffd8ffe000104a4649', 'hex') }]],
  ];
  test.each(hostile)('%s is refused as %s', async (_, code, entries, limits) => {
    expect((await refusalOf(rawZip(entries), { limits: limits ?? {} })).code).toBe(code);
  });

  test('that claims to reach beyond any file is refused, and nothing is thrown behind our back', async () => {
    const zip = rawZip([{ name: 'offers.csv', data: OFFERS, zip64: true }]);
    const [record, locator] = ['PK\x06\x06', 'PK\x06\x07'].map((mark) => zip.indexOf(mark, 0, 'latin1'));
    for (const field of [record! + 48, record! + 40, record! + 32, locator! + 8, zip.indexOf('PK\x01\x02') + 60]) {
      for (const value of [0xffff_ffff_ffff_ffffn, 0x7fff_ffff_ffff_ffffn, 0x10_0000_0000n]) {
        const broken = Buffer.from(zip);
        broken.writeBigUInt64LE(value, field);
        const ended = await unpackBytes(broken).then(
          ({ name }) => name,
          (error: OfferlineError) => error.details['code'],
        );
        expect(['offers.csv', 'zip-broken', 'zip-empty']).toContain(ended);
      }
    }
  });

  test('cut at any byte is refused as broken', async () => {
    const zip = rawZip([{ name: 'offers.csv', data: OFFERS }]);
    for (let length = 4; length < zip.length; length += 1) {
      expect((await refusalOf(zip.subarray(0, length))).code).toBe('zip-broken');
    }
  });
});

describe('a gzip', () => {
  test('gives its text, named without .gz', async () => {
    expect(await textOf(gzipSync(OFFERS), { name: 'offers.csv.gz' })).toEqual({ name: 'offers.csv', text: OFFERS });
  });

  test('of several members gives all of them', async () => {
    const members = Buffer.concat([gzipSync(OFFERS), gzipSync('ATE;1;a\r\n')]);
    expect((await textOf(members)).text).toBe(`${OFFERS}ATE;1;a\r\n`);
  });

  test('filled up with zeros gives its text, with a zero at the end of its size too', async () => {
    const small = 'x;1\n'.repeat(64);
    for (const text of [OFFERS, small, OFFERS.repeat(20_000)]) {
      for (const zeros of [1, 7, 8, 9, 200_000]) {
        const padded = Buffer.concat([gzipSync(text), Buffer.alloc(zeros)]);
        expect((await textOf(padded, { name: 'offers.csv.gz' })).text).toBe(text);
      }
    }
  });

  test('with foreign bytes behind it is refused, and so is a part behind zeros: no row is lost without a word', async () => {
    for (const zeros of [1, 100_000]) {
      const bytes = Buffer.concat([gzipSync(OFFERS), Buffer.alloc(zeros), gzipSync('ATE;1;a\r\n')]);
      expect((await refusalOf(bytes)).code).toBe('gzip-broken');
    }
    expect((await refusalOf(Buffer.concat([gzipSync(OFFERS), Buffer.from('a foreign end')]))).code).toBe('gzip-broken');
  });

  test('that ends with empty lines is read to its end, whatever size it ends with', async () => {
    for (const length of [10, 13, 26, 32, 2560, 3338]) {
      const text = OFFERS.padEnd(length, 'x').slice(0, length);
      const members = Buffer.concat([gzipSync('brand;oem\n'), gzipSync(text), Buffer.from('\r\n\r\n')]);
      expect((await textOf(members, { name: 'offers.csv.gz' })).text).toBe(`brand;oem\n${text}`);
    }
  });

  test('cut at any byte is refused as truncated', async () => {
    const gzip = gzipSync(OFFERS);
    for (let length = 2; length < gzip.length; length += 1) {
      expect((await refusalOf(gzip.subarray(0, length))).code).toBe('gzip-truncated');
    }
  });

  test('with a wrong checksum, an empty one, one over the limits are refused', async () => {
    const broken = gzipSync(OFFERS);
    broken[broken.length - 6]! ^= 1;
    expect((await refusalOf(broken)).code).toBe('gzip-broken');
    expect((await refusalOf(gzipSync(''))).code).toBe('file-empty');
    expect((await refusalOf(gzipSync(OFFERS), { limits: { unpackedSize: 20 } })).code).toBe('archive-too-large');
    expect((await refusalOf(gzipSync('a'.repeat(3_000_000)))).code).toBe('gzip-bomb');
  });
});

test.runIf(process.platform === 'linux')('a full disk is a fault of the disk, not of the file', async () => {
  const full = { code: 'disk-full', retryable: true };
  for (const packed of [gzipSync(OFFERS), rawZip([{ name: 'offers.csv', data: OFFERS }])]) {
    await symlink('/dev/full', join(folder, 'unpacked-1-delivery.zip'));
    await expect(unpackBytes(packed)).rejects.toMatchObject(full);
    expect(await readdir(folder)).toEqual([]);
  }
});
