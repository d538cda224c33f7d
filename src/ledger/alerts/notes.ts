import type { Db } from '../ledger.ts';

/** What a sweep found in the ledger and woke: ids of runs, names of logins. */
export type SweepNote = { at: number; owner: string; due: string[]; runs: string[]; lanes: string[] };

/** What a prune removed, by kind. */
export type PruneNote = { at: number; kinds: { kind: string; count: number; bytes: number }[] };

/** What somebody chose to go on with after a restore: what is live at the services, or what the backup knows. */
export type RestoreChoice = 'live' | 'backup';

/** From which backup this ledger was made, and what became of it. */
export type RestoreNote = {
  /** How a command names the place that the backup lies in, and what it is called. */
  place: string;
  backup: string;
  /** When it was made, and when it was restored. */
  madeAt: number;
  at: number;
  /** The ledger that it was made of, which has its place taken. */
  original: string;
  /**
   * Where that one was itself restored: the ledgers in whose place it goes on, the first one first, and its term, which that of this one has to be greater
   * than. Earlier versions did not note it.
   */
  before?: { ledgers: string[]; term: string | null };
  /** Where the configuration file lay when the backup was made; earlier versions did not note it. */
  config?: string | null;
  /** Whether the ledger has its rows, and whether all files have been brought in. */
  filled: boolean;
  complete: boolean;
  /** Nothing works on this ledger before somebody has chosen. */
  chosen: RestoreChoice | null;
  /** Of those that were restored from one ledger's backups, the one with the greatest term goes on; null before the choice. */
  term: string | null;
  /** Runs that fetch what was delivered since, by login: nothing is composed there before each of them has its rows. */
  fetching: Record<string, string[]>;
  /** Feeds to which files are pushed, and since when a push counts: nothing is composed before one has come. Earlier versions did not wait for any. */
  pushes?: Record<string, number>;
};

/** Which ledger goes on in place of this one, since when, and who said so. `mailed`: when ops were told of it last. */
export type TakenOverNote = { by: string; at: number; said: string; mailed?: number };

/** The id of the archive of the original, which a restored ledger shares until somebody has chosen and then has as its own. */
type SharedArchiveNote = { archive: string };

/** The newest backup of each place. */
export type BackupsNote = Record<string, { at: number; backup: string; lost: number }>;

/** How the scheduled backups of a place go: since when they are scheduled, and what has failed since the last one. */
export type BackupTriesNote = {
  place: string;
  since: number;
  failed: { at: number; times: number; said: string } | null;
  /** When the newest one was made, by a clock that was far ahead; nothing is late before it was tried again. */
  ahead?: number | null;
};

/** What processes leave for each other, one value each; the newest counts. */
export type Notes = {
  /** The newest sweep. */
  'last-sweep': SweepNote;
  /** The newest sweep that found something to do. */
  'last-find': SweepNote;
  /** The newest prune. */
  'last-prune': PruneNote;
  backups: BackupsNote;
  'backup-tries': BackupTriesNote;
  restored: RestoreNote;
  'taken-over': TakenOverNote;
  'archive-shared': SharedArchiveNote;
  /** Who the suppliers of feeds are, and since when: those that a feed had before are others. */
  suppliers: Record<string, { mark: string; since: number }>;
  /** Proposals that somebody does not want to see again, by their ids. */
  silenced: Record<string, { at: number; who: string; reason: string }>;
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

/** Removes a note. */
export async function removeNote(db: Db, key: keyof Notes): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', key).execute();
}

/** The note that was left last, if there is one. */
export async function readNote<Key extends keyof Notes>(db: Db, key: Key): Promise<Notes[Key] | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row === undefined ? undefined : noteIn(key, row.value);
}

/** A note as its row has it, which may be that of another ledger. */
export function noteIn<Key extends keyof Notes>(_key: Key, text: string): Notes[Key] {
  return JSON.parse(text) as Notes[Key];
}
