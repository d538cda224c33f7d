import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveIdentity, IdentityPlace } from '../archive/identity.ts';
import { OfferlineError } from '../errors.ts';
import { readNote, removeNote } from '../ledger/alerts/notes.ts';
import { acquireLease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  archiveIdOf,
  archivePlaceIn,
  keepArchiveId,
  moveToArchive,
  noteArchivePlace,
} from '../ledger/maintenance/archive-id.ts';

/**
 * Refuses to create a ledger where one has vanished: an empty one would know nothing of what is live, of uploads under way and of
 * what was decided, and would upload over all of it. Call it before a ledger's file is opened.
 */
export async function assertLedgerThere(file: string, archive: IdentityPlace): Promise<void> {
  if (existsSync(file)) return;
  const identity = await archive.read();
  if (identity === null) return;
  throw new OfferlineError(
    'conflict',
    `The ledger ${file} is missing, but the archive ${archive.where} belongs to it (${identity.ledger}). Restore the ledger from a backup. To start over without its records (what is live, open uploads, decisions), remove ${archive.file}.`,
  );
}

/**
 * Binds an archive to the ledger, or checks that it is: each names the other. Two homes on one ledger with an archive
 * each would miss each other's files. A ledger moves to an archive that has a complete copy of its own. Fails with `conflict` when they do not
 * belong together.
 */
export async function bindArchive(place: IdentityPlace, ledger: Ledger): Promise<void> {
  if ((await archiveIdOf(ledger.db)) === null) await oneAtATime(ledger, () => bindFirst(place, ledger));
  const known = await archiveIdOf(ledger.db);
  const there = await place.read();
  // `archive copy` has brought everything there.
  const isTheirs =
    known === null ||
    there?.archive === known ||
    (there?.ledger === ledger.id && (await moveToArchive(ledger, known, there.archive))) ||
    (await takeShared(place, ledger, known, there));
  if (!isTheirs) throw another(place, there, await shownArchive(known, ledger), known, ledger);
  await noteArchivePlace(ledger.db, place.where);
}

/** Gives an archive that was shared with the original to a ledger that goes on after a restore; answers whether it has it. May be called again after it was stopped. */
async function takeShared(
  place: IdentityPlace,
  { db, id }: Ledger,
  archive: string,
  there: ArchiveIdentity | null,
): Promise<boolean> {
  const [restored, shared] = [await readNote(db, 'restored'), await readNote(db, 'archive-shared')];
  const isShared = there !== null && there.archive === shared?.archive && there.ledger === restored?.original;
  // Another process may have done it meanwhile.
  if (!isShared || restored?.chosen == null) return (await place.read())?.archive === archive;
  await place.replace({ archive, ledger: id });
  await removeNote(db, 'archive-shared');
  return true;
}

/** The archive of a ledger, for people: where it was seen last, and its id. */
async function shownArchive(id: string, { db }: Ledger): Promise<string> {
  const place = await archivePlaceIn(db);
  return place === null ? id : `${place} (${id})`;
}

async function bindFirst(place: IdentityPlace, ledger: Ledger): Promise<void> {
  if ((await archiveIdOf(ledger.db)) !== null) return;
  const identity = (await place.read()) ?? (await place.claim({ ledger: ledger.id, archive: randomUUID() }));
  // The ledger comes from before it was bound, or its process died on the way.
  if (identity.ledger !== ledger.id) throw ofAnother(place, identity.ledger, ledger);
  const kept = await keepArchiveId(ledger.db, identity.archive);
  if (kept !== identity.archive) throw another(place, identity, await shownArchive(kept, ledger), kept, ledger);
}

/** Longer than a store of objects takes to write and read a short object. */
const BINDING = 60_000;
const AGAIN = 100;

/**
 * Machines that start together bind one after the other: of two that write the identity at the same moment, each of them only if it is not
 * there, some stores of objects take both.
 */
async function oneAtATime(ledger: Ledger, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const taken = await acquireLease(ledger, 'archive-identity', randomUUID(), BINDING);
    if ('heldFor' in taken) {
      await sleep(Math.min(taken.heldFor, AGAIN));
      continue;
    }
    try {
      return await work();
    } finally {
      await taken.lease.release();
    }
  }
}

function ofAnother({ where, file }: IdentityPlace, other: string, ledger: Ledger): OfferlineError {
  return new OfferlineError(
    'conflict',
    `The archive ${where} belongs to the ledger ${other}, and this one is ${ledger.id}${ledger.engine === 'postgres' ? ' (DATABASE_URL)' : ''}. Point OFFERLINE_HOME and DATABASE_URL at a ledger and an archive that belong together, or restore the ledger from a backup. To start over with this ledger, remove ${file}.`,
  );
}

function another(
  { where: place, file: idFile }: IdentityPlace,
  there: ArchiveIdentity | null,
  shown: string,
  known: string,
  ledger: Ledger,
): OfferlineError {
  const where = ledger.engine === 'postgres' ? 'The ledger of DATABASE_URL' : 'The ledger of this home';
  if (there !== null && there.ledger !== ledger.id) {
    return new OfferlineError(
      'conflict',
      `${where} keeps its files in the archive ${shown}, and the archive ${place} belongs to the ledger ${there.ledger}. If that one was restored from a backup of this one, it goes on in its place, and the archive stays with it. If not, point OFFERLINE_HOME or ARCHIVE_URL at the archive of this ledger, or restore that from a backup.`,
    );
  }
  const what = there === null ? 'is new or has been emptied' : `is ${there.archive}`;
  const file = JSON.stringify({ archive: known, ledger: ledger.id });
  return new OfferlineError(
    'conflict',
    `${where} keeps its files in the archive ${shown}, and the archive ${place} ${what}. Machines that share a ledger share one archive: point OFFERLINE_HOME or ARCHIVE_URL at it, or restore it from a backup; \`offerline archive copy\` moves its files to another. If its files are permanently lost, write ${file} into ${idFile} and run \`offerline verify --repair\`.`,
  );
}
