import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { expectPlain, goodFile, liveShop } from '../support/bad-input.ts';
import { rawZip } from '../support/raw-zip.ts';

const GOOD = goodFile('B');
/** The beginning of a Windows program: `MZ`, then binary. */
const PROGRAM = Buffer.from(
  `MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff${'\x00'.repeat(200)}PE\x00\x00`,
  'latin1',
);
const WORKBOOK = rawZip([
  { name: '[Content_Types].xml', data: '<Types/>' },
  { name: 'xl/worksheets/sheet1.xml', data: '<worksheet/>' },
]);
const LIMITS = { fileSize: '1MB', unpackedSize: '300KB', unpackRatio: 50, zipEntries: 3 };
const LONG = Buffer.from(Array.from({ length: 40_000 }, (_, at) => `BOSCH;${at * 7919}\n`).join(''));

let world: Awaited<ReturnType<typeof liveShop>>;
beforeAll(async () => {
  world = await liveShop({ limits: LIMITS });
});

test.for<[what: string, name: string, content: string | Buffer, reason: string]>([
  ['an empty file', 'x.csv', '', 'x.csv is empty'],
  ['a file of blank lines', 'x.csv', '\r\n\r\n', 'is empty'],
  ['a header only', 'x.csv', 'brand;oem\n', 'The file has a header (line 1) but no rows.'],
  ['an encrypted zip', 'x.zip', rawZip([{ name: 'a.csv', data: GOOD, flags: 1 }]), '"a.csv" needs a password'],
  ['a broken zip', 'x.zip', rawZip([{ name: 'a.csv', data: GOOD }]).subarray(0, 60), 'broken or truncated zip'],
  ['a zip with a wrong checksum', 'x.zip', rawZip([{ name: 'a.csv', data: GOOD, crc: 1 }]), 'checksum of "a.csv"'],
  ['an empty zip', 'x.zip', rawZip([]), 'x.zip contains no files'],
  [
    'a zip with two texts',
    'x.zip',
    rawZip([
      { name: 'a.csv', data: GOOD },
      { name: 'b.csv', data: GOOD },
    ]),
    'exactly one text file. Its entries: a.csv, b.csv',
  ],
  ['a zip that climbs out', 'x.zip', rawZip([{ name: '../../a.csv', data: GOOD }]), '"../../a.csv"'],
  ['a zip bomb by size', 'x.zip', rawZip([{ name: 'a.csv', data: LONG }]), '300000 bytes (limits.unpackedSize)'],
  ['a zip bomb by ratio', 'x.zip', rawZip([{ name: 'a', data: Buffer.alloc(2e5, 'a') }]), '50 times its packed size'],
  ['a zip bomb by count', 'x.zip', rawZip(['a', 'b', 'c', 'd'].map((name) => ({ name }))), 'more than 3 entries'],
  ['a file over the limit', 'x.csv', Buffer.alloc(1_000_001, 'a'), 'limits.fileSize allows 1000000'],
  ['a gzip cut short', 'x.csv.gz', gzipSync(GOOD).subarray(0, 30), 'x.csv.gz is truncated'],
  ['a program', 'x.csv', PROGRAM, 'x.csv is a Windows program'],
  ['a PDF', 'x.csv', '%PDF-1.7\n1 0 obj\n', 'x.csv is a PDF document'],
  ['a JPEG', 'x.csv', Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF\x00', 'latin1'), 'x.csv is a JPEG picture'],
  ['a workbook without parts', 'x.csv', WORKBOOK, 'x.csv is no Excel workbook: it has no part'],
  ['a web page', 'x.csv', '<!DOCTYPE html><html><title>Sign in</title></html>', 'x.csv is a web page without a table'],
  ['a missing column', 'x.csv', 'oem;name\n1;Pads\n', 'under feeds.north.columns.brand'],
  ['all rows bad', 'x.csv', 'brand;oem\n;1\n;2\n', 'All 2 rows were rejected; most often: brand-empty (2)'],
])('%s: refused by name, nothing uploaded, the last good dataset stays', async ([, name, content, reason]) => {
  const { shop, service } = world;
  const before = await service.offers();
  shop.deliver('north', name, content);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'rejected', status: 3, upload: null });
  expect(answer.reason).toContain(reason);
  expectPlain(answer);
  expect(await service.offers()).toEqual(before);

  shop.deliver('north', name, goodFile(String(before.length)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0, rows: { live: 2 } });
  expect(await service.offers()).toHaveLength(before.length + 1);
});
