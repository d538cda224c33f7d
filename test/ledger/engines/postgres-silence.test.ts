import { sql } from 'kysely';
import { Client, Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { isLedgerAway, reconnecting } from '../../../src/ledger/engines/postgres-reconnect.ts';
import { acquireLease, withFencedTransaction } from '../../../src/ledger/lease.ts';
import { openLedger, openReader, type Db, type Ledger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../../support/at-end.ts';
import { standingClock } from '../../support/clock.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';
import { swallowingProxy } from '../../support/swallowing-proxy.ts';
import { until } from '../../support/until.ts';

const newDatabase = postgresForTests();

/** What the program waits for, in milliseconds, so that these tests need not wait as long. */
const LIMITS = { connect: 3000, answer: 100, patience: 100 };
/** Where no connection comes about at all. */
const SHORT = { ...LIMITS, connect: 1500 };

async function open(databaseUrl: string, { how = openLedger, limits = LIMITS } = {}): Promise<Ledger> {
  const ledger = await how({ file: '', databaseUrl, limits });
  atEnd(() => ledger.close());
  return ledger;
}

/** A ledger behind a proxy, and the same ledger of a process that is not. */
async function openTwo(limits = LIMITS) {
  const url = await newDatabase();
  const proxy = await swallowingProxy(url);
  return { proxy, ledger: await open(proxy.url, { limits }), other: await open(url) };
}

function put(db: Db, key: string): Promise<unknown> {
  return db.insertInto('meta').values({ key, value: '' }).execute();
}

async function keys({ db }: Ledger): Promise<string[]> {
  const rows = await db.selectFrom('meta').select('key').where('key', 'like', 'test-%').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

function leaseOf(ledger: Ledger, owner: string, time: { clock: Parameters<typeof acquireLease>[4] }) {
  return acquireLease(ledger, 'feed-north', owner, 30_000, time.clock);
}

describe.skipIf(withoutPostgres)('connections that are half-open', () => {
  test('a question is asked again over a new connection, and the silent one is closed', async () => {
    const { proxy, ledger } = await openTwo();
    proxy.swallow('open');
    expect(await keys(ledger)).toEqual([]);
    await until(async () => (proxy.halfOpen() === 0 ? true : undefined));
  });

  test('so is one of the pages, which have a connection of their own', async () => {
    const url = await newDatabase();
    await open(url);
    const proxy = await swallowingProxy(url);
    const reader = await open(proxy.url, { how: openReader });
    proxy.swallow('open');
    expect(await keys(reader)).toEqual([]);
  });

  test('a change whose fate is not known is not made again, and says so', async () => {
    const { proxy, ledger, other } = await openTwo();
    proxy.swallow('open');
    await expect(put(ledger.db, 'test-1')).rejects.toMatchObject({
      code: 'ledger',
      retryable: true,
      message: expect.stringContaining('whether it was kept is not known'),
    });
    expect(await keys(other)).toEqual([]);
    await put(ledger.db, 'test-2');
    expect(await keys(other)).toEqual(['test-2']);
  });

  test('a transaction whose connection falls silent begins again, and what the server has of it keeps no row locked', async () => {
    const { proxy, ledger, other } = await openTwo();
    await put(ledger.db, 'test-row');
    let begun = 0;
    await ledger.transaction(async (trx) => {
      begun += 1;
      await trx
        .updateTable('meta')
        .set({ value: `${begun}` })
        .where('key', '=', 'test-row')
        .execute();
      if (begun === 1) proxy.swallow('open');
      await put(trx, `test-${begun}`);
    });
    expect(begun).toBe(2);
    expect(await keys(other)).toEqual(['test-2', 'test-row']);
    const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(other.db);
    expect(rows).toEqual([]);
  });

  test('after one silence no connection of before is asked, so that the next change is made at once', async () => {
    const { proxy, ledger } = await openTwo();
    await Promise.all([ledger.now(), ledger.now(), ledger.now(), ledger.now()]);
    proxy.swallow('open');
    expect(await keys(ledger)).toEqual([]);
    await Promise.all(['test-1', 'test-2', 'test-3'].map((key) => put(ledger.db, key)));
    expect(await keys(ledger)).toEqual(['test-1', 'test-2', 'test-3']);
  });

  test('a server that swallows everything is said in time, as a trouble that passes, and serves again afterwards', async () => {
    const { proxy, ledger } = await openTwo(SHORT);
    proxy.swallow('all');
    await expect(keys(ledger)).rejects.toSatisfy(isLedgerAway);
    proxy.mend();
    expect(await keys(ledger)).toEqual([]);
  });

  test('one that swallows everything when it is opened is named', async () => {
    const proxy = await swallowingProxy(await newDatabase());
    proxy.swallow('all');
    await expect(open(proxy.url, { limits: SHORT })).rejects.toMatchObject({
      code: 'ledger',
      retryable: true,
      message: expect.stringContaining('The Postgres of DATABASE_URL cannot be used'),
    });
  });

  test('closing the ledger ends while its connections are half-open', async () => {
    const { proxy, ledger } = await openTwo(SHORT);
    const closing = Promise.withResolvers<void>();
    const changing = ledger.transaction(async (trx) => {
      proxy.swallow('all');
      closing.resolve(ledger.close());
      await put(trx, 'test-1');
    });
    await expect(changing).rejects.toThrow(/is away|destroyed/u);
    await closing.promise;
    await until(async () => (proxy.halfOpen() === 0 ? true : undefined));
  });

  test('a lease is lost safely: another takes over, and the owner that comes back changes nothing', async () => {
    const { proxy, ledger, other } = await openTwo(SHORT);
    const time = standingClock(0);
    const taken = await leaseOf(ledger, 'silent', time);
    if (!('lease' in taken)) throw new Error('the lease was not free');
    const { lease } = taken;
    proxy.swallow('all');
    const renewing = lease.renew().catch((error: unknown) => error);
    time.time += 30_000;
    expect(lease.alive()).toBe(false);
    const next = await leaseOf(other, 'next', time);
    expect(next).toMatchObject({ lease: { epoch: 2 } });
    expect(await renewing).toSatisfy(isLedgerAway);
    proxy.mend();
    expect(await lease.renew()).toBe(false);
    const late = withFencedTransaction(ledger, lease, (trx) => put(trx, 'test-late'));
    await expect(late).rejects.toMatchObject({ code: 'lease-lost' });
    expect(await keys(other)).toEqual([]);
  });
});

describe.skipIf(withoutPostgres)('statements that take long', () => {
  test('an answer is waited for while the server is at work on it, beyond every limit of this side', async () => {
    const { ledger } = await openTwo();
    const slow = await sql<{ done: number }>`select 1 as done, pg_sleep(1)`.execute(ledger.db);
    expect(slow.rows[0]?.done).toBe(1);
  });

  test('a change that waits for a row of another is waited for as well, and made once', async () => {
    const { ledger, other } = await openTwo();
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = other.transaction(async (trx) => {
      await put(trx, 'test-1');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const waiting = ledger.db.insertInto('meta').values({ key: 'test-1', value: 'late' });
    const made = waiting.onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'late' })).execute();
    // The server was asked about it at least twice.
    await sql`select pg_sleep(0.5)`.execute(other.db);
    held.resolve();
    await Promise.all([holding, made]);
    expect(await keys(ledger)).toEqual(['test-1']);
  });

  test('the server ends a statement, a wait for a lock and an idle transaction, and the address may say when', async () => {
    const url = await newDatabase();
    const limits = async (ledger: Ledger) => {
      const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
        where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
        ledger.db,
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
    };
    expect(await limits(await open(url))).toEqual({
      idle_in_transaction_session_timeout: 30_000,
      lock_timeout: 60_000,
      statement_timeout: 300_000,
    });
    const own = await open(`${url}?statement_timeout=200`);
    expect(await limits(own)).toMatchObject({ statement_timeout: 200 });
    await expect(sql`select pg_sleep(10)`.execute(own.db)).rejects.toMatchObject({
      code: 'ledger',
      retryable: true,
      message: expect.stringContaining('a statement was ended, and undone'),
    });
  });

  test('a migration has no such limits', async () => {
    const url = await newDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    atEnd(() => client.end());
    await client.query(`
      create function slow() returns event_trigger language plpgsql as $$ begin
        if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.runs') then
          perform pg_sleep(2.5);
        end if;
      end $$;
      create event trigger slow on ddl_command_end when tag in ('CREATE TABLE') execute function slow();`);
    await expect(open(`${url}?statement_timeout=2000`)).resolves.toMatchObject({ engine: 'postgres' });
  });

  test('behind a pooler that gives no process id nothing can be asked, and an answer is waited for', async () => {
    const url = await newDatabase();
    const pool = new Pool({ connectionString: url });
    atEnd(() => pool.end());
    // As a pooler does it, which answers without the key of a connection.
    pool.on('connect', (client) => Object.assign(client, { processID: null }));
    const asked: number[] = [];
    const client = await reconnecting(pool, LIMITS, {
      find: () => Promise.resolve(),
      failed: () => false,
      isCurrent: () => true,
      limitsWithin: () => '',
      inquiryAt: () => ({
        isAtWork: async (pid) => asked.push(pid) === 0,
        end: async (pid) => void asked.push(pid),
      }),
    }).connect();
    const { rows } = await client.query<{ slept: string }>(`select 'yes' as slept from pg_sleep(0.5)`, []);
    client.release();
    expect({ rows, asked }).toEqual({ rows: [{ slept: 'yes' }], asked: [] });
  });
});
