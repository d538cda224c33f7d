import type { Db } from '../ledger.ts';
import type { ListedFile } from '../schema/json-values.ts';
import type { TakenFileRow } from '../schema/schema.ts';

/** A place of a feed: its source as `originOf` tells it from others. */
export type PlaceOfFeed = { feed: string; origin: string };

type Known = { identity: string; listed: ListedFile };

/** What a run took from a place, and what it passed over for it. */
export type Taking = PlaceOfFeed & {
  run: string;
  at: number;
  sha256: string;
  /** The files of the delivery. */
  taken: Known[];
  superseded: Known[];
  /** The file is to be moved or deleted there. */
  acknowledge: boolean;
};

/** Rows of one insert: Postgres takes 65,535 parameters. */
const AT_ONCE = 1000;

/** Records files that were taken and those that they superseded. Repeating it changes nothing but the run and the time. */
export async function noteTaken(trx: Db, taking: Taking): Promise<void> {
  const { feed, origin, run, at, sha256, taken, superseded, acknowledge } = taking;
  const base = { feed, origin, run, at, tries: 0 };
  for (const known of taken) {
    const row = { ...base, ...known, state: 'taken', sha256, acknowledged: acknowledge ? 'open' : null } as const;
    await trx
      .insertInto('taken_files')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['feed', 'origin', 'identity']).doUpdateSet((eb) => ({
          ...row,
          // One that could not be moved or deleted yet is the same work.
          tries: eb
            .case()
            .when('taken_files.acknowledged', '=', 'open')
            .then(eb.ref('taken_files.tries'))
            .else(0)
            .end(),
        })),
      )
      .execute();
  }
  for (let from = 0; from < superseded.length; from += AT_ONCE) {
    const rows = superseded
      .slice(from, from + AT_ONCE)
      .map((known) => Object.assign({ state: 'superseded' as const, sha256: null, acknowledged: null }, base, known));
    await trx
      .insertInto('taken_files')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['feed', 'origin', 'identity'])
          .doUpdateSet({ run, at })
          .where('taken_files.state', '=', 'superseded'),
      )
      .execute();
  }
}

/** The file that was taken last from a place. */
export async function lastTaken(db: Db, { feed, origin }: PlaceOfFeed): Promise<TakenFileRow | undefined> {
  return db
    .selectFrom('taken_files')
    .selectAll()
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('state', '=', 'taken')
    .orderBy('at', 'desc')
    .orderBy('run', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The identities of the files of a place that were superseded, but for those that were by some runs. */
export async function supersededFiles(
  db: Db,
  { feed, origin }: PlaceOfFeed,
  except: readonly string[] = [],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('taken_files')
    .select('identity')
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('state', '=', 'superseded')
    .$if(except.length > 0, (query) => query.where('run', 'not in', except))
    .execute();
  return new Set(rows.map(({ identity }) => identity));
}

/** The files of a place that were taken, and the runs that took them. */
export async function takenFiles(
  db: Db,
  { feed, origin }: PlaceOfFeed,
): Promise<Pick<TakenFileRow, 'identity' | 'run'>[]> {
  return db
    .selectFrom('taken_files')
    .select(['identity', 'run'])
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('state', '=', 'taken')
    .execute();
}

/** The files that runs took from a place of a feed, or passed over for those. */
export async function filesOfRuns(
  db: Db,
  { feed, origin, state }: PlaceOfFeed & Pick<TakenFileRow, 'state'>,
  runs: string[],
): Promise<Pick<TakenFileRow, 'run' | 'listed'>[]> {
  if (runs.length === 0) return [];
  return db
    .selectFrom('taken_files')
    .select(['run', 'listed'])
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('state', '=', state)
    .where('run', 'in', runs)
    .execute();
}

/** What the feeds of a place, whichever they are, know of one of its files. */
export async function knownOf(
  db: Db,
  { origin, identity }: Pick<TakenFileRow, 'origin' | 'identity'>,
): Promise<Pick<TakenFileRow, 'feed' | 'state'>[]> {
  return db
    .selectFrom('taken_files')
    .select(['feed', 'state'])
    .where('origin', '=', origin)
    .where('identity', '=', identity)
    .execute();
}

/** The files of a place that are still to be moved or deleted, oldest first. */
export async function openAcknowledgements(db: Db, { feed, origin }: PlaceOfFeed): Promise<TakenFileRow[]> {
  return db
    .selectFrom('taken_files')
    .selectAll()
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('acknowledged', '=', 'open')
    .orderBy('at')
    .execute();
}

/** Records what became of a file that was to be moved or deleted; `open` is one more failed try. */
export async function noteAcknowledged(
  db: Db,
  { feed, origin, identity }: TakenFileRow,
  acknowledged: NonNullable<TakenFileRow['acknowledged']>,
): Promise<void> {
  await db
    .updateTable('taken_files')
    .set((eb) => (acknowledged === 'open' ? { tries: eb('tries', '+', 1) } : { acknowledged }))
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('identity', '=', identity)
    .execute();
}

/** The files that a run took, as their place listed them. */
export async function filesOfRun(db: Db, run: string): Promise<ListedFile[]> {
  const rows = await db
    .selectFrom('taken_files')
    .select('listed')
    .where('run', '=', run)
    .where('state', '=', 'taken')
    .execute();
  return rows.map(({ listed }) => listed);
}
