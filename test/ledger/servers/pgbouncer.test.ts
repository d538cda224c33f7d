import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../../support/at-end.ts';
import { lacks } from '../../support/programs.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';
import { startPgBouncer } from '../../support/servers/pgbouncer.ts';
import { runSql } from '../../support/servers/postgres.ts';
import type { Engine } from '../conformance/engine.ts';
import { leaseConformance } from '../conformance/lease.ts';
import { ledgerConformance } from '../conformance/ledger.ts';

const newDatabase = postgresForTests();
const skipped = withoutPostgres || lacks('pgbouncer');

async function open(databaseUrl: string): Promise<Ledger> {
  const ledger = await openLedger({ file: '', databaseUrl });
  atEnd(() => ledger.close());
  return ledger;
}

async function limitsOf(ledger: Ledger): Promise<(string | undefined)[]> {
  return ledger.transaction(async (trx) => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const settings = names.map((name) => sql<{ value: string }>`select current_setting(${name}) as value`.execute(trx));
    return (await Promise.all(settings)).map(({ rows }) => rows[0]?.value);
  });
}

describe.skipIf(skipped)('behind PgBouncer in transaction mode', () => {
  let pooler = '';
  beforeAll(async () => {
    pooler = (await startPgBouncer(await newDatabase())).url;
  });
  const engine: Engine = {
    name: 'postgres',
    place: async () => {
      const at = new URL(await newDatabase());
      at.port = new URL(pooler).port;
      return { file: '', databaseUrl: at.href };
    },
  };
  ledgerConformance(engine);
  leaseConformance(engine);

  test.each([
    ['that refuses the settings of sessions', []],
    [
      'that passes over the settings of sessions',
      ['ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout'],
    ],
  ])('%s, each transaction has the limits of the address, and leaves none behind', async (_, more) => {
    const url = await newDatabase();
    const { url: pooled } = await startPgBouncer(url, ['max_db_connections = 1', ...more]);
    expect(await limitsOf(await open(pooled))).toEqual(['5min', '1min', '30s']);
    const own = await open(`${pooled}?statement_timeout=1234&lock_timeout=0`);
    expect(await limitsOf(own)).toEqual(['1234ms', '0', '30s']);
    const after = await sql<{ value: string }>`select current_setting('statement_timeout') as value`.execute(own.db);
    expect(after.rows).toEqual([{ value: '0' }]);
  });

  test('processes that migrate at once leave no lock behind, over whichever connections', async () => {
    const url = await newDatabase();
    const { url: pooled } = await startPgBouncer(url);
    const ledgers = await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => open(nth % 2 === 0 ? url : pooled)));
    expect(new Set(ledgers.map(({ id }) => id)).size).toBe(1);
    const locks = sql`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database
      where datname = current_database())`;
    expect((await locks.execute(ledgers[0]!.db)).rows).toEqual([]);
  });

  test('connections of the server that end are opened again, and a transaction in them begins again', async () => {
    const url = await newDatabase();
    const ledger = await open((await startPgBouncer(url)).url);
    let begun = 0;
    await ledger.transaction(async (trx) => {
      begun += 1;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      if (begun === 1) await runSql(url, `select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
      await trx
        .insertInto('meta')
        .values({ key: `test-${begun}`, value: '' })
        .execute();
    });
    const kept = await ledger.db.selectFrom('meta').select('key').where('key', 'like', 'test-%').execute();
    expect({ begun, kept }).toEqual({ begun: 2, kept: [{ key: 'test-2' }] });
  });

  test('a pooler that starts again is waited for', async () => {
    const bouncer = await startPgBouncer(await newDatabase());
    const ledger = await open(bouncer.url);
    await bouncer.stop();
    const asked = ledger.now();
    await bouncer.restart();
    expect(await asked).toBeGreaterThan(0);
  });
});
