import { existsSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';

/**
 * Copies the SQLite file of a ledger as it is at one moment, also while others write to it, and writes nothing beside it. Fails with
 * `ledger` when it cannot be read.
 */
export async function copyLedger(from: string, to: string): Promise<void> {
  try {
    const db = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(db, to);
    } finally {
      db.close();
    }
  } catch (error) {
    // Someone has it open: its files are of different moments.
    if (existsSync(`${from}-shm`)) throw unreadable(from, error);
    // SQLite would have to make its helper files beside it; as nobody has it open, the files are all there is.
    await copyFiles(from, to);
  }
}

async function copyFiles(from: string, to: string): Promise<void> {
  try {
    await rm(to, { force: true });
    await copyWritable(from, to);
    await copyWritable(`${from}-wal`, `${to}-wal`).catch(unlessMissing);
  } catch (error) {
    throw unreadable(from, error);
  }
}

function unreadable(file: string, cause: unknown): OfferlineError {
  const why = systemCode(cause) === 'EACCES' ? 'permission denied' : messageOf(cause);
  return new OfferlineError('ledger', `The ledger ${file} cannot be read: ${why}. Check its owner.`, { cause });
}

/** A copy takes the modes along, and this one is to be migrated. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
