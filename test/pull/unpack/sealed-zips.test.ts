import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { configSchema, type Limits } from '../../../src/config/schema/schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { unpackAll } from '../../../src/pull/unpack/unpack-all.ts';
import { unpack } from '../../../src/pull/unpack/unpack.ts';
import { extraField, rawZip, type RawEntry } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/* Archives that other programs wrote: test/fixtures/sealed/README.md says which, and how. */

const FIXTURES = join(import.meta.dirname, '../../fixtures/sealed');
const PASSWORD = 'north-2026';
const OFFERS = readFileSync(join(FIXTURES, 'offers.csv'), 'utf8');
const DEFAULTS = configSchema.parse({ logins: {}, feeds: {} }).limits;

let folder: string;
let path: string;
beforeEach(() => {
  const root = tempFolder();
  folder = join(root, 'work');
  mkdirSync(folder);
  path = join(root, 'delivery.zip');
});

type Options = { password?: string | null; limits?: Partial<Limits>; entry?: string };

function unpackBytes(bytes: Buffer, { password = PASSWORD, limits, entry }: Options = {}) {
  writeFileSync(path, bytes);
  const keys = password === null ? null : { password, pgp: null };
  const input = { path, name: 'delivery.zip', folder, limits: { ...DEFAULTS, ...limits }, keys };
  return unpack(entry === undefined ? input : { ...input, entry });
}

/** The code and the message of the refusal, after a look that nothing was left behind. */
async function refusalOf(bytes: Buffer, options: Options = {}) {
  const error: unknown = await unpackBytes(bytes, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof OfferlineError)) throw new Error('expected a refusal', { cause: error });
  expect(error.code).toBe('file-rejected');
  expect(readdirSync(folder)).toEqual([]);
  expect(error.message).not.toContain(PASSWORD);
  return { code: error.details['code'], message: error.message };
}

const fixture = (name: string) => readFileSync(join(FIXTURES, name));

const ARCHIVES = readdirSync(FIXTURES).filter((name) => name.endsWith('.zip'));
const LISTS = ARCHIVES.filter((name) => !/^(?:bomb|several|cyrillic)/.test(name));
const isAes = (name: string) => name.includes('aes');

test('there are archives of both ciphers, of all lengths of keys, with and without a checksum', () => {
  expect(LISTS.filter(isAes).length).toBeGreaterThanOrEqual(5);
  expect(LISTS.filter((name) => !isAes(name)).length).toBeGreaterThanOrEqual(3);
  const versions = LISTS.filter(isAes).map((name) => {
    const bytes = fixture(name);
    return bytes.readUInt16LE(bytes.lastIndexOf(Buffer.from('01990700', 'hex')) + 4);
  });
  expect(new Set(versions)).toEqual(new Set([1, 2]));
});

test.each(LISTS)('%s gives the list that was packed', async (name) => {
  const unpacked = await unpackBytes(fixture(name));
  expect({ name: unpacked.name, text: readFileSync(unpacked.path, 'utf8') }).toEqual({
    name: 'offers.csv',
    text: OFFERS,
  });
});

test.each(LISTS)('%s needs the password, and the message says where to set it', async (name) => {
  expect(await refusalOf(fixture(name), { password: null })).toEqual({
    code: 'zip-encrypted',
    message:
      'delivery.zip is encrypted: "offers.csv" needs a password. Set feeds.NAME.unpack.password, or ask for a file without one.',
  });
});

test.each(LISTS)('%s does not open with another password', async (name) => {
  for (const password of ['north-2025', 'x', `${PASSWORD} `, 'Пароль']) {
    const refused = await refusalOf(fixture(name), { password });
    expect(refused.code).toBe('wrong-password');
    expect(refused.message).toContain('feeds.NAME.unpack.password');
  }
});

test.each(['ibm866', 'utf8'])('a password in Cyrillic letters opens what was written in %s', async (charset) => {
  const unpacked = await unpackBytes(fixture(`cyrillic-${charset}.zip`), { password: 'Пароль-7' });
  expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
});

test('one of several encrypted entries is chosen, by its content or by its name', async () => {
  const bytes = fixture('several-aes.zip');
  expect((await unpackBytes(bytes)).name).toBe('offers.csv');
  expect((await refusalOf(bytes, { entry: '*.png' })).code).toBe('binary-file');
});

test('several encrypted entries are read as one list, all or none', async () => {
  const all = (password: string | null) => {
    writeFileSync(path, fixture('several-lists-aes.zip'));
    const keys = { password, pgp: null };
    return unpackAll({ path, name: 'delivery.zip', folder, limits: DEFAULTS, keys, entries: 'all' });
  };
  const { files } = await all(PASSWORD);
  expect(files.map(({ name }) => name)).toEqual(['offers.csv', 'second.csv']);
  expect(files.map((file) => readFileSync(file.path, 'utf8'))).toEqual([OFFERS, OFFERS]);
  await expect(all(null)).rejects.toMatchObject({ details: { code: 'zip-encrypted' } });
  await expect(all('another')).rejects.toMatchObject({ details: { code: 'wrong-password' } });
});

