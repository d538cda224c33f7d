import { sql } from 'kysely';
import { OfferlineError } from '../../errors.ts';
import type { Causes, Outcome, RunEvent, Stage } from '../../model.ts';
import { timeId } from '../ids.ts';
import { runSentence, type RunReason } from '../../wording/reasons/run-reasons.ts';
import { storeReason } from '../../wording/reasons/reason.ts';
import { noteEvent } from '../hooks/events.ts';
import { inTransaction, type Db } from '../ledger.ts';
import type { RunOptions } from '../schema/json-values.ts';
import type { RunRow } from '../schema/schema.ts';

/** Where a run stands, and what was asked of it. */
export type Standing = Pick<RunRow, 'id' | 'stage' | 'options'>;

/** True for a run that asks its feed's source, which may be slow. Archived bytes and files given by hand are at hand. */
export function asksSource({ stage, options }: Pick<Standing, 'stage' | 'options'>): boolean {
  const { file, from, of } = options;
  return stage === 'pull' && file === undefined && (of === undefined || from === 'pull');
}

/** How a run ended and why. */
export type UndatedDecision = { [O in Outcome]: { outcome: O; cause: Causes[O]; reason: RunReason | null } }[Outcome];

type RunDecision = UndatedDecision & { now: number };

/** Records a new run; from here on it is open work that the sweep finds. */
export async function createRun(
  db: Db,
  input: { feed: string; login: string; cause: RunRow['cause']; options: RunOptions; sandbox: boolean; now: number },
): Promise<string> {
  const id = timeId(input.now);
  const { newest } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.max('created_at').as('newest'))
    .where('feed', '=', input.feed)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('runs')
    .values({
      id,
      feed: input.feed,
      login: input.login,
      cause: input.cause,
      options: input.options,
      stage: 'pull',
      // The later delivery has the later time, also after a clock was set back: it says which one is newer.
      created_at: Math.max(input.now, (newest ?? 0) + 1),
      tries: 0,
      outranked: 0,
      rejections_total: 0,
      sandbox: input.sandbox ? 1 : 0,
    })
    .execute();
  return id;
}

/** A run by its id; an unknown id is a user's mistake. */
export async function getRun(db: Db, id: string): Promise<RunRow> {
  const row = await findRun(db, id);
  if (row === undefined) {
    throw new OfferlineError('not-found', `There is no run ${id}; \`offerline runs\` lists them.`);
  }
  return row;
}

/** A run by its id, if it is there. */
export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes columns of a run. */
export async function updateRun(db: Db, id: string, set: Partial<Omit<RunRow, 'id'>>): Promise<void> {
  await db.updateTable('runs').set(set).where('id', '=', id).execute();
}

/** Lets no other transaction change a run until this one ends; what was read of it before may be old. Lock it before its feed. */
export async function lockRun(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('runs')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', id)
    .execute();
}

/** Adds a moment to a run's timeline. Two workers may do so at once; each keeps its place. */
export async function addEvent(db: Db, run: string, event: RunEvent): Promise<void> {
  for (let added = false; !added;) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('events')
      .values((eb) => ({
        run,
        seq: eb
          .selectFrom('events')
          .select((e) => e(e.fn.coalesce(e.fn.max('seq'), e.lit(0)), '+', 1).as('next'))
          .where('run', '=', run),
        ...event,
      }))
      .onConflict((conflict) => conflict.columns(['run', 'seq']).doNothing())
      .executeTakeFirstOrThrow();
    added = numInsertedOrUpdatedRows === 1n;
  }
}

/** The timeline of a run in order. */
export async function eventsOf(db: Db, run: string): Promise<RunEvent[]> {
  return db.selectFrom('events').select(['at', 'stage', 'message']).where('run', '=', run).orderBy('seq').execute();
}

/** Gives a run its outcome; what is left is its report. A run that has one already keeps its first finishing time. */
export async function decideRun(db: Db, id: string, decision: RunDecision): Promise<void> {
  await inTransaction(db, (trx) => decideIn(trx, id, decision));
}

