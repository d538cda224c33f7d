import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import type { Ledger } from '../ledger.ts';
import type { CallRow } from '../schema/schema.ts';
import { insertCalls } from './calls.ts';

/** A call of the service that is over. */
export type EndedCall = Omit<CallRow, 'id' | 'upload'>;

/** Where the calls of the service are noted. Nothing of it fails or delays a call. */
export type CallBook = {
  /** Notes a call: one for an upload always, any other when the service failed it. */
  note: (call: EndedCall) => void;
  /** Does work whose calls are those of an upload. */
  during: <T>(upload: string, work: () => Promise<T>) => Promise<T>;
  /** Records what was noted. Never fails. */
  flush: () => Promise<void>;
};

/** Calls that are noted and not yet recorded; the oldest go when there are more. */
const MOST_WAITING = 1000;
/** Milliseconds in which calls are gathered to be recorded at once: what a killed process loses of them at most. */
const GATHERED = 5000;
/** Letters of an error that are kept. */
const LONGEST_ERROR = 300;

/** A book that loses nothing but the last seconds of a killed process. `every`: milliseconds between two recordings. */
export function openCallBook(
  { db }: Pick<Ledger, 'db'>,
  log: Pick<Log, 'warn'>,
  { every = GATHERED, most = MOST_WAITING }: { every?: number; most?: number } = {},
): CallBook {
  const upload = new AsyncLocalStorage<string>();
  let waiting: CallRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let lost = false;

  function keep(calls: CallRow[]): void {
    waiting = calls.slice(-most);
    if (waiting.length > 0) timer ??= setTimeout(() => void flush(), every).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(record);
    return writing;
  }

  async function record(): Promise<void> {
    const calls = waiting;
    if (calls.length === 0) return;
    waiting = [];
    try {
      await insertCalls(db, calls);
      lost = false;
    } catch (error) {
      if (!lost) log.warn({ calls: calls.length, error: messageOf(error) }, 'calls of the service cannot be recorded');
      lost = true;
      keep([...calls, ...waiting]);
    }
  }

  return {
    note: (call) => {
      const of = upload.getStore() ?? null;
      if (of === null && (call.error === null || call.given_up === 1)) return;
      const error = call.error === null ? null : foreignText(call.error, LONGEST_ERROR);
      const times = { at: Math.round(call.at), ms: Math.round(call.ms) };
      keep([...waiting, { ...call, ...times, error, id: randomUUID(), upload: of }]);
    },
    during: (id, work) => upload.run(id, work),
    flush,
  };
}

/** The book of a process that must not write. */
export const NO_CALLS: CallBook = {
  note: () => undefined,
  during: (_upload, work) => work(),
  flush: () => Promise.resolve(),
};
