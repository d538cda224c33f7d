import { sql } from 'kysely';
import type { Cause, DecisionRequest, RequestEnd } from '../../model.ts';
import type { Db } from '../ledger.ts';
import type { RequestRow, RunRow } from '../schema/schema.ts';

/** Records a request; false when another one waits for the same feed or login. */
export async function insertRequest(trx: Db, row: RequestRow): Promise<boolean> {
  const done = await trx
    .insertInto('requests')
    .values(row)
    .onConflict((conflict) => conflict.column('scope').where('ended_at', 'is', null).doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n;
}

/** How, when and by whom a request ends. */
export type Ending = { at: number; how: RequestEnd; by: string | null; reason: string };

/** Ends a request that waits; false when somebody else has ended it. */
export async function endRequest(trx: Db, id: string, { at, how, by, reason }: Ending): Promise<boolean> {
  const done = await trx
    .updateTable('requests')
    .set({ ended_at: at, ended_how: how, ended_by: by, ended_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** A request by its id, also one that has ended. */
export async function findRequest(db: Db, id: string): Promise<RequestRow | undefined> {
  return db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The requests that wait, or all of them; the oldest first. */
export async function listRequests(db: Db, { all = false }: { all?: boolean } = {}): Promise<RequestRow[]> {
  const query = db.selectFrom('requests').selectAll().orderBy('at').orderBy('id');
  return (all ? query : query.where('ended_at', 'is', null)).execute();
}

/** The request that waits for a feed or a login as a whole: `feed NAME` or `login NAME`. */
export async function waitingRequest(db: Db, scope: string): Promise<RequestRow | undefined> {
  const query = db.selectFrom('requests').selectAll().where('scope', '=', scope).where('ended_at', 'is', null);
  return query.executeTakeFirst();
}

/** The newest request to approve a run, whether or not it has ended. */
export async function requestOfRun(db: Db, run: string): Promise<RequestRow | undefined> {
  const query = db
    .selectFrom('requests')
    .selectAll()
    .where('run', '=', run)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
  return query.limit(1).executeTakeFirst();
}

/** Causes for which files are held that are not the next ones of their feed. */
const OUT_OF_TURN: ReadonlySet<Cause | undefined> = new Set(['older-file', 'order', 'correction']);

/**
 * A held run of the same feed whose file was taken later and has other bytes; undefined when there is none. One that reads an earlier file again
 * brings nothing newer, nor does one whose file is out of turn.
 */
export async function heldLater(
  db: Db,
  { id, feed, login, delivery_sha, taken_at, created_at }: RunRow,
): Promise<string | undefined> {
  const taken = taken_at ?? created_at;
  const newer = await db
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .where('login', '=', login)
    // Written out, so that the index of held runs is used: a feed has few of them among thousands.
    .where(sql<boolean>`outcome = 'held'`)
    .where('id', '<>', id)
    .where('delivery_sha', '<>', delivery_sha)
    .where((eb) => eb(eb.fn.coalesce('taken_at', 'created_at'), '>', taken))
    .orderBy('created_at', 'desc')
    .execute();
  return newer.find(({ options }) => options.of === undefined && !OUT_OF_TURN.has(options.cause))?.id;
}

/** How a request ended. */
export type Ended = Pick<RequestRow, 'ended_how' | 'ended_by' | 'ended_reason'>;

/** How a request ended, in a sentence. */
export function endText({ ended_how, ended_by, ended_reason }: Ended): string {
  return ended_by === null ? (ended_reason ?? '') : `${ended_how} by ${ended_by}: ${ended_reason}`;
}

/** Nobody agreed in time. */
export const NOBODY = 'nobody agreed within a day';

/** A request as people and scripts see it. One that nobody agreed to in time is over, whether or not a worker has noted it. */
export function requestAnswer(row: RequestRow, now: number): DecisionRequest {
  const { id: request, action, login, feed, run, upload, known_as: by, reason, at: since, ends_at: until } = row;
  const { ended_at, ended_how, ended_by } = row;
  const late = now < until ? null : ({ how: 'expired', at: until, by: null, text: NOBODY } as const);
  const ended =
    ended_at === null || ended_how === null ? late : { how: ended_how, at: ended_at, by: ended_by, text: endText(row) };
  return { request, action, login, feed, run, upload, by, reason, since, until, ended };
}
