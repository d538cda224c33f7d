import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { configSchema, type Limits } from '../../../src/config/schema/schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { unpackAll, type WantedEntries } from '../../../src/pull/unpack/unpack-all.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DEFAULTS = configSchema.parse({ logins: {}, feeds: {} }).limits;
const ATE = 'brand;oem\nATE;1\n';
const BOSCH = 'brand;oem\nBOSCH;2\n';
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1');

function place(bytes: Buffer | string) {
  const root = tempFolder();
  const folder = join(root, 'work');
  mkdirSync(folder);
  const path = join(root, 'makers.zip');
  writeFileSync(path, bytes);
  return { path, folder };
}

/** The names and texts of the files that are unpacked, and what was left out. */
async function unpacked(bytes: Buffer | string, entries: WantedEntries = 'all', limits: Partial<Limits> = {}) {
  const { path, folder } = place(bytes);
  const found = await unpackAll({ path, name: 'makers.zip', folder, limits: { ...DEFAULTS, ...limits }, entries });
  const texts = found.files.map((file) => [file.name, readFileSync(file.path, 'utf8')]);
  expect(readdirSync(folder)).toHaveLength(found.files.filter((file) => file.path !== path).length);
  return { texts, passedOver: found.passedOver };
}

/** The code and the message of the refusal, after a look that nothing was left behind. */
async function refusalOf(bytes: Buffer | string, entries: WantedEntries = 'all', limits: Partial<Limits> = {}) {
  const { path, folder } = place(bytes);
  const input = { path, name: 'makers.zip', folder, limits: { ...DEFAULTS, ...limits }, entries };
  const error: unknown = await unpackAll(input).catch((thrown: unknown) => thrown);
  if (!(error instanceof OfferlineError)) throw new Error('expected a refusal', { cause: error });
  expect(error.code).toBe('file-rejected');
  expect(readdirSync(folder)).toEqual([]);
  return { code: error.details['code'], message: error.message };
}

test('all files of an archive are unpacked, in the order of their names', async () => {
  const zip = rawZip([
    { name: 'part10.csv', data: BOSCH },
    { name: 'lists/', data: '' },
    { name: 'part2.csv', data: ATE },
    { name: '__MACOSX/._part2.csv', data: 'x' },
    { name: 'logo.png', data: PICTURE },
  ]);
  expect(await unpacked(zip)).toEqual({
    texts: [
      ['part2.csv', ATE],
      ['part10.csv', BOSCH],
    ],
    passedOver: ['The file logo.png is no list and was left out.'],
  });
});

test('patterns choose and order them, whatever packs each by itself', async () => {
  const zip = rawZip([
    { name: 'lists/ate.csv.gz', data: gzipSync(ATE) },
    { name: 'lists/bosch.csv', data: BOSCH },
    { name: 'readme.txt', data: 'Good day.' },
  ]);
  expect((await unpacked(zip, { globs: ['bosch*', '*.csv'] })).texts).toEqual([
    ['lists/bosch.csv', BOSCH],
    ['lists/ate.csv.gz', ATE],
  ]);
  const { code, message } = await refusalOf(zip, { globs: ['*.csv', 'skf*'] });
  expect(code).toBe('zip-no-match');
  expect(message).toBe(
    'makers.zip has no entry that matches "skf*" (feeds.NAME.entries), so nothing of it was taken. ' +
      'Its entries: lists/ate.csv.gz, lists/bosch.csv, readme.txt.',
  );
});

test('files of an archive inside are named with it', async () => {
  const inner = rawZip([{ name: 'ate.csv', data: ATE }]);
  const zip = rawZip([
    { name: 'germany.zip', data: inner },
    { name: 'bosch.csv', data: BOSCH },
  ]);
  expect((await unpacked(zip)).texts).toEqual([
    ['bosch.csv', BOSCH],
    ['germany.zip/ate.csv', ATE],
  ]);
  expect((await unpacked(zip, { names: ['germany.zip/ate.csv'], one: null })).texts).toEqual([
    ['germany.zip/ate.csv', ATE],
  ]);
  expect((await unpacked(gzipSync(inner), { globs: ['*.csv'] })).texts).toEqual([['ate.csv', ATE]]);
  const deeper = rawZip([{ name: 'world.zip', data: rawZip([{ name: 'germany.zip', data: inner }]) }]);
  expect((await refusalOf(deeper)).code).toBe('archive-nested');
});

test('a file that is no archive is the only one', async () => {
  expect((await unpacked(ATE)).texts).toEqual([['makers.zip', ATE]]);
  expect((await unpacked(gzipSync(ATE))).texts).toEqual([['makers.zip', ATE]]);
});

test.each([
  ['an empty file', { name: 'ate.csv', data: '' }, 'file-empty', 'In makers.zip: ate.csv is empty.'],
  [
    'a program',
    { name: 'ate.exe', data: Buffer.from('7f454c46020101', 'hex') },
    'binary-file',
    'In makers.zip: ate.exe is a program',
  ],
  ['a wrong checksum', { name: 'ate.csv', data: ATE, crc: 1 }, 'zip-broken', 'the checksum of "ate.csv" is wrong'],
  ['broken data', { name: 'ate.csv', data: '\xff\xff', method: 8, stored: true }, 'zip-broken', '"ate.csv"'],
  ['a password', { name: 'ate.csv', data: ATE, flags: 1 }, 'zip-encrypted', '"ate.csv" needs a password'],
  [
    'a list that was cut',
    { name: 'ate.csv', data: `${ATE}PHP Fatal error:  Out of memory in /a.php on line 3\n` },
    'list-cut',
    'In makers.zip: ate.csv is not whole',
  ],
])('%s in an archive is named, and nothing is taken', async (_what, entry, code, words) => {
  const found = await refusalOf(rawZip([{ name: 'bosch.csv', data: BOSCH }, entry]));
  expect(found.code).toBe(code);
  expect(found.message).toContain(words);
});

test('two files of one name are no valid archive', async () => {
  const twice = { name: 'ate.csv', data: ATE };
  expect(await refusalOf(rawZip([twice, twice]))).toMatchObject({
    code: 'zip-broken',
    message: 'makers.zip is not a valid zip file: two of its entries have the name "ate.csv".',
  });
});

test('what an archive unpacks to is limited for all of its files together', async () => {
  const lines = `${ATE}${'ATE;1\n'.repeat(1000)}`;
  const zip = rawZip(['a', 'b', 'c'].map((name) => ({ name: `${name}.csv`, data: lines })));
  const { code, message } = await refusalOf(zip, 'all', { unpackedSize: 2.5 * lines.length });
  expect(code).toBe('archive-too-large');
  expect(message).toContain('makers.zip unpacks to more than');
  expect((await unpacked(zip, 'all', { unpackedSize: 3 * lines.length })).texts).toHaveLength(3);
  expect((await refusalOf(zip, 'all', { zipEntries: 2 })).code).toBe('zip-bomb');
});
