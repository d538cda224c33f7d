import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { configSchema, type Limits } from '../../../src/config/schema/schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { asksForEntry, listedEntries } from '../../../src/pull/unpack/sealed/seven-zip.ts';
import { unpack } from '../../../src/pull/unpack/unpack.ts';
import { type UnpackedAll, unpackAll, type WantedEntries } from '../../../src/pull/unpack/unpack-all.ts';
import { findProgram, lacks } from '../../support/programs.ts';
import { rawRar, type RawRarEntry } from '../../support/raw-rar.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/* Archives that other programs wrote: test/fixtures/sealed/README.md says which, and how. */

const FIXTURES = join(import.meta.dirname, '../../fixtures/sealed');
const PASSWORD = 'north-2026';
const OFFERS = readFileSync(join(FIXTURES, 'offers.csv'), 'utf8');
const DEFAULTS = configSchema.parse({ logins: {}, feeds: {} }).limits;
const has7z = ['7zz', '7z', '7za'].some((name) => !lacks(name)) && !lacks('prlimit', 'setpriv');
const hasRar = has7z && ['7zz', '7z', '7za'].some(knowsRar);

function knowsRar(name: string): boolean {
  const program = findProgram(name);
  return program !== undefined && /\sRar5?\s/u.test(execFileSync(program, ['i'], { encoding: 'utf8' }));
}

const fixture = (name: string) => readFileSync(join(FIXTURES, name));

let root: string;
let folder: string;
beforeEach(() => {
  root = tempFolder();
  folder = join(root, 'work');
  mkdirSync(folder);
});

type Options = { password?: string | null; limits?: Partial<Limits>; entry?: string; name?: string };

function open(bytes: Buffer, { password = null, limits, entry, name = 'delivery.7z' }: Options = {}) {
  const path = join(root, name);
  writeFileSync(path, bytes);
  const keys = { password, pgp: null };
  const input = { path, name, folder, limits: { ...DEFAULTS, ...limits }, keys };
  return unpack(entry === undefined ? input : { ...input, entry });
}

/** The code and the message of the refusal, after a look that nothing was left behind. */
async function refusalOf(bytes: Buffer, options: Options = {}) {
  const error: unknown = await open(bytes, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof OfferlineError)) throw new Error('expected a refusal', { cause: error });
  expect(error.code).toBe('file-rejected');
  expect(readdirSync(folder)).toEqual([]);
  expect(error.message).not.toContain(PASSWORD);
  return { code: error.details['code'], message: error.message };
}

