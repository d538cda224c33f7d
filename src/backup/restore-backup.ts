import type { Archive } from '../archive/archive.ts';
import { damageOf, keptBytes } from '../archive/kept-file.ts';
import { OfferlineError } from '../errors.ts';
import { count, setTotal, type Meter } from '../gauge.ts';
import { inParallel } from '../io/in-parallel.ts';
import { readNote } from '../ledger/alerts/notes.ts';
import { connect, type Ledger } from '../ledger/ledger.ts';
import { fillLedger } from '../ledger/maintenance/fill-ledger.ts';
import { noteComplete } from '../ledger/maintenance/restored.ts';
import type { Manifest } from './manifest.ts';
import { readNames } from './names.ts';
import type { BackupPlace } from './place.ts';
import { fillingOf, type BrokenFile } from './verify-backup.ts';

type LedgerPlace = { file: string; databaseUrl?: string | undefined };

/** Fills the ledger of an empty installation from a backup; one that this backup was begun to be restored to is left as it is. */
export async function restoreLedger(
  manifest: Manifest,
  place: BackupPlace,
  where: LedgerPlace,
  now: number,
): Promise<void> {
  if (await wasFilled(manifest, where)) return;
  await fillLedger(where, {
    ...fillingOf(manifest, place),
    restored: {
      place: place.where,
      backup: manifest.id,
      madeAt: manifest.at,
      at: now,
      original: manifest.ledger.id,
      filled: false,
      complete: false,
      chosen: null,
      fetching: {},
    },
  });
}

/** True for a ledger that an earlier call has filled from this backup, and whose files it did not bring in to the end. */
async function wasFilled({ id }: Manifest, where: LedgerPlace): Promise<boolean> {
  const db = await connect(where);
  try {
    if (!(await db.introspection.getTables()).some(({ name }) => name === 'meta')) return false;
    const note = await readNote(db, 'restored');
    if (note?.backup === id && note.complete) {
      throw new OfferlineError(
        'conflict',
        `The backup ${id} has been restored here already. \`offerline restore\` without a place shows what is to be chosen.`,
      );
    }
    return note?.backup === id && note.filled;
  } finally {
    await db.destroy();
  }
}

/** Files that were brought into an archive, and those of the backup that are not whole. */
export type FilesRestored = { files: number; bytes: number; broken: BrokenFile[] };

const AT_ONCE = 8;

/** Brings the files of a backup into the archive of its ledger; may be stopped and called again. */
export async function restoreFiles(
  manifest: Manifest,
  place: BackupPlace,
  { ledger, archive }: { ledger: Ledger; archive: Archive },
  { meter, signal }: { meter: Meter; signal: AbortSignal },
): Promise<FilesRestored> {
  const names = await readNames(manifest.names, place.files);
  const done: FilesRestored = { files: 0, bytes: 0, broken: [] };
  setTotal(meter, names.length);
  await inParallel(names, AT_ONCE, async (sha256) => {
    if (signal.aborted) {
      throw new OfferlineError('interrupted', 'Interrupted; the same command continues where this one ended.');
    }
    try {
      const { bytes } = await archive.put(keptBytes(place.files.file(sha256)));
      done.files += 1;
      done.bytes += bytes;
      await place.letGo(sha256);
    } catch (error) {
      const found = damageOf(error);
      if (found === null || found.sha256 !== sha256) throw error;
      done.broken.push(found);
    }
    count(meter, 1);
  });
  await noteComplete(ledger.db);
  return done;
}
