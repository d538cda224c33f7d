import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PgpKeys } from '../../../src/config/schema/feed-settings.ts';
import { configSchema, type Limits } from '../../../src/config/schema/schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { isPgp } from '../../../src/pull/unpack/content.ts';
import { gpgSaid } from '../../../src/pull/unpack/sealed/gpg-said.ts';
import { unpackAll } from '../../../src/pull/unpack/unpack-all.ts';
import { unpack } from '../../../src/pull/unpack/unpack.ts';
import { lacks } from '../../support/programs.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/* Keys and messages that GnuPG wrote: test/fixtures/sealed/pgp/make.sh says how. */

const FIXTURES = join(import.meta.dirname, '../../fixtures/sealed/pgp');
const OFFERS = readFileSync(join(FIXTURES, '../offers.csv'), 'utf8');
const PASSPHRASE = 'key-phrase-2026';
const SUPPLIER = join(FIXTURES, 'supplier.pub.asc');
const DEFAULTS = configSchema.parse({ logins: {}, feeds: {} }).limits;
const hasGpg = !lacks('gpg', 'gpg-agent', 'prlimit', 'setpriv');

const fixture = (name: string) => readFileSync(join(FIXTURES, name));
const key = (name: string) => fixture(`${name}.key.asc`).toString();
const OURS = { key: key('ours'), passphrase: PASSPHRASE };
const OPEN = { key: key('open') };

let root: string;
let folder: string;
beforeEach(() => {
  root = tempFolder();
  folder = join(root, 'work');
  mkdirSync(folder);
});

type Options = { pgp?: Partial<PgpKeys>; limits?: Partial<Limits> };

function open(bytes: Buffer | string, name: string, { pgp, limits }: Options = {}) {
  const path = join(root, name);
  writeFileSync(path, bytes);
  const keys = {
    password: null,
    pgp: pgp === undefined ? null : { key: null, passphrase: null, signedBy: null, ...pgp },
  };
  return unpack({ path, name, folder, limits: { ...DEFAULTS, ...limits }, keys });
}

async function textOf(name: string, options: Options = {}) {
  const unpacked = await open(fixture(name), name, options);
  return { name: unpacked.name, text: readFileSync(unpacked.path, 'utf8') };
}

/** The code and the message of the refusal, after a look that nothing was left behind. */
async function refusalOf(bytes: Buffer | string, name: string, options: Options = {}) {
  const error: unknown = await open(bytes, name, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof OfferlineError)) throw new Error('expected a refusal', { cause: error });
  expect(error.code).toBe('file-rejected');
  expect(readdirSync(folder)).toEqual([]);
  expect(error.message).not.toContain(PASSPHRASE);
  return { code: error.details['code'], message: error.message };
}

const refusalOfFixture = (name: string, options: Options = {}) => refusalOf(fixture(name), name, options);

const LIST = { name: 'encrypted.csv', text: OFFERS };