describe.skipIf(!has7z)('a 7-Zip archive', () => {
  test('gives the list that was packed', async () => {
    const unpacked = await open(fixture('plain.7z'));
    expect({ name: unpacked.name, text: readFileSync(unpacked.path, 'utf8') }).toEqual({
      name: 'offers.csv',
      text: OFFERS,
    });
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each(['sealed.7z', 'sealed-names.7z'])('%s opens with the password alone', async (name) => {
    const unpacked = await open(fixture(name), { password: PASSWORD });
    expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
    const without = await refusalOf(fixture(name));
    expect(without.code).toBe('zip-encrypted');
    expect(without.message).toContain('Set feeds.NAME.unpack.password');
    for (const password of ['north-2025', `${PASSWORD} `]) {
      const wrong = await refusalOf(fixture(name), { password });
      expect(wrong.code).toBe('wrong-password');
      expect(wrong.message).toContain('the password in feeds.NAME.unpack.password does not open');
    }
  });

  test('of several files gives the one list, or the one that is named', async () => {
    expect((await open(fixture('several.7z'))).name).toBe('offers.csv');
    expect((await refusalOf(fixture('several.7z'), { entry: '*.png' })).code).toBe('binary-file');
    expect((await refusalOf(fixture('several.7z'), { entry: '*.txt' })).code).toBe('zip-no-match');
    const several = await refusalOf(fixture('two-lists.7z'));
    expect(several.code).toBe('zip-several-entries');
    expect(several.message).toContain('or read several as one list with feeds.NAME.entries.');
  });

  test('in a zip is opened', async () => {
    const zip = rawZip([{ name: 'inner.7z', data: fixture('plain.7z'), stored: true }]);
    const unpacked = await open(zip, { name: 'delivery.zip' });
    expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
  });

  const names = readdirSync(FIXTURES).filter((name) => name.startsWith('names-'));
  test.each(names)(
    '%s with a name that could be an option or a pattern is read, and nothing else happens',
    async (name) => {
      const unpacked = await open(fixture(name));
      expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
      expect(readdirSync(folder)).toHaveLength(1);
      expect(existsSync(join(folder, 'x'))).toBe(false);
    },
  );

  test.each([
    ['outside.7z', 'zip-traversal'],
    ['link.7z', 'zip-symlink'],
    ['same-name.7z', 'archive-broken'],
  ])('%s is refused', async (name, code) => {
    expect((await refusalOf(fixture(name))).code).toBe(code);
  });

  test('that unpacks to too much is stopped at the limits', async () => {
    expect((await refusalOf(fixture('bomb.7z'), { limits: { unpackRatio: 100 } })).code).toBe('archive-bomb');
    expect((await refusalOf(fixture('bomb.7z'), { limits: { unpackedSize: 1000 } })).code).toBe('archive-too-large');
    expect((await refusalOf(fixture('several.7z'), { limits: { zipEntries: 1 } })).code).toBe('zip-bomb');
  });

  test('that takes too long is stopped', async () => {
    expect((await refusalOf(fixture('plain.7z'), { limits: { readTime: 1 } })).code).toBe('reading-too-long');
  });

  test('cut or changed is refused', async () => {
    const bytes = fixture('plain.7z');
    for (let length = 8; length < bytes.length; length += 23) {
      expect((await refusalOf(bytes.subarray(0, length))).code).toBe('archive-broken');
    }
    for (let at = 6; at < bytes.length; at += 29) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const ended = await open(changed).then(
        ({ path }) => readFileSync(path, 'utf8'),
        (error: OfferlineError) => error.code,
      );
      expect([OFFERS, 'file-rejected']).toContain(ended);
    }
  });
});

describe.skipIf(!has7z)('several lists of a 7-Zip archive', () => {
  const all = async (bytes: Buffer, entries: WantedEntries = 'all', limits: Partial<Limits> = {}) => {
    const path = join(root, 'delivery.7z');
    writeFileSync(path, bytes);
    const keys = { password: PASSWORD, pgp: null };
    return unpackAll({ path, name: 'delivery.7z', folder, limits: { ...DEFAULTS, ...limits }, keys, entries });
  };
  const namesOf = ({ files }: UnpackedAll) => files.map(({ name }) => name);

  test('are unpacked together', async () => {
    const found = await all(fixture('two-lists.7z'));
    expect(namesOf(found)).toEqual(['offers.csv', 'second.csv']);
    expect(readFileSync(found.files[0]!.path, 'utf8')).toBe(OFFERS);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(namesOf(await all(fixture('two-lists.7z'), { globs: ['second*', 'off*'] }))).toEqual([
      'second.csv',
      'offers.csv',
    ]);
  });

  test('are those that are lists, with the password where they need it', async () => {
    const found = await all(fixture('several.7z'));
    expect(found.passedOver).toEqual(['The file logo.png is no list and was left out.']);
    expect(namesOf(found)).toEqual(['offers.csv']);
    expect(namesOf(await all(fixture('sealed-names.7z')))).toEqual(['offers.csv']);
  });

  test('are found in a zip, and named with the archive', async () => {
    const zip = rawZip([
      { name: 'inner.7z', data: fixture('two-lists.7z'), stored: true },
      { name: 'third.csv', data: OFFERS },
    ]);
    expect(namesOf(await all(zip))).toEqual(['inner.7z/offers.csv', 'inner.7z/second.csv', 'third.csv']);
  });

  test.each([
    ['outside.7z', 'zip-traversal'],
    ['link.7z', 'zip-symlink'],
    ['same-name.7z', 'archive-broken'],
    ['bomb.7z', 'archive-bomb'],
  ])('%s is refused, and leaves nothing', async (name, code) => {
    const refused = all(fixture(name), 'all', { unpackRatio: 100 });
    await expect(refused).rejects.toMatchObject({ code: 'file-rejected', details: { code } });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are limited together, and each of the patterns has to fit', async () => {
    const both = 2 * OFFERS.length;
    const limits = { unpackedSize: both - 1 };
    await expect(all(fixture('two-lists.7z'), 'all', limits)).rejects.toMatchObject({ code: 'file-rejected' });
    await expect(all(fixture('two-lists.7z'), { globs: ['offers*', 'third*'] })).rejects.toMatchObject({
      message: expect.stringContaining('has no entry that matches "third*" (feeds.NAME.entries)') as string,
    });
  });
});

test.skipIf(has7z)('without 7-Zip, its archives are refused with what to install', async () => {
  expect(await refusalOf(fixture('plain.7z'))).toEqual({
    code: 'program-missing',
    message:
      'delivery.7z is a 7-Zip archive, which needs a program that is not on this machine. Install 7-Zip (on Debian: apt install 7zip), and run the feed again.',
  });
});

test.skipIf(hasRar)('without 7-Zip’s part for RAR, RAR archives are refused with what to install', async () => {
  const refused = await refusalOf(rawRar([{ name: 'offers.csv', data: OFFERS }]), { name: 'delivery.rar' });
  expect(refused.code).toBe('program-missing');
  expect(refused.message).toContain(
    'delivery.rar is a RAR archive, which needs a program that is not on this machine.',
  );
  expect(refused.message).toContain('7zip-rar');
});

describe.skipIf(!hasRar)('a RAR archive', () => {
  const text = { name: 'offers.csv', data: OFFERS };
  const picture = { name: 'logo.png', data: Buffer.from('89504e470d0a1a0a00', 'hex') };
  const rar = { name: 'delivery.rar' };

  test('gives the one list in it', async () => {
    for (const entries of [[text], [picture, text], [{ ...text, name: 'prices/offers.csv' }]]) {
      const unpacked = await open(rawRar(entries), rar);
      expect({ name: unpacked.name, text: readFileSync(unpacked.path, 'utf8') }).toEqual({
        name: 'offers.csv',
        text: OFFERS,
      });
    }
  });

  test.each(['-o.csv', '@list.csv', '*.csv', '$(touch x).csv', '[x]?.csv', 'a b;c.csv'])('gives %s', async (name) => {
    const unpacked = await open(rawRar([{ ...text, name }]), rar);
    expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  const hostile: [what: string, code: string, entries: RawRarEntry[], limits?: Partial<Limits>][] = [
    ['without files', 'zip-empty', []],
    ['with two lists', 'zip-several-entries', [text, { ...text, name: 'second.csv' }]],
    ['with a path upwards', 'zip-traversal', [{ ...text, name: '../offers.csv' }]],
    ['with an absolute path', 'zip-traversal', [{ ...text, name: '/etc/offers.csv' }]],
    ['with a link', 'zip-symlink', [{ name: 'offers.csv', data: '/etc/passwd', isLink: true }]],
    ['with a wrong checksum', 'archive-broken', [{ ...text, crc: 1 }]],
    ['over the size limit', 'archive-too-large', [text], { unpackedSize: 20 }],
    ['with too many entries', 'zip-bomb', [text, picture], { zipEntries: 1 }],
  ];
  test.each(hostile)('%s is refused as %s', async (_, code, entries, limits) => {
    expect((await refusalOf(rawRar(entries), { ...rar, limits: limits ?? {} })).code).toBe(code);
  });

  test('of several lists is read as one, in the order of their names', async () => {
    const lists = [picture, { ...text, name: 'b.csv' }, { name: 'a.csv', data: 'brand;oem\nATE;1\n' }];
    const path = join(root, 'makers.rar');
    writeFileSync(path, rawRar(lists));
    const input = { path, name: 'makers.rar', folder, limits: DEFAULTS };
    const all = await unpackAll({ ...input, entries: 'all' });
    expect(all.files.map((file) => [file.name, readFileSync(file.path, 'utf8')])).toEqual([
      ['a.csv', 'brand;oem\nATE;1\n'],
      ['b.csv', OFFERS],
    ]);
    expect(all.passedOver).toEqual(['The file logo.png is no list and was left out.']);
    const chosen = await unpackAll({ ...input, entries: { globs: ['b*'] } });
    expect(chosen.files.map(({ name }) => name)).toEqual(['b.csv']);
  });

  test('cut anywhere is refused', async () => {
    const bytes = rawRar([text]);
    for (let length = 8; length < bytes.length - 10; length += 13) {
      expect(['archive-broken', 'zip-empty']).toContain((await refusalOf(bytes.subarray(0, length), rar)).code);
    }
  });
});

test('the list of 7-Zip is read by blocks, of which hostile names cannot make others', () => {
  const text = [
    'Enter password (will not be echoed):\nPath = a = b.csv\nSize = 12\nAttributes = A -rw-r--r--\nEncrypted = -\n',
    'Path = dir\nSize = 0\nAttributes = D drwxr-xr-x\n',
    'Path = link\nSize = 3\nAttributes = A lrwxrwxrwx\n',
    'Path = two\nSize = 5\nPath = other\nSize = 7\nEncrypted = +\n',
    'Size = 1\n',
  ].join('\n');
  const facts = listedEntries(text).map((entry) => Object.values(entry));
  expect(facts).toEqual([
    ['a = b.csv', 12, false, false, false],
    ['dir', 0, true, false, false],
    ['link', 3, false, true, false],
    ['two', 5, false, false, true],
  ]);
});

test('names are given back behind the end of the options', () => {
  const words = asksForEntry('7z', 'packed', '-p@x');
  expect(words.slice(words.indexOf('--'))).toEqual(['--', 'packed', '-p@x']);
  expect(words).toContain('-spd');
});
