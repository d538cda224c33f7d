import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNoSecret, expectPlain } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';
import { lacks } from '../support/programs.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/sealed');
const PASSWORD = 'north-2026';
const OTHER = 'another-9Kq-5127-zz';

test.each(['zipcrypto-infozip.zip', 'aes256-7zip.zip'])('%s goes live once its password is set', async (name) => {
  const service = await sandboxForTest();
  const withUnpack = (unpack: object) => ({ service: { baseUrl: service.url }, feeds: { north: unpack } });
  const shop = install(withUnpack({}));
  shop.deliver('north', 'prices.zip', readFileSync(join(FIXTURES, name)));
  const without = await shop.ingest('north');
  expect(without).toMatchObject({ outcome: 'rejected', status: 3 });
  expect(without.reason).toContain('Set feeds.north.unpack.password');

  shop.configure(withUnpack({ unpack: { password: OTHER } }));
  const wrong = await shop.ingest('north');
  expect(wrong).toMatchObject({ outcome: 'rejected', status: 3 });
  expect(wrong.reason).toContain('the password in feeds.north.unpack.password does not open "offers.csv"');
  expectPlain(wrong);

  shop.configure(withUnpack({ unpack: { password: PASSWORD } }));
  const live = await shop.ingest('north');
  expect(live).toMatchObject({ outcome: 'live', status: 0, rows: { live: 3 } });
  expect(await shop.offerline('rerun', live.run, '--from', 'validate', '--wait')).toMatchObject({ status: 0 });
  const shown = await shop.offerline('config', 'show', 'north');
  expect(shown.stdout).toContain('unpack');
  expectNoSecret(shop, [PASSWORD, OTHER], shown, wrong, live);
});

const PGP = join(FIXTURES, 'pgp');
const PASSPHRASE = 'key-phrase-2026';

test.skipIf(lacks('gpg', 'gpg-agent', 'prlimit', 'setpriv'))(
  'a PGP file goes live once its key is set, and only with the signature that is demanded',
  async () => {
    const service = await sandboxForTest();
    const withPgp = (pgp?: object) => ({
      service: { baseUrl: service.url },
      feeds: { north: pgp === undefined ? {} : { unpack: { pgp } } },
    });
    const shop = install(withPgp());
    shop.deliver('north', 'prices.csv.gpg', readFileSync(join(PGP, 'encrypted.csv.gpg')));
    const without = await shop.ingest('north');
    expect(without).toMatchObject({ outcome: 'rejected', status: 3 });
    expect(without.reason).toContain('Set feeds.north.unpack.pgp.key');

    const ours = { key: { file: join(PGP, 'ours.key.asc') }, passphrase: PASSPHRASE };
    shop.configure(withPgp(ours));
    const live = await shop.ingest('north');
    expect(live).toMatchObject({ outcome: 'live', status: 0, rows: { live: 3 } });

    shop.configure(withPgp({ ...ours, signedBy: join(PGP, 'supplier.pub.asc') }));
    const unsigned = await shop.ingest('north');
    expect(unsigned).toMatchObject({ outcome: 'rejected', status: 3 });
    expect(unsigned.reason).toMatch(
      /It is not signed, and feeds\.north\.unpack\.pgp\.signedBy demands a signature of the key [0-9A-F]{16}\./u,
    );
    shop.configure(withPgp({ ...ours, signedBy: join(PGP, 'no-such.asc') }));
    const { status, stdout } = await shop.offerline('config', 'check');
    expect(status).toBe(2);
    expect(stdout).toContain('does not exist; put the supplier');
    const key = readFileSync(join(PGP, 'ours.key.asc'), 'utf8').split('\n')[10]!;
    expectNoSecret(shop, [PASSPHRASE, key], without, live, unsigned);
  },
);