describe.skipIf(!hasGpg)('a PGP message', () => {
  test.each(['encrypted.csv.gpg', 'encrypted.csv.asc'])(
    '%s opens with the private key and its passphrase',
    async (name) => {
      expect(await textOf(name, { pgp: OURS })).toEqual(LIST);
      const before = readdirSync(tmpdir()).filter((entry) => entry.startsWith('offerline-read-'));
      await textOf(name, { pgp: OURS });
      expect(readdirSync(tmpdir()).filter((entry) => entry.startsWith('offerline-read-'))).toEqual(before);
    },
  );

  test.each(['open.csv.gpg', 'uncompressed.csv.gpg', 'signed-encrypted.csv.gpg'])(
    '%s opens with a key without a passphrase',
    async (name) => {
      expect((await textOf(name, { pgp: OPEN })).text).toBe(OFFERS);
    },
  );

  test('that a password encrypts opens with it', async () => {
    expect((await textOf('password.csv.gpg', { pgp: { passphrase: PASSPHRASE } })).text).toBe(OFFERS);
    const wrong = await refusalOfFixture('password.csv.gpg', { pgp: { passphrase: 'another' } });
    expect(wrong.code).toBe('wrong-password');
  });

  test.each(['signed.csv.gpg', 'signed.csv.asc'])('%s, which is signed alone, needs no key', async (name) => {
    expect((await textOf(name)).text).toBe(OFFERS);
  });

  test('in a zip, and around a zip, is opened as well', async () => {
    const zip = rawZip([{ name: 'open.csv.gpg', data: fixture('open.csv.gpg'), stored: true }]);
    const unpacked = await open(zip, 'delivery.zip', { pgp: OPEN });
    expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
  });

  test('around a zip of several lists is opened, and its signature counts for all of them', async () => {
    const path = join(root, 'lists.zip.gpg');
    writeFileSync(path, fixture('signed-lists.zip.gpg'));
    const of = (signedBy: string) => ({ password: null, pgp: { key: null, passphrase: null, signedBy } });
    const all = { path, name: 'lists.zip.gpg', folder, limits: DEFAULTS, entries: 'all' as const };
    const { files } = await unpackAll({ ...all, keys: of(SUPPLIER) });
    expect(files.map(({ name }) => name)).toEqual(['offers.csv', 'second.csv']);
    const plain = { ...all, path: join(root, 'lists.zip') };
    writeFileSync(plain.path, rawZip([{ name: 'a.csv', data: OFFERS }]));
    await expect(unpackAll({ ...plain, keys: of(SUPPLIER) })).rejects.toMatchObject({ details: { code: 'unsigned' } });
  });

  test('without a key is refused with the setting', async () => {
    expect(await refusalOfFixture('encrypted.csv.gpg')).toEqual({
      code: 'pgp-encrypted',
      message:
        'encrypted.csv.gpg is encrypted with PGP. Set feeds.NAME.unpack.pgp.key, or ask for a file that is not encrypted.',
    });
    expect((await refusalOfFixture('password.csv.gpg')).code).toBe('pgp-encrypted');
  });

  test('with a wrong passphrase is refused with the setting', async () => {
    for (const passphrase of ['another', null]) {
      const refused = await refusalOfFixture('encrypted.csv.gpg', { pgp: { ...OURS, passphrase } });
      expect(refused.code).toBe('wrong-password');
      expect(refused.message).toContain('the passphrase in feeds.NAME.unpack.pgp.passphrase');
    }
  });

  test('for another key is refused with the ids of both', async () => {
    const refused = await refusalOfFixture('for-stranger.csv.gpg', { pgp: OPEN });
    expect(refused.code).toBe('wrong-key');
    expect(refused.message).toMatch(
      /is encrypted for the key [0-9A-F]{16}; feeds\.NAME\.unpack\.pgp\.key is the key [0-9A-F]{16}\./u,
    );
  });

  test.each([
    ['a public key', () => readFileSync(SUPPLIER, 'utf8')],
    ['no key', () => 'hush-hush'],
  ])('with %s in place of the private one is refused', async (_, text) => {
    const refused = await refusalOfFixture('open.csv.gpg', { pgp: { key: text() } });
    expect(refused.code).toBe('wrong-key');
    expect(refused.message).toContain('holds no private key');
    expect(refused.message).not.toContain('hush-hush');
  });

  test('that is cut or changed anywhere is refused', async () => {
    const bytes = fixture('open.csv.gpg');
    for (let length = 20; length < bytes.length; length += 97) {
      const { code } = await refusalOf(bytes.subarray(0, length), 'cut.csv.gpg', { pgp: OPEN });
      expect(code).toBe('pgp-broken');
    }
    for (let at = bytes.length - 150; at < bytes.length; at += 37) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect((await refusalOf(changed, 'changed.csv.gpg', { pgp: OPEN })).code).toBe('pgp-broken');
    }
  });

  test('that unpacks to too much is stopped at the limits', async () => {
    expect((await refusalOfFixture('bomb.csv.gpg', { pgp: OPEN, limits: { unpackRatio: 50 } })).code).toBe(
      'archive-bomb',
    );
    expect((await refusalOfFixture('bomb.csv.gpg', { pgp: OPEN, limits: { unpackedSize: 1000 } })).code).toBe(
      'archive-too-large',
    );
  });

  test('that takes too long is stopped', async () => {
    expect((await refusalOfFixture('open.csv.gpg', { pgp: OPEN, limits: { readTime: 1 } })).code).toBe(
      'reading-too-long',
    );
  });

  test('whose name is an option or a command is only a name', async () => {
    for (const name of ['--output=x.gpg', '-o', '$(touch x)', 'a\nb.gpg', "a'b.gpg"]) {
      const unpacked = await open(fixture('open.csv.gpg'), name, { pgp: OPEN });
      expect(readFileSync(unpacked.path, 'utf8')).toBe(OFFERS);
    }
  });
});

