import type { ClientConfig } from 'pg';
import { systemCode } from '../../errors.ts';

/** How long the program waits for Postgres, in milliseconds. */
export type PostgresLimits = {
  /** For a connection. */
  connect: number;
  /** For an answer, before the server is asked over another connection whether it is still at work on it. */
  answer: number;
  /** For a server that restarts or fails over; what is asked meanwhile waits as well. */
  patience: number;
};

/** Waits of the program itself. */
export const USUAL_LIMITS: PostgresLimits = { connect: 10_000, answer: 4_000, patience: 10_000 };

/** What a server is asked, over a connection of its own, about another one of ours, by its process id there. */
export type Inquiry = {
  /** True while the server is at work for it, and when that cannot be seen, as behind a pooler. */
  isAtWork: (pid: number) => Promise<boolean>;
  /** Ends it where it is idle, so that what it left open keeps no rows locked. */
  end: (pid: number) => Promise<void>;
};

/** A connection that took a question and will not answer it: the network between swallows what either side sends. */
const SILENT = 'Connection terminated: the server is not at work on what it was asked, and no answer came';

/**
 * Waits for the answer to what a connection asked, as long as the server is at work on it, however long that is. When it is not,
 * or cannot be asked, the answer still gets `limit` milliseconds to arrive; then the wait fails, and the connection is ended there.
 */
export async function answered<T>(asked: Promise<T>, pid: number, limit: number, server: Inquiry): Promise<T> {
  for (;;) {
    if (await endsWithin(asked, limit)) return asked;
    if ((await server.isAtWork(pid)) || (await endsWithin(asked, limit))) continue;
    await server.end(pid);
    throw new Error(SILENT);
  }
}

async function endsWithin(asked: Promise<unknown>, limit: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limit);
  const ended = asked.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks a server over a connection of its own each time, which waits for `limit` milliseconds at most. */
export function inquiryOf(Client: typeof import('pg').Client, settings: ClientConfig, limit: number): Inquiry {
  const ask = async (sql: string, pid: number) => {
    const client = new Client({ ...settings, connectionTimeoutMillis: limit, query_timeout: limit });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ active?: boolean; own?: number }>(sql, [pid]);
      return { row: rows[0], own: (client as { processID?: number }).processID };
    } finally {
      client.connection.stream.destroy();
    }
  };
  return {
    isAtWork: async (pid) => {
      try {
        const { row, own } = await ask(IS_ACTIVE, pid);
        return row?.active === true || row?.own !== own;
      } catch (error) {
        // A server that refuses the question is there, and may be at work.
        return SQL_STATE.test(systemCode(error) ?? '');
      }
    },
    // One that cannot be ended now is ended by the server's own limits.
    end: (pid) => ask(END, pid).then(noop, noop),
  };
}

const IS_ACTIVE = `select pg_backend_pid() as own,
  exists (select from pg_stat_activity where pid = $1 and state = 'active') as active`;

/** The process id may be that of another session by now, but never of another program or user. */
const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and state <> 'active' and datname = current_database() and usename = current_user
    and application_name = current_setting('application_name')`;

const SQL_STATE = /^(?!E)[0-9A-Z]{5}$/u;

function noop(): void {}
