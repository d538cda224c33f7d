import { existsSync } from 'node:fs';
import type { Archive } from '../archive/archive.ts';
import { damageOf, keptBytes } from '../archive/kept-file.ts';
import { OfferlineError } from '../errors.ts';
import { count, setTotal, type Meter } from '../gauge.ts';
import { inParallel } from '../io/in-parallel.ts';
import { readNote, type RestoreNote } from '../ledger/alerts/notes.ts';
import { connect, type Db, type Ledger } from '../ledger/ledger.ts';
import { fillLedger } from '../ledger/maintenance/fill-ledger.ts';
import { referencesTo } from '../ledger/maintenance/references.ts';
import { noteComplete } from '../ledger/maintenance/restored.ts';
import { forShell } from '../wording/escapes.ts';
import { assertListed, backupsIn, type Manifest } from './manifest.ts';
import { namesOf, unnamedIn } from './names.ts';
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
  const restored: RestoreNote = {
    place: place.address,
    backup: manifest.id,
    madeAt: manifest.at,
    at: now,
    original: manifest.ledger.id,
    filled: false,
    complete: false,
    chosen: null,
    term: null,
    fetching: {},
    config: manifest.config?.path ?? null,
  };
  await sayBroken(manifest, place, () => fillLedger(where, { ...fillingOf(manifest, place), restored }));
}

/** A file of the backup that is not whole is none of an archive: what helps is another backup. */
export async function sayBroken<T>({ id }: Manifest, place: BackupPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = damageOf(error);
    if (found === null) throw error;
    await assertListed(place, id);
    const { where, address } = place;
    throw new OfferlineError(
      'archive',
      `The backup ${id} in ${where} cannot be restored: its file ${found.sha256} is ${found.damage}. Name another one with --backup; \`offerline backup ${forShell(address)} --list\` shows all.`,
      { cause: error },
    );
  }
}

/**
 * The id of the backup that is to be restored; null: the newest. A restore that was begun here and has not ended goes on with its own, whatever was backed up
 * since. Fails with `conflict` where another one is named, or that one is not in the place.
 */
export async function backupToRestore(
  place: BackupPlace,
  named: string | null,
  where: LedgerPlace,
): Promise<string | null> {
  // A ledger that is away or damaged is said when it is to be filled.
  const begun = await noteOfRestore(where).catch(() => null);
  if (begun === null || !begun.filled || begun.complete) return named;
  const { backup } = begun;
  const emptied = where.databaseUrl === undefined ? 'the home' : 'the home and the database';
  if (named !== null && named !== backup) {
    throw new OfferlineError(
      'conflict',
      `The restore of the backup ${backup} has not ended: \`offerline restore ${forShell(place.address)} --backup ${backup}\` continues it. To restore another one, empty ${emptied} first.`,
    );
  }
  if ((await backupsIn(place)).includes(backup)) return backup;
  await place.assertThere();
  throw new OfferlineError(
    'conflict',
    `The restore of the backup ${backup} has not ended, and ${place.where} does not have it. If another place has it, name that one; if not, empty ${emptied} and restore again.`,
  );
}

/** True for a ledger that an earlier call has filled from this backup, and whose files it did not bring in to the end. */
async function wasFilled({ id }: Manifest, where: LedgerPlace): Promise<boolean> {
  const note = await noteOfRestore(where);
  if (note?.backup !== id) return false;
  if (note.complete) {
    throw new OfferlineError(
      'conflict',
      `The backup ${id} has been restored here already. \`offerline restore\` without a place shows what is to be chosen.`,
    );
  }
  return note.filled;
}

/** What the ledger of a place says of its restore; null where there is no ledger, or it says nothing. */
async function noteOfRestore(where: LedgerPlace): Promise<RestoreNote | null> {
  if (where.databaseUrl === undefined && !existsSync(where.file)) return null;
  const db = await connect(where);
  try {
    if (!(await db.introspection.getTables()).some(({ name }) => name === 'meta')) return null;
    return (await readNote(db, 'restored')) ?? null;
  } finally {
    await db.destroy();
  }
}

/** Fails with `archive` where the ledger names files that are not part of its backup: it would pass for whole. */
async function assertAllNamed(manifest: Manifest, names: ReadonlySet<string>, db: Db): Promise<void> {
  const { id } = manifest;
  const [strange] = unnamedIn(manifest, names, await referencesTo(db, null));
  if (strange === undefined) return;
  throw new OfferlineError(
    'archive',
    `The backup ${id} cannot be restored: its list of files lacks ${strange.sha256}, the ${strange.kind} of ${strange.owner}. Empty the home, and name another one with --backup; \`offerline backup --list\` shows all.`,
  );
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
  const names = await sayBroken(manifest, place, () => namesOf(manifest, place));
  await assertAllNamed(manifest, new Set(names), ledger.db);
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
  if (done.broken.length > 0) await assertListed(place, manifest.id);
  await noteComplete(ledger.db);
  return done;
}
