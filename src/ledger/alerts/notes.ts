import type { Db } from '../ledger.ts';

/** What a sweep found in the ledger and woke: ids of runs, names of logins. */
export type SweepNote = { at: number; owner: string; due: string[]; runs: string[]; lanes: string[] };

/** What a prune removed, by kind. */
export type PruneNote = { at: number; kinds: { kind: string; count: number; bytes: number }[] };

/** What processes leave for each other, one value each; the newest counts. */
export type Notes = {
  /** The newest sweep. */
  'last-sweep': SweepNote;
  /** The newest sweep that found something to do. */
  'last-find': SweepNote;
  /** The newest prune. */
  'last-prune': PruneNote;
};

/** Leaves a note in place of the one before. */
export async function leaveNote<Key extends keyof Notes>(db: Db, key: Key, note: Notes[Key]): Promise<void> {
  const value = JSON.stringify(note);
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** The note that was left last, if there is one. */
export async function readNote<Key extends keyof Notes>(db: Db, key: Key): Promise<Notes[Key] | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.value) as Notes[Key]);
}
