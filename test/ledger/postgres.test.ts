import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { conformance } from './conformance/all.ts';
import type { Engine } from './conformance/engine.ts';

const newDatabase = postgresForTests();

const engine: Engine = {
  name: 'postgres',
  place: async () => ({ file: '', databaseUrl: await newDatabase() }),
};

describe.skipIf(withoutPostgres)('on a real Postgres', () => {
  conformance(engine);

  test('a database that is not there is named, with what to do', async () => {
    const url = new URL(await newDatabase());
    url.pathname = '/nowhere';
    await expect(openLedger({ file: '', databaseUrl: url.href })).rejects.toMatchObject({
      code: 'ledger',
      message:
        'The Postgres of DATABASE_URL cannot be used: database "nowhere" does not exist. Check its address, its login, and that it runs.',
    });
  });
});

test('a server that does not run is named without its password', async () => {
  const opening = openLedger({ file: '', databaseUrl: 'postgres://shop:geheim@127.0.0.1:1/offerline' });
  await expect(opening).rejects.toMatchObject({
    code: 'ledger',
    retryable: true,
    message:
      'The Postgres of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check its address, its login, and that it runs.',
  });
});