test('an entry without a password beside one that has one is taken without it', async () => {
  const mixed = rawZip([
    { name: 'offers.csv', data: 'brand;oem\nBOSCH;1\n' },
    { name: 'terms.txt', data: 'x'.repeat(40), stored: true, flags: 1, declaredSize: 28 },
  ]);
  const unpacked = await unpackBytes(mixed, { password: null, entry: '*.csv' });
  expect(unpacked.name).toBe('offers.csv');
});

/** Where the encrypted data of the only entry is, behind salt and header. */
function dataIn(bytes: Buffer): [number, number] {
  const directory = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  return [start + 18, start + bytes.readUInt32LE(directory + 20)];
}

test.each(LISTS.filter(isAes))('%s that was changed anywhere in its data is damaged', async (name) => {
  const bytes = fixture(name);
  const [from, to] = dataIn(bytes);
  for (let at = from; at < to; at += Math.ceil((to - from) / 12)) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(await refusalOf(changed)).toEqual({
      code: 'zip-broken',
      message: 'delivery.zip is damaged: "offers.csv" was changed after it was encrypted. Ask for the file again.',
    });
  }
});

test('what stands behind the end of packed data does not keep the code from being compared', async () => {
  const bytes = fixture('aes256-7zip.zip');
  const [from, to] = dataIn(bytes);
  const junk = Buffer.alloc(100_000, 1);
  const longer = Buffer.concat([bytes.subarray(0, to - 10), junk, bytes.subarray(to - 10)]);
  const directory = longer.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  for (const at of [18, directory + 20]) longer.writeUInt32LE(bytes.readUInt32LE(18) + junk.length, at);
  const end = longer.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  longer.writeUInt32LE(directory, end + 16);
  longer[from]! ^= 1;
  expect((await refusalOf(longer)).message).toContain('was changed after it was encrypted');
});

test.each(LISTS.filter((name) => !isAes(name)))('%s that was changed is not used', async (name) => {
  const bytes = fixture(name);
  const [, to] = dataIn(bytes);
  for (const at of [to - 1, to - 20, to - 40]) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    const refused = await refusalOf(changed);
    expect(refused.code).toBe('wrong-password');
    expect(refused.message).toContain('is wrong, or "offers.csv" is damaged');
  }
});

test.each(LISTS)('%s cut at any byte is refused', async (name) => {
  const bytes = fixture(name);
  for (let length = 4; length < bytes.length; length += 7) {
    expect((await refusalOf(bytes.subarray(0, length))).code).toBe('zip-broken');
  }
});

test.each(ARCHIVES.filter((name) => name.startsWith('bomb')))('%s is stopped at the limits', async (name) => {
  expect((await refusalOf(fixture(name), { limits: { unpackRatio: 100 } })).code).toBe('zip-bomb');
  expect((await refusalOf(fixture(name), { limits: { unpackedSize: 1000 } })).code).toBe('archive-too-large');
});

/** A directory that says of an entry that it is encrypted by AES. */
function aes(field: string, entry: Partial<RawEntry> = {}): RawEntry {
  const extra = extraField(0x9901, Buffer.from(field, 'hex'));
  return { name: 'offers.csv', data: 'x'.repeat(40), stored: true, flags: 1, method: 99, extra, ...entry };
}

const HOSTILE: [what: string, code: string, entry: RawEntry][] = [
  ['no field of its encryption', 'zip-method', aes('', { extra: Buffer.alloc(0) })],
  ['a field that is too short', 'zip-method', aes('020041450308')],
  ['an unknown version', 'zip-method', aes('03004145030800')],
  ['an unknown vendor', 'zip-method', aes('02004146030800')],
  ['an unknown length of the key', 'zip-method', aes('02004145040800')],
  ['no key at all', 'zip-method', aes('02004145000800')],
  ['an unknown method below its encryption', 'zip-method', aes('02004145030c00')],
  ['encryption below its encryption', 'zip-method', aes('02004145036300')],
  ['no room for a salt', 'zip-broken', aes('02004145030800', { data: 'x' })],
  ['no room for a code', 'zip-broken', aes('02004145030800', { data: 'x'.repeat(27) })],
  ['any bytes', 'wrong-password', aes('02004145030800')],
  ['no room for a header', 'zip-broken', { name: 'offers.csv', data: 'x', flags: 1 }],
];

test.each(HOSTILE)('an entry with %s is refused as %s', async (_, code, entry) => {
  expect((await refusalOf(rawZip([entry]))).code).toBe(code);
});

test('a checksum is demanded of an entry that only claims to be encrypted by AES', async () => {
  const extra = extraField(0x9901, Buffer.from('02004145030800', 'hex'));
  expect((await refusalOf(rawZip([{ name: 'offers.csv', data: OFFERS, crc: 1, extra }]))).code).toBe('zip-broken');
});
