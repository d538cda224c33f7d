import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openLedger, type Db, type Ledger } from '../../../src/ledger/ledger.ts';
import { isLedgerAway } from '../../../src/ledger/engines/postgres-reconnect.ts';
import { atEnd } from '../../support/at-end.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';

const newDatabase = postgresForTests();

async function open(databaseUrl: string): Promise<Ledger> {
  const ledger = await openLedger({ file: '', databaseUrl });
  atEnd(() => ledger.close());
  return ledger;
}

/** Two processes' worth of the same ledger: what happens to the connections of the one is done by the other. */
async function openTwo() {
  const url = await newDatabase();
  return { ledger: await open(url), other: await open(url) };
}

async function pidOf(db: Db): Promise<number> {
  return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0;
}

/** Ends a connection as an administrator, a restart or a failover does. */
async function drop(pid: number, { db }: Ledger): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db);
}

async function keys({ db }: Ledger): Promise<string[]> {
  const rows = await db.selectFrom('meta').select('key').where('key', 'like', 'test-%').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

function put(db: Db, key: string): Promise<unknown> {
  return db.insertInto('meta').values({ key, value: '' }).execute();
}

describe.skipIf(withoutPostgres)('connections that are dropped', () => {
  test('a transaction whose connection is dropped before it is committed is begun again', async () => {
    const { ledger, other } = await openTwo();
    let begun = 0;
    const result = await ledger.transaction(async (trx) => {
      begun += 1;
      await put(trx, `test-${begun}`);
      if (begun < 3) await drop(await pidOf(trx), other);
      await put(trx, 'test-last');
      return begun;
    });
    expect(result).toBe(3);
    expect(await keys(ledger)).toEqual(['test-3', 'test-last']);
  });

  test('a connection that is dropped inside a transaction while nothing is asked of it ends no process', async () => {
    const { ledger, other } = await openTwo();
    let begun = 0;
    await ledger.transaction(async (trx) => {
      begun += 1;
      const pid = await pidOf(trx);
      if (begun > 1) return;
      await drop(pid, other);
      // The news of it has come when a connection that was opened later has been answered.
      await other.now();
      await ledger.now();
    });
    expect(begun).toBe(2);
  });

  test('a query whose connection was dropped in the pool, or while it ran, is asked again', async () => {
    const { ledger, other } = await openTwo();
    await drop(await pidOf(ledger.db), other);
    expect(await keys(ledger)).toEqual([]);
    const slow = sql<{ done: number }>`select 1 as done, pg_sleep(0.5)`.execute(ledger.db);
    const running = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where query like 'select 1 as done%' and state = 'active' and datname = current_database()`.execute(other.db);
      return rows[0]?.pid;
    };
    let pid = await running();
    while (pid === undefined) pid = await running();
    await drop(pid, other);
    expect((await slow).rows[0]?.done).toBe(1);
  });

  test('a single change whose connection is dropped while it is made is not made twice', async () => {
    const { ledger, other } = await openTwo();
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = other.transaction(async (trx) => {
      await put(trx, 'test-1');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const refused = put(ledger.db, 'test-1').catch((error: unknown) => error);
    const blocked = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(other.db);
      return rows[0]?.pid;
    };
    let pid = await blocked();
    while (pid === undefined) pid = await blocked();
    await drop(pid, other);
    expect(await refused).toSatisfy(isLedgerAway);
    held.resolve();
    await holding;
    expect(await keys(ledger)).toEqual(['test-1']);
  });

  test('a transaction of which nobody knows whether it was committed is not repeated, and says so', async () => {
    const proxy = await proxyThatLosesCommits(await newDatabase());
    const ledger = await open(proxy.url);
    proxy.loseNext();
    let begun = 0;
    const work = ledger.transaction(async (trx) => {
      begun += 1;
      await put(trx, `test-${begun}`);
    });
    await expect(work).rejects.toMatchObject({
      code: 'ledger',
      retryable: true,
      message: expect.stringContaining('whether it was kept is not known'),
    });
    expect(begun).toBe(1);
    expect(await keys(ledger)).toEqual(['test-1']);
  });

  test('a server that is away for good is said in time, as a trouble that passes', async () => {
    const proxy = await proxyThatLosesCommits(await newDatabase());
    const ledger = await open(proxy.url);
    await proxy.close();
    const asking = ledger.db.selectFrom('meta').selectAll().execute();
    await expect(asking).rejects.toSatisfy(isLedgerAway);
  });
});

/** A TCP proxy before a Postgres that can let a COMMIT through and lose the reply together with the connection. */
async function proxyThatLosesCommits(target: string) {
  const at = new URL(target);
  let losing = false;
  const server = createServer((client) => {
    const upstream = connect(Number(at.port), at.hostname);
    let lost = false;
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk: Buffer) => {
      lost ||= losing && chunk.includes('commit');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (!lost) return void client.write(chunk);
      losing = false;
      client.resetAndDestroy();
    });
    sockets.push(() => client.destroy());
  });
  const sockets: (() => void)[] = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const end of sockets) end();
    await closed;
  };
  atEnd(() => (server.listening ? close() : undefined));
  const own = new URL(target);
  own.port = String((server.address() as AddressInfo).port);
  return { url: own.href, loseNext: () => (losing = true), close };
}