describe.skipIf(!hasGpg)('a demanded signature', () => {
  const demanding = (more: Partial<PgpKeys> = {}) => ({ pgp: { signedBy: SUPPLIER, ...more } });

  test.each(['signed.csv.gpg', 'signed.csv.asc'])('%s has it', async (name) => {
    expect((await textOf(name, demanding())).text).toBe(OFFERS);
  });

  test('may be within what is encrypted', async () => {
    expect((await textOf('signed-encrypted.csv.gpg', demanding(OPEN))).text).toBe(OFFERS);
  });

  test.each([
    ['open.csv.gpg', 'unsigned', 'It is not signed'],
    ['stranger-encrypted.csv.gpg', 'wrong-signature', 'cannot be checked, because its key is not known'],
    ['self-signed.csv.gpg', 'wrong-signature', 'It is signed by the key'],
  ])('%s lacks it', async (name, code, why) => {
    const refused = await refusalOfFixture(name, demanding(OPEN));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(why);
    expect(refused.message).toMatch(/demands a signature of the key [0-9A-F]{16}/u);
  });

  test('is not asked for where the message is cut or damaged before it', async () => {
    const bytes = fixture('signed-encrypted.csv.gpg');
    const damaged = Buffer.from(bytes);
    damaged[bytes.length - 30]! ^= 1;
    for (const broken of [bytes.subarray(0, bytes.length - 40), bytes.subarray(0, 300), damaged]) {
      expect((await refusalOf(broken, 'broken.csv.gpg', demanding(OPEN))).code).toBe('pgp-broken');
    }
  });

  test('beside one of a key that is not known does not do', async () => {
    expect((await refusalOfFixture('twice.csv.gpg', demanding())).code).toBe('wrong-signature');
  });

  test('is not that of a text that was changed', async () => {
    const changed = fixture('signed.csv.asc').toString().replace('BOSCH', 'BOSCN');
    const refused = await refusalOf(changed, 'signed.csv.asc', demanding());
    expect(refused).toMatchObject({
      code: 'wrong-signature',
      message: expect.stringContaining('is not that of this file'),
    });
  });

  test('does not sign what stands around it', async () => {
    const signed = fixture('signed.csv.asc').toString();
    expect((await refusalOf(`BOSCH;1;added\n${signed}`, 'before.csv', demanding())).code).toBe('unsigned');
    const behind = await open(`${signed}\nBOSCH;1;added\n`, 'behind.csv', demanding());
    expect(readFileSync(behind.path, 'utf8')).toBe(OFFERS);
    const twice = Buffer.concat([fixture('signed.csv.gpg'), fixture('open.csv.gpg')]);
    const first = await open(twice, 'twice.gpg', demanding(OPEN)).then(
      ({ path }) => readFileSync(path, 'utf8'),
      () => OFFERS,
    );
    expect(first).toBe(OFFERS);
  });

  test('is demanded of files without PGP, too', async () => {
    for (const bytes of [OFFERS, rawZip([{ name: 'a.csv', data: OFFERS }])]) {
      expect((await refusalOf(bytes, 'offers.csv', demanding())).code).toBe('unsigned');
    }
  });

  test.each([
    ['decrypted', ['DECRYPTION_KEY A B u', 'PLAINTEXT 62 0 a'], 'pgp-broken'],
    ['decrypted, and shown to be whole', ['DECRYPTION_KEY A B u', 'PLAINTEXT 62 0 a', 'DECRYPTION_OKAY'], 'unsigned'],
    ['not even said to be a text', [], 'pgp-broken'],
  ])('is demanded even where gpg says that all is well: %s', async (_, said, code) => {
    const lines = (all: string[]) => all.map((line) => `echo '[GNUPG:] ${line}' >&3`).join('\n');
    const script = `#!/bin/sh\ncase "$*" in\n*--import*)\n${lines(['IMPORT_OK 1 ABCDEF01ABCDEF01'])}\n;;\n*)\n${lines(said)}\necho 'BOSCH;1;added'\n;;\nesac\n`;
    writeFileSync(join(root, 'gpg'), script, { mode: 0o755 });
    vi.stubEnv('PATH', root);
    const refused = await refusalOfFixture('signed-encrypted.csv.gpg', demanding()).finally(() => vi.unstubAllEnvs());
    expect(refused.code).toBe(code);
  });

  test('of no key is refused', async () => {
    const empty = join(root, 'empty.asc');
    writeFileSync(empty, '');
    const refused = await refusalOfFixture('signed.csv.gpg', { pgp: { signedBy: empty } });
    expect(refused).toMatchObject({ code: 'wrong-key', message: expect.stringContaining('holds no public key') });
  });
});

test('a detached signature is named', async () => {
  const refused = await refusalOfFixture('detached.csv.asc');
  expect(refused.code).toBe('binary-file');
  expect(refused.message).toContain('a signature without what it signs');
});

test('texts are not taken for messages, and messages not for texts', () => {
  for (const text of ['Бренд;Артикул', '…Ґ', 'ÁÄ;oem', '\x85\x01\r\n', '£1;2', '\x8c\n']) {
    expect(isPgp(Buffer.from(text, 'latin1'))).toBe(false);
    expect(isPgp(Buffer.from(text))).toBe(false);
  }
  const messages = readdirSync(FIXTURES).filter(
    (name) => /\.csv\.(?:gpg|asc)$/u.test(name) && !name.startsWith('detached'),
  );
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((name) => !isPgp(fixture(name)))).toEqual([]);
});

test('what gpg says cannot be made up by names in a message', () => {
  const said = gpgSaid(
    '[GNUPG:] PLAINTEXT 62 0 a%0A[GNUPG:]%20VALIDSIG\nx [GNUPG:] VALIDSIG AAAAAAAA\n[GNUPG:] BADSIG zz <x>\n',
  );
  expect(said).toMatchObject({ valid: [], doubtful: [{ key: '?', why: 'is not that of this file' }] });
});
