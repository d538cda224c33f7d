import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentityPlace } from '../../archive/identity.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { BackupPlace } from '../../backup/place.ts';
import { restoreFiles, restoreLedger, type FilesRestored } from '../../backup/restore-backup.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { OfferlineError } from '../../errors.ts';
import type { Meter } from '../../gauge.ts';
import { leaveNote, readNote, removeNote } from '../../ledger/alerts/notes.ts';
import { openLedger, type Ledger } from '../../ledger/ledger.ts';
import { keepArchiveId } from '../../ledger/maintenance/archive-id.ts';
import type { Log } from '../../log.ts';
import { archivePlace } from '../archive-place.ts';
import { bindArchive } from '../bind-archive.ts';
import { openHome } from '../home.ts';
import { noteRestoredHome } from './restored-home.ts';

type Restoring = { now: number; meter: Meter; signal: AbortSignal };

/**
 * Makes an installation of a backup: its ledger, then every file that the ledger names. The home and the database are empty, or a call before this one was
 * stopped; an archive that was not lost stays and gets what it lacks. Fails with `conflict` where a ledger is already, with `archive` where the archive is that of
 * another one.
 */
export async function restoreInstallation(
  manifest: Manifest,
  place: BackupPlace,
  loaded: LoadedConfig,
  { log, now, meter, signal }: Restoring & { log: Log },
): Promise<FilesRestored> {
  process.umask(await openHome(loaded.home, log));
  await using closing = new AsyncDisposableStack();
  const installed = await archivePlace(loaded);
  closing.defer(() => installed.close());
  const said = await installed.identity.read();
  const where = { file: join(loaded.home, 'ledger.sqlite'), databaseUrl: loaded.databaseUrl };
  assertOfBackup(installed.identity, said?.ledger ?? null, manifest, where);
  await restoreLedger(manifest, place, where, now);
  // Before the restore counts as whole: one that is killed here goes on, and comes by again.
  await noteRestoredHome(loaded);
  const ledger = await openLedger(where);
  closing.defer(() => ledger.close());
  // It is theirs until somebody has chosen: whoever only looks at a backup must not stop the original.
  if (said?.ledger === manifest.ledger.id) await keepArchiveId(ledger.db, said.archive);
  const archive = await installed.open(ledger);
  await bindArchive(installed.identity, ledger);
  return await restoreFiles(manifest, place, { ledger, archive }, { meter, signal });
}

/** An archive that is there already belongs to the original, or was begun by a call before this one. */
function assertOfBackup(
  { where, file }: IdentityPlace,
  owner: string | null,
  manifest: Manifest,
  place: { file: string; databaseUrl?: string | undefined },
): void {
  if (owner === null || owner === manifest.ledger.id) return;
  if (place.databaseUrl !== undefined || existsSync(place.file)) return;
  throw new OfferlineError(
    'archive',
    `The archive ${where} belongs to the ledger ${owner}, and the backup is of ${manifest.ledger.id}. Restore to another home or bucket, or remove ${file} if nothing in it is needed.`,
  );
}

/** Notes whether the archive is that of the original, which has it until somebody has chosen. */
export async function noteSharedArchive(loaded: LoadedConfig, { db }: Ledger): Promise<void> {
  const note = await readNote(db, 'restored');
  await using closing = new AsyncDisposableStack();
  const place = await archivePlace(loaded);
  closing.defer(() => place.close());
  const said = await place.identity.read();
  if (said !== null && said.ledger === note?.original) await leaveNote(db, 'archive-shared', { archive: said.archive });
  else await removeNote(db, 'archive-shared');
}

/** Gives an archive that was shared with the original to the ledger that goes on: the original finds it taken. */
export async function takeArchive(loaded: LoadedConfig, ledger: Ledger): Promise<void> {
  const place = await archivePlace(loaded);
  try {
    await bindArchive(place.identity, ledger);
  } finally {
    await place.close();
  }
}
