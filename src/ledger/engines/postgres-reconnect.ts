import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { answered, USUAL_LIMITS, type Inquiry, type PostgresLimits } from './postgres-silence.ts';

/** Server shutdown or administrator's command, idle limits, failures of the connection, too many connections. */
const DROPPED = /^(57P0[1235]|25P03|08|53300)/;
const SYSTEM = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const NOT_SENT = /not queryable/;
/** A limit of the server for statements or for locks: it has undone the statement, and the transaction around it. */
const OVER_LIMIT = /^(57014|55P03)/;
const BEGIN = /^(begin|start transaction)\b/;
/** What changes nothing. */
const REPEATABLE = /^(select|begin|start transaction)\b/;

/** True when the ledger cannot be used now: nothing is known of the work that met it, and it is simply done again. */
export function isLedgerAway(error: unknown): boolean {
  return error instanceof OfferlineError && error.code === 'ledger' && error.retryable;
}

/** Runs a transaction, and runs it again while connections are dropped before it is committed; for some seconds. */
export function untilCommitted<T>(run: () => Promise<T>): Promise<T> {
  return again(run, ({ details }) => details['lost'] === 'undone');
}

/** Runs what may be done twice, and runs it again while connections are dropped; for some seconds. */
export function untilDone<T>(run: () => Promise<T>): Promise<T> {
  return again(run, ({ details }) => details['lost'] !== undefined);
}

async function again<T>(run: () => Promise<T>, helps: (error: OfferlineError) => boolean): Promise<T> {
  const giveUp = performance.now() + USUAL_LIMITS.patience;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof OfferlineError && helps(error)) || performance.now() >= giveUp) throw error;
    }
    await pause();
  }
}

type Connections = {
  patience: number;
  connect: () => Promise<PostgresPoolClient>;
  /** The answer of a client; fails as a dropped connection does when none will come. */
  answerOf: <T>(client: PostgresPoolClient, asked: Promise<T>) => Promise<T>;
};

/**
 * A pool whose clients survive a dropped connection. What certainly was not done, and what only reads, is asked again over a
 * new connection. A change whose fate is not known fails as a retryable `ledger` error: it is never made twice.
 */
export function reconnecting(pool: PostgresPool, limits: PostgresLimits, server: Inquiry): PostgresPool {
  const connections = connectionsOf(pool, limits, server);
  const connect = async () => clientOf(await connections.connect(), connections);
  return { options: pool.options, end: () => pool.end(), connect };
}

function connectionsOf(pool: PostgresPool, { answer, patience }: PostgresLimits, server: Inquiry): Connections {
  let reached = false;
  /** After a connection fell silent, those that were opened before are not trusted any more. */
  let silences = 0;
  const opened = new WeakMap<PostgresPoolClient, number>();
  const trusted = async () => {
    for (;;) {
      const client = await pool.connect();
      const since = opened.get(client) ?? silences;
      opened.set(client, since);
      if (since === silences) return client;
      client.release(true);
    }
  };
  const connect = async () => {
    const giveUp = performance.now() + patience;
    for (;;) {
      try {
        const client = await trusted();
        reached = true;
        return client;
      } catch (error) {
        // A first connection that fails is a wrong address or a server that does not run, and is said at once.
        if (!reached || !isDropped(error)) throw error;
        if (performance.now() >= giveUp) throw away(`it cannot be reached: ${messageOf(error)}`, error);
      }
      await pause();
    }
  };
  const end = (pid: number) => {
    silences += 1;
    return server.end(pid);
  };
  const answerOf = <T>({ processID }: PostgresPoolClient, asked: Promise<T>) =>
    // A pooler may hide it; then nothing can be asked about the connection.
    typeof processID === 'number' ? answered(asked, processID, answer, { ...server, end }) : asked;
  return { patience, connect, answerOf };
}

function clientOf(first: PostgresPoolClient, { patience, connect, answerOf }: Connections): PostgresPoolClient {
  let client: PostgresPoolClient | null = first;
  let inTransaction = false;
  const drop = () => {
    client?.release(true);
    client = null;
  };

  async function ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    let giveUp: number | undefined;
    for (;;) {
      // What follows in a transaction whose connection was lost must not be done outside of it.
      if (inTransaction && client === null) throw undone(null);
      client ??= await connect();
      try {
        return await answerOf(client, client.query<R>(sql, parameters));
      } catch (error) {
        if (OVER_LIMIT.test(systemCode(error) ?? '')) throw overLimit(error);
        if (!isDropped(error)) throw error;
        drop();
        const notSent = NOT_SENT.test(messageOf(error));
        if (inTransaction && (notSent || sql !== 'commit')) throw undone(error);
        const repeatable = notSent || REPEATABLE.test(sql);
        giveUp ??= performance.now() + patience;
        if (inTransaction || !repeatable || performance.now() >= giveUp) throw unknown(error);
      }
    }
  }

  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The server has rolled back what was open on a connection that was lost.
    if (sql === 'rollback' && client === null) return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    const result = await ask<R>(sql, parameters);
    if (BEGIN.test(sql)) inTransaction = true;
    if (sql === 'commit' || sql === 'rollback') inTransaction = false;
    return result;
  }

  return { query: query as PostgresPoolClient['query'], release: () => client?.release() };
}

function isDropped(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  const said = /^Connection terminated|not queryable|timeout exceeded when trying to connect/;
  return DROPPED.test(code) || SYSTEM.has(code) || said.test(messageOf(error));
}

function undone(cause: unknown): OfferlineError {
  return away('the connection was lost in the middle of a change, which is undone', cause, { lost: 'undone' });
}

function unknown(cause: unknown): OfferlineError {
  return away('the connection was lost while a change was made; whether it was kept is not known', cause, {
    lost: 'unknown',
  });
}

function overLimit(cause: unknown): OfferlineError {
  return away(`a statement was ended, and undone: ${messageOf(cause)}`, cause);
}

function away(why: string, cause: unknown, details: Record<string, unknown> = {}): OfferlineError {
  const message = `The Postgres of DATABASE_URL is away: ${why}. What is open goes on when it is back.`;
  return new OfferlineError('ledger', message, { retryable: true, cause, details });
}

function pause(): Promise<void> {
  return sleep(20 + Math.random() * 180);
}
