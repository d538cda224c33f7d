import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OfferlineError } from '../../errors.ts';

/** How long a statement is tried again while another process writes. */
const BUSY_LIMIT_MS = 10_000;
const LAST_TRY_MS = 1000;

/** Primary result codes of SQLite (the low byte of an extended code). */
const CODES = { busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 } as const;

/** SQLite's primary result code of an error, or undefined when it is not SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return error.errcode & 0xff;
}

/** True when another process (or connection) holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === CODES.busy;
}

/**
 * Runs a statement and tries again with jitter while another process holds the file, without blocking the event loop
 * for longer than SQLite's own short timeout. Gives up about 10 s after `since` with a retryable `ledger` error: who has waited for
 * others of this process, which waited for the file, tries for a second more.
 */
export async function retryWhileBusy<T>(file: string, work: () => T, since = performance.now()): Promise<T> {
  const end = Math.max(since + BUSY_LIMIT_MS, performance.now() + LAST_TRY_MS);
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw sayPlainly(file, error);
    }
    await sleep(5 + Math.random() * 45);
  }
}

/** Less than this is no space: SQLite's shared memory file alone grows by 32 KiB. */
const NO_SPACE_BYTES = 64 * 1024;

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < NO_SPACE_BYTES;
  } catch {
    return false;
  }
}

/** Turns a failure of the file into an error for users; constraint violations and mistakes in SQL stay as they are. */
function sayPlainly(file: string, error: unknown): unknown {
  const refuse = (text: string, retryable = false) => new OfferlineError('ledger', text, { cause: error, retryable });
  const code = sqliteCode(error) ?? 0;
  // SQLite reports a full disk as such only where it writes pages, not where it makes or grows its helper files.
  const full = code === CODES.full || ((code === CODES.ioerr || code === CODES.cantopen) && isFull(dirname(file)));
  if (full) {
    return new OfferlineError('disk-full', `No space is left for the ledger ${file}. Free some and try again.`, {
      cause: error,
      retryable: true,
    });
  }
  switch (code) {
    case CODES.busy:
    case CODES.locked:
      return refuse(`Another process has kept the ledger ${file} locked for ${BUSY_LIMIT_MS / 1000} s.`, true);
    case CODES.readonly:
    case CODES.cantopen:
      return refuse(`The ledger ${file} cannot be opened for writing. Check that its folder exists and its owner.`);
    case CODES.corrupt:
    case CODES.notadb:
      return refuse(`The ledger ${file} is damaged or not a ledger. Move it away and restore the last backup.`);
    case CODES.ioerr:
      return refuse(`The disk answered with an error while the ledger ${file} was read or written.`);
    default:
      return error;
  }
}
