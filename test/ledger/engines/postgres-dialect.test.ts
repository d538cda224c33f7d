import { expect, test } from 'vitest';
import { postgresDialect } from '../../../src/ledger/engines/postgres-dialect.ts';

test.each(['geheim', 'mysql://shop:geheim@db/offerline', 'postgres://'])('%s is no address of a Postgres', (text) => {
  expect(() => postgresDialect(text)).toThrow(
    'DATABASE_URL must start with postgres:// and name a host and a database.',
  );
});
