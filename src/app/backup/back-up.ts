import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { makeBackup, type BackupOf, type BackupOptions, type Made } from '../../backup/make-backup.ts';
import { claimPlace } from '../../backup/owner.ts';
import type { BackupPlace } from '../../backup/place.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { OfferlineError } from '../../errors.ts';
import { leaveNote, readNote } from '../../ledger/alerts/notes.ts';
import { acquireLease } from '../../ledger/lease.ts';
import { openLedger, type Ledger } from '../../ledger/ledger.ts';
import { noteTakenOver, takenOver } from '../../ledger/maintenance/restored.ts';
import type { Log } from '../../log.ts';
import { archiveQuestions } from '../archive-place.ts';
import { assertHome } from '../assert-home.ts';

/** What of an installation is backed up; its parts are opened by whoever reads them. */
export async function installationOf(loaded: LoadedConfig): Promise<BackupOf> {
  await assertHome(loaded);
  const { home, file, databaseUrl } = loaded;
  return {
    ledger: { file: join(home, 'ledger.sqlite'), databaseUrl },
    archive: await archiveQuestions(loaded),
    config: { path: file, text: await readFile(file) },
    home,
  };
}

/** Longer than a process may be silent that makes a backup, milliseconds. */
const LEASE = 60_000;

/**
 * Backs an installation up to a place of its own. Fails with `conflict` while another process does, where the backups of another installation lie, and
 * where an installation that was restored from these backups has taken its place.
 */
export async function backupOf(
  of: BackupOf,
  place: BackupPlace,
  { log, ...options }: BackupOptions & { log: Log },
): Promise<Made> {
  const ledger = await openLedger(of.ledger);
  try {
    const restored = await readNote(ledger.db, 'restored');
    // The choice may have been made while the place was away.
    const original = restored === undefined || restored.chosen === null ? null : restored.original;
    const taken = await claimPlace(place, ledger.id, { original, now: options.now });
    if (taken !== null) {
      const said = `it took over the backups in ${place.where} on ${new Date(taken.at).toISOString()}`;
      await noteTakenOver(ledger.db, taken.takenBy, said, options.now);
      throw takenOver(taken.takenBy, said);
    }
    const made = await alone(ledger, () => makeBackup(of, place, options), log);
    const { id: backup, at, lost } = made.manifest;
    const before = (await readNote(ledger.db, 'backups')) ?? {};
    await leaveNote(ledger.db, 'backups', { ...before, [place.where]: { at, backup, lost: lost.length } });
    return made;
  } finally {
    await ledger.close();
  }
}

async function alone<T>(ledger: Ledger, work: () => Promise<T>, log: Log): Promise<T> {
  const taken = await acquireLease(ledger, 'backup', randomUUID(), LEASE);
  if ('heldFor' in taken) {
    throw new OfferlineError(
      'conflict',
      'Another process makes a backup of this installation now. Try again when it has ended.',
      { retryable: true },
    );
  }
  const renewal = setInterval(() => {
    taken.lease.renew().catch((error: unknown) => log.warn({ err: error }, 'lease could not be renewed'));
  }, LEASE / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await taken.lease.release();
  }
}