async function decideIn(db: Db, id: string, decision: RunDecision): Promise<void> {
  const { cause, outcome } = decision;
  const reason = decision.reason === null ? null : runSentence(decision.reason);
  const run = await getRun(db, id);
  const options: RunOptions = { ...run.options, cause };
  const before = run.outcome ?? run.amended;
  await db
    .updateTable('runs')
    .set((eb) => ({
      amended: eb.ref('outcome'),
      outcome,
      reason,
      ...storeReason(decision.reason),
      options,
      stage: 'report' as const,
      tries: 0,
      finished_at: eb.fn.coalesce('finished_at', eb.val(decision.now)),
    }))
    .where('id', '=', id)
    .execute();
  await addEvent(db, id, {
    at: decision.now,
    stage: 'report',
    message: reason === null ? `outcome: ${outcome}` : `outcome: ${outcome}: ${reason}`,
  });
  // Every few minutes a look at a source finds nothing, or the file that is known.
  if (before === null && (cause === 'no-file' || cause === 'same-file')) return;
  const facts = { of: 'run', run: id, outcome, before, cause, reason } as const;
  await noteEvent(db, { event: 'run.ended', subject: `run ${id}`, at: decision.now, facts });
}

/**
 * Ends a run whose report says what `run` holds. One that was amended or released meanwhile stays open, so that what is
 * new is worked on and reported too.
 */
export async function closeRun(db: Db, run: RunRow): Promise<void> {
  await db
    .updateTable('runs')
    .set({ stage: 'done', tries: 0 })
    .where('id', '=', run.id)
    .where('stage', '=', 'report')
    .where('outcome', '=', run.outcome)
    .where('reason', run.reason === null ? 'is' : '=', run.reason)
    .execute();
}

/** Runs by what ops ask for, newest first; `since` in epoch milliseconds. */
export async function listRuns(
  db: Db,
  filter: { feed?: string; login?: string; outcomes?: Outcome[]; since?: number; limit?: number },
): Promise<RunRow[]> {
  let query = db.selectFrom('runs').selectAll();
  if (filter.feed !== undefined) query = query.where('feed', '=', filter.feed);
  if (filter.login !== undefined) query = query.where('login', '=', filter.login);
  if (filter.outcomes !== undefined) query = query.where('outcome', 'in', filter.outcomes);
  if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
  if (filter.limit !== undefined) query = query.limit(filter.limit);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** The newest run of a feed whose file was read to its end and is still kept. */
export async function newestReadRun(
  db: Db,
  { feed, login }: Pick<RunRow, 'feed' | 'login'>,
): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('feed', '=', feed)
    .where('login', '=', login)
    .where('rows_sha', 'is not', null)
    .where('bytes_pruned_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Runs that stand at one of the stages, of all logins or of one, oldest first. */
export async function runsAt(db: Db, stages: Stage[], login?: string): Promise<RunRow[]> {
  // The constant lets the database use the index of open runs, which a parameter would not.
  let query = db
    .selectFrom('runs')
    .selectAll()
    .where('stage', '<>', sql.lit<Stage>('done'))
    .where('stage', 'in', stages);
  if (login !== undefined) query = query.where('login', '=', login);
  return query.orderBy('created_at').orderBy('id').execute();
}

/** The login's runs that wait for its lane, oldest first. */
export async function runsOfLane(db: Db, login: string): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('login', '=', login)
    .where('stage', 'in', ['compose', 'upload'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** True when a newer run of the feed has an outcome that says something of its file. */
export async function hasNewerOutcome(db: Db, run: RunRow): Promise<boolean> {
  const newer = await db
    .selectFrom('runs')
    .select('id')
    .where('feed', '=', run.feed)
    .where('outcome', 'is not', null)
    .where('outcome', '<>', 'nothing')
    .where('created_at', '>', run.created_at)
    .limit(1)
    .executeTakeFirst();
  return newer !== undefined;
}

/** Whether the bytes of a run came again with a newer one that did not go well either. */
export async function cameAgain(db: Db, run: RunRow): Promise<boolean> {
  const again = await db
    .selectFrom('runs')
    .select('id')
    .where('feed', '=', run.feed)
    .where('outcome', 'in', ['held', 'rejected', 'failed'])
    .where('delivery_sha', run.delivery_sha === null ? 'is' : '=', run.delivery_sha)
    .where('created_at', '>', run.created_at)
    .limit(1)
    .executeTakeFirst();
  return again !== undefined;
}

/** The runs whose candidates went into an intent. */
export async function runsOfIntent(db: Db, intent: string): Promise<RunRow[]> {
  return db.selectFrom('runs').selectAll().where('intent', '=', intent).orderBy('created_at').orderBy('id').execute();
}
