import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { lacks } from '../../support/programs.ts';
import { startPostgres, type Postgres } from '../../support/servers/postgres.ts';

const skipped = lacks('postgres', 'initdb');
const CERTIFICATE = fileURLToPath(new URL('../../support/tls/certificate.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../../support/tls/key.pem', import.meta.url));

/** An address of the server with parameters of its own; its certificate is for `localhost` and 127.0.0.1. */
function addressOf({ port }: Postgres, parameters: string, host = '127.0.0.1'): string {
  return `postgres://offerline@${host}:${port}/postgres?${parameters}`;
}

async function engineAt(databaseUrl: string): Promise<string> {
  const ledger = await openLedger({ file: '', databaseUrl });
  const version = await ledger.version();
  await ledger.close();
  return version;
}

describe.skipIf(skipped)('a server that only takes encrypted connections', () => {
  test('is trusted by the file of its CA, and what is wrong with certificates is said with what to do', async () => {
    const server = await startPostgres({
      tls: { cert: CERTIFICATE, key: KEY },
      settings: ['listen_addresses=127.0.0.1,127.0.0.2'],
    });
    const trusted = `sslmode=verify-full&sslrootcert=${encodeURIComponent(CERTIFICATE)}`;
    expect(await engineAt(addressOf(server, trusted))).toMatch(/^postgres \d/u);
    const cannot = 'The Postgres of DATABASE_URL cannot be used: ';
    for (const [address, message] of [
      [
        addressOf(server, 'sslmode=verify-full'),
        `${cannot}self-signed certificate: name the file of the CA that signed its certificate as sslrootcert in DATABASE_URL.`,
      ],
      // As strict as verify-full: who asks for TLS gets a server that is known.
      [
        addressOf(server, 'sslmode=require'),
        expect.stringContaining('self-signed certificate: name the file of the CA'),
      ],
      [
        addressOf(server, trusted, '127.0.0.2'),
        expect.stringMatching(/127\.0\.0\.2 is not in the cert's list.*: name the host as its certificate does\.$/u),
      ],
      [addressOf(server, 'sslmode=disable'), expect.stringContaining('no encryption. Check its address')],
      [
        addressOf(server, 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
        'DATABASE_URL names /nowhere/ca.pem as sslrootcert, which does not exist.',
      ],
    ] as const) {
      await expect(engineAt(address)).rejects.toMatchObject({ message });
    }
  });

  test('is told from one without TLS', async () => {
    const server = await startPostgres();
    await expect(engineAt(addressOf(server, 'sslmode=verify-full'))).rejects.toMatchObject({
      message: expect.stringContaining('The server does not support SSL connections: switch ssl on there'),
    });
  });
});
