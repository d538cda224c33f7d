import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { Servers } from './postgres-hosts.ts';
import { answered, USUAL_LIMITS, type PostgresLimits } from './postgres-silence.ts';
import { tlsTrouble } from './postgres-tls.ts';

/** Server shutdown or administrator's command, idle limits, failures of the connection, too many connections. */
const DROPPED = /^(57P0[1235]|25P03|08|53300)/;
/** Of these: somebody has ended the connection, or the server that it had. */
const ENDED = /^57P0[12]/;
const SYSTEM = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const NOT_SENT = /not queryable/;
/** A limit of the server for statements or for locks: it has undone the statement, and the transaction around it. */
const OVER_LIMIT = /^(57014|55P03)/;
/** The server has become a standby, or is one: it has changed nothing, and ends the transaction. */
const READ_ONLY = '25006';
const DENIED = '42501';
const BEGIN = /^(begin|start transaction)\b/;
/** What changes nothing. */
const REPEATABLE = /^(select|begin|start transaction)\b/;

/** True when the ledger cannot be used now: nothing is known of the work that met it, and it is simply done again. */
export function isLedgerAway(error: unknown): boolean {
  return error instanceof OfferlineError && error.code === 'ledger' && error.retryable;
}

/** True when the role of DATABASE_URL may not do what it was told to. */
export function isDenied({ details }: OfferlineError): boolean {
  return details['denied'] === true;
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
  /** What a transaction begins with besides. */
  limitsWithin: (client: PostgresPoolClient) => string;
  /** The server takes no changes any more: no connection to it is trusted, and another server may be the primary now. */
  demoted: () => void;
};

type ServersInUse = Omit<Servers, 'Client' | 'examine'>;

/**
 * A pool whose clients survive a dropped connection. What certainly was not done, and what only reads, is asked again over a
 * new connection. A change whose fate is not known fails as a retryable `ledger` error: it is never made twice.
 */
export function reconnecting(pool: PostgresPool, limits: PostgresLimits, servers: ServersInUse): PostgresPool {
  const connections = connectionsOf(pool, limits, servers);
  const connect = async () => clientOf(await connections.connect(), connections);
  return { options: pool.options, end: () => pool.end(), connect };
}

function connectionsOf(pool: PostgresPool, { answer, patience }: PostgresLimits, servers: ServersInUse): Connections {
  let reached = false;
  /** After a connection fell silent, those that were opened before are not trusted any more. */
  let silences = 0;
  const opened = new WeakMap<PostgresPoolClient, number>();
  const trusted = async () => {
    for (;;) {
      const client = await pool.connect();
      const since = opened.get(client) ?? silences;
      opened.set(client, since);
      if (since === silences && servers.isCurrent(client)) return client;
      client.release(true);
    }
  };
  const connect = async () => {
    const giveUp = performance.now() + patience;
    for (;;) {
      try {
        await servers.find();
        const client = await trusted();
        reached = true;
        return client;
      } catch (error) {
        if (servers.failed(error)) continue;
        // A first connection that fails is a wrong address or a server that does not run, and is said at once; one that was ended had a server.
        if (!reached && !ENDED.test(systemCode(error) ?? '')) throw cannotUse(error);
        if (!isDropped(error)) throw error;
        if (performance.now() >= giveUp) throw away(`it cannot be reached: ${messageOf(error)}`, error);
      }
      await pause();
    }
  };
  const answerOf = <T>(client: PostgresPoolClient, asked: Promise<T>) => {
    const { processID } = client;
    // A pooler may hide it; then nothing can be asked about the connection.
    if (typeof processID !== 'number') return asked;
    const server = servers.inquiryAt(client);
    const end = (pid: number) => {
      silences += 1;
      return server.end(pid);
    };
    return answered(asked, processID, answer, { ...server, end });
  };
  const demoted = () => {
    silences += 1;
    servers.failed();
  };
  return { patience, connect, answerOf, limitsWithin: servers.limitsWithin, demoted };
}

function clientOf(first: PostgresPoolClient, connections: Connections): PostgresPoolClient {
  const { patience, connect, answerOf, limitsWithin, demoted } = connections;
  let client: PostgresPoolClient | null = first;
  let inTransaction = false;
  /** The transaction was begun to read only: then a refused change is a mistake of ours. */
  let readsOnly = false;
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
        const limited = BEGIN.test(sql) ? `${sql}${limitsWithin(client)}` : sql;
        return await answerOf(client, client.query<R>(limited, parameters));
      } catch (error) {
        const code = systemCode(error) ?? '';
        if (OVER_LIMIT.test(code)) throw overLimit(error);
        if (code === DENIED) throw denied(error);
        const isReadOnly = code === READ_ONLY && !readsOnly;
        if (!isReadOnly && !isDropped(error)) throw error;
        drop();
        giveUp ??= performance.now() + patience;
        const isLate = performance.now() >= giveUp;
        if (isReadOnly) {
          demoted();
          if (inTransaction || isLate) throw takesNoChanges(error);
          await pause();
          continue;
        }
        const notSent = NOT_SENT.test(messageOf(error));
        if (inTransaction && (notSent || sql !== 'commit')) throw undone(error);
        const repeatable = notSent || REPEATABLE.test(sql);
        if (inTransaction || !repeatable || isLate) throw unknown(error);
      }
    }
  }

  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The server has rolled back what was open on a connection that was lost.
    if (sql === 'rollback' && client === null) return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    const result = await ask<R>(sql, parameters);
    if (BEGIN.test(sql)) {
      inTransaction = true;
      readsOnly = sql.endsWith('read only');
    }
    if (sql === 'commit' || sql === 'rollback') inTransaction = readsOnly = false;
    return result;
  }

  return { query: query as PostgresPoolClient['query'], release: () => client?.release() };
}

function isDropped(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  const said = /^Connection terminated|not queryable|timeout exceeded when trying to connect|^Query read timeout/;
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

function takesNoChanges(cause: unknown): OfferlineError {
  return away(`it takes no changes (${messageOf(cause)}), as a standby does`, cause, { lost: 'undone' });
}

function overLimit(cause: unknown): OfferlineError {
  return away(`a statement was ended, and undone: ${messageOf(cause)}`, cause);
}

/** A mistake of whoever set the server up: it does not pass by itself. */
function denied(cause: unknown): OfferlineError {
  const advice = 'Give it the rights that docs/machines.md lists.';
  const message = `The role of DATABASE_URL may not do what the ledger needs: ${messageOf(cause)}. ${advice}`;
  return new OfferlineError('ledger', message, { cause, details: { denied: true } });
}

/** A server that was never reached: its address is wrong, or it does not run. */
function cannotUse(cause: unknown): OfferlineError {
  if (cause instanceof OfferlineError) return cause;
  const trouble = tlsTrouble(cause);
  const why = trouble ?? messageOf(cause);
  const advice = trouble === undefined ? ' Check its address, its login, and that it runs.' : '';
  return new OfferlineError('ledger', `The Postgres of DATABASE_URL cannot be used: ${why}.${advice}`, {
    retryable: true,
    cause,
  });
}

function away(why: string, cause: unknown, details: Record<string, unknown> = {}): OfferlineError {
  const message = `The Postgres of DATABASE_URL is away: ${why}. What is open goes on when it is back.`;
  return new OfferlineError('ledger', message, { retryable: true, cause, details });
}

function pause(): Promise<void> {
  return sleep(20 + Math.random() * 180);
}
