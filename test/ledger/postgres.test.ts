import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { copyLiveConformance } from './conformance/copy-live.ts';
import type { Engine } from './conformance/engine.ts';
import { incidentsConformance } from './conformance/incidents.ts';
import { leaseConformance } from './conformance/lease.ts';
import { ledgerConformance } from './conformance/ledger.ts';
import { mailsConformance } from './conformance/mails.ts';
import { retentionConformance } from './conformance/retention.ts';
import { runsConformance } from './conformance/runs.ts';
import { uploadsConformance } from './conformance/uploads.ts';

const newDatabase = postgresForTests();

const engine: Engine = {
  name: 'postgres',
  place: async () => ({ file: '', databaseUrl: await newDatabase() }),
};

describe.skipIf(withoutPostgres)('on a real Postgres', () => {
  ledgerConformance(engine);
  leaseConformance(engine);
  uploadsConformance(engine);
  runsConformance(engine);
  incidentsConformance(engine);
  mailsConformance(engine);
  retentionConformance(engine);
  copyLiveConformance(engine);

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
