import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { leaveNote, readNote, type RestoreChoice, type RestoreNote } from '../alerts/notes.ts';
import { markOf } from '../ids.ts';
import type { Db, Ledger } from '../ledger.ts';

/** Gives a ledger that is about to be filled from a backup an id of its own, and notes where it comes from. */
export async function noteRestored(db: Db, restored: RestoreNote, id: string): Promise<void> {
  // First of all: from now on nothing works on it.
  await leaveNote(db, 'restored', restored);
  await db
    .insertInto('meta')
    .values({ key: 'ledger-id', value: id })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Notes that the ledger has all rows of the backup. */
export async function noteFilled(db: Db): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note !== undefined) await leaveNote(db, 'restored', { ...note, filled: true });
}

/** Notes that everything of a backup is here. */
export async function noteComplete(db: Db): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note !== undefined) await leaveNote(db, 'restored', { ...note, complete: true });
}

/** Notes what was chosen after a restore, and the runs that fetch what was delivered since. */
export async function noteChosen(
  db: Db,
  choice: { chosen: RestoreChoice; term: string; fetching: RestoreNote['fetching'] },
): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note !== undefined) await leaveNote(db, 'restored', { ...note, ...choice });
}

/**
 * True while a login waits for what was delivered since the backup: a dataset without it would take what is live back to older rows. A run that has ended,
 * however it did, is not waited for.
 */
export async function isFetching(db: Db, login: string): Promise<boolean> {
  const runs = own((await readNote(db, 'restored'))?.fetching ?? {}, login) ?? [];
  if (runs.length === 0) return false;
  const open = db.selectFrom('runs').select('id').where('id', 'in', runs).where('stage', 'in', ['pull', 'read']);
  return (await open.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Refuses work on a ledger that was restored and about which nobody has decided, and on one that another has taken the place of. Fails with
 * `conflict`.
 */
export async function assertMayWork({ db }: Pick<Ledger, 'db'>): Promise<void> {
  const taken = await readNote(db, 'taken-over');
  if (taken !== undefined) throw takenOver(taken.by, taken.said);
  const restored = await readNote(db, 'restored');
  if (restored === undefined) return;
  if (!restored.complete) {
    throw new OfferlineError(
      'conflict',
      `The restore of the backup ${restored.backup} has not ended. Run \`offerline restore\` with ${restored.place} again: it continues.`,
    );
  }
  if (restored.chosen !== null) return;
  throw new OfferlineError(
    'conflict',
    'This installation was restored from a backup, and nothing is sent before somebody has chosen what to go on with. `offerline restore` without a place shows what is live and what the backup does not know; then `offerline restore --resume live` or `offerline restore --resume backup`.',
  );
}

/** The error for an installation whose backup goes on elsewhere. */
export function takenOver(by: string, said: string): OfferlineError {
  return new OfferlineError(
    'conflict',
    `This installation was restored from a backup elsewhere, and the ledger ${by} has taken its place (${said}). It does nothing any more, so that nothing is sent twice. Remove it, or restore the newest backup of the other one here.`,
  );
}

/**
 * The end of this ledger's tokens: the mark of the one in whose place it goes on, which knows by it that it has been replaced, and its term, by which others that
 * were restored from the same backups do; empty where there is none.
 */
export async function successorMark(db: Db): Promise<string> {
  const restored = await readNote(db, 'restored');
  return restored === undefined ? '' : markOf(restored.original) + (restored.term ?? '');
}

/** In whose place a ledger goes on after a restore, and its term; null where nobody has chosen that. */
export async function successorOf(db: Db): Promise<{ original: string; term: string } | null> {
  const restored = await readNote(db, 'restored');
  return restored === undefined || restored.chosen === null
    ? null
    : { original: restored.original, term: restored.term ?? '' };
}

/** Notes that another ledger goes on in place of this one: nothing works on it any more. */
export async function noteTakenOver(db: Db, by: string, said: string, now: number): Promise<void> {
  await leaveNote(db, 'taken-over', { by, said, at: now });
}
