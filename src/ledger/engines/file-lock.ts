import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OfferlineError } from '../../errors.ts';
import { isBusy } from './sqlite-errors.ts';

/**
 * Runs `work` while no other process (and nothing else in this one) holds the same lock file; waits up to `limit`
 * milliseconds for its turn, then fails with a retryable `conflict`. The operating system ends the lock with its
 * process, so that a killed holder leaves nothing stale: it is SQLite's lock, since Node has none of its own.
 */
export async function withFileLock<T>(file: string, limit: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + limit;
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    while (!tryLock(db)) {
      if (performance.now() >= end) {
        throw new OfferlineError('conflict', `Another process has held ${file} for ${limit / 1000} s. Try again.`, {
          retryable: true,
        });
      }
      await sleep(5 + Math.random() * 30);
    }
    return await work();
  } finally {
    db.close();
  }
}

/**
 * Takes a lock file without waiting and gives what lets go of it; null when another process holds it. The lock ends with the
 * process.
 */
export function holdFile(file: string): (() => void) | null {
  const db = new DatabaseSync(file, { timeout: 0 });
  let held = false;
  try {
    held = tryLock(db);
    return held ? () => db.close() : null;
  } finally {
    if (!held) db.close();
  }
}

function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('begin exclusive');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
