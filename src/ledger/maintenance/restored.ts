import { randomUUID } from 'node:crypto';
import { OfferlineError } from '../../errors.ts';
import { forShell } from '../../wording/escapes.ts';
import { leaveNote, readNote, type RestoreChoice, type RestoreNote, type TakenOverNote } from '../alerts/notes.ts';
import { markOf } from '../ids.ts';
import type { Db, Ledger } from '../ledger.ts';
import { renameArchive } from './archive-id.ts';

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

/** Notes that the ledger has all rows of the backup. `of`: what the ledger that it was made of had noted of its own restore. */
export async function noteFilled(db: Db, of: RestoreNote | null): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note === undefined) return;
  const before = of === null ? {} : { before: { ledgers: lineOf(of), term: of.term ?? of.before?.term ?? null } };
  await leaveNote(db, 'restored', { ...note, ...before, filled: true });
}

/** The ledgers in whose place a restored one goes on, one after the other, the first one first. */
function lineOf({ original, before }: RestoreNote): string[] {
  return [...(before?.ledgers ?? []), original];
}

/** Notes that everything of a backup is here. */
export async function noteComplete(db: Db): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note !== undefined) await leaveNote(db, 'restored', { ...note, complete: true });
}

/** Notes what was chosen after a restore, the runs that fetch what was delivered since, and the feeds that wait for a push. An archive that is shared with the original is its own from now on. */
export async function noteChosen(
  db: Db,
  choice: { chosen: RestoreChoice; term: string } & Pick<RestoreNote, 'fetching' | 'pushes'>,
): Promise<void> {
  const note = await readNote(db, 'restored');
  if (note === undefined) return;
  await leaveNote(db, 'restored', { ...note, ...choice });
  if ((await readNote(db, 'archive-shared')) !== undefined) await renameArchive(db, randomUUID());
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
      `The restore of the backup ${restored.backup} has not ended. Run \`offerline restore ${forShell(restored.place)} --backup ${restored.backup}\` again: it continues.`,
    );
  }
  if (restored.chosen !== null) return;
  throw new OfferlineError(
    'conflict',
    'This installation was restored from a backup, and nothing is sent before somebody has chosen what to go on with. `offerline restore` without a place shows what is live and what the backup does not know; then `offerline restore --resume live` or `offerline restore --resume backup`.',
  );
}

/** Why nothing works on a ledger: another one goes on in its place, its restore has not ended, or nobody has chosen; null where work goes on. */
export async function restingFor(db: Db): Promise<'replaced' | 'restoring' | 'undecided' | null> {
  if ((await readNote(db, 'taken-over')) !== undefined) return 'replaced';
  const restored = await readNote(db, 'restored');
  if (restored === undefined || restored.chosen !== null) return null;
  return restored.complete ? 'undecided' : 'restoring';
}

/** The error for an installation whose backup goes on elsewhere. */
export function takenOver(by: string, said: string): OfferlineError {
  return new OfferlineError(
    'conflict',
    `This installation was restored from a backup elsewhere, and the ledger ${by} has taken its place (${said}). It does nothing any more, so that nothing is sent twice. Remove it, or restore the newest backup of the other one here.`,
  );
}

/**
 * The end of this ledger's tokens: the mark of the first one in whose place it goes on, which knows by it that it has been replaced, and its term, by which all
 * others do that were restored from backups of that one, or of one that went on in its place; empty where there is none.
 */
export async function successorMark(db: Db): Promise<string> {
  const restored = await readNote(db, 'restored');
  return restored === undefined ? '' : markOf(lineOf(restored)[0]!) + (restored.term ?? '');
}

/** In whose place a ledger goes on after a restore, the first one first, and its term; null where nobody has chosen that. */
export async function successorOf(db: Db): Promise<{ originals: string[]; term: string } | null> {
  const restored = await readNote(db, 'restored');
  return restored === undefined || restored.chosen === null
    ? null
    : { originals: lineOf(restored), term: restored.term ?? '' };
}

/** What the terms of those begin from that go on in the place of the same ledgers: the mark in their tokens, and the terms that are known already. */
export function termsBefore(restored: RestoreNote): { mark: string; terms: string[] } {
  const { term = null } = restored.before ?? {};
  return { mark: markOf(lineOf(restored)[0]!), terms: term === null ? [] : [term] };
}

/** Notes that another ledger goes on in place of this one: nothing works on it any more. What was noted first stays. */
export async function noteTakenOver(db: Db, by: string, said: string, now: number): Promise<void> {
  if ((await readNote(db, 'taken-over')) === undefined) await leaveNote(db, 'taken-over', { by, said, at: now });
}

/** Claims to tell ops that another ledger goes on; null where none does, or it was told less than `every` ago. Of several processes one gets it. */
export async function claimTold(db: Db, now: number, every: number): Promise<TakenOverNote | null> {
  const note = await readNote(db, 'taken-over');
  if (note === undefined || now - (note.mailed ?? -Infinity) < every) return null;
  const claimed = { ...note, mailed: now };
  return (await exchange(db, note, claimed)) ? claimed : null;
}

/** Gives back what was claimed: nobody could be told. */
export async function forgetTold(db: Db, claimed: TakenOverNote): Promise<void> {
  const { mailed: _mailed, ...note } = claimed;
  await exchange(db, claimed, note);
}

/** Replaces a note that is still the same; false where another process was first. */
async function exchange(db: Db, before: TakenOverNote, after: TakenOverNote): Promise<boolean> {
  const query = db
    .updateTable('meta')
    .set({ value: JSON.stringify(after) })
    .where('key', '=', 'taken-over');
  const { numUpdatedRows } = await query.where('value', '=', JSON.stringify(before)).executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
