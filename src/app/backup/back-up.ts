import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBackup, type BackupOf, type BackupOptions, type Made } from '../../backup/make-backup.ts';
import { claimPlace } from '../../backup/owner.ts';
import type { BackupPlace } from '../../backup/place.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { leaveNote, readNote } from '../../ledger/alerts/notes.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { noteTakenOver, takenOver } from '../../ledger/maintenance/restored.ts';
import type { Log } from '../../log.ts';
import { archiveQuestions } from '../archive-place.ts';
import { assertHome } from '../assert-home.ts';
import { alone } from './alone.ts';

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
    const made = await alone(ledger, () => makeBackup(of, place, options), { log, signal: options.signal });
    const { id: backup, at } = made.manifest;
    await leaveNote(ledger.db, 'last-backup', { at, place: place.where, backup });
    return made;
  } finally {
    await ledger.close();
  }
}
