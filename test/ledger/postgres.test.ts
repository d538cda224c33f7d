import { describe } from 'vitest';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import type { Engine } from './conformance/engine.ts';
import { leaseConformance } from './conformance/lease.ts';
import { ledgerConformance } from './conformance/ledger.ts';
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
});
