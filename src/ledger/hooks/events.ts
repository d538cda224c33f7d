import type { HookEvent } from '../../config/schema/hooks/hook-schema.ts';
import { randomCode } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { HookEventRow, HookFacts } from '../schema/hook-schema.ts';

/** What happened, when, and what it is about. */
export type Happening = { event: HookEvent; subject: string; at: number; facts: HookFacts };

/**
 * Records that hooks are to be told of something. Call it in the transaction that records what happened, after the row was changed
 * that it is about: who changes the same row waits, and so the order of events is that of the changes.
 */
export async function noteEvent(db: Db, { event, subject, at, facts }: Happening): Promise<void> {
  const id = `evt_${randomCode(26)}`;
  for (let added = false; !added;) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('hook_events')
      .values({ id, event, subject, seq: (await lastOf(db, subject)) + 1, at, facts })
      .onConflict((conflict) => conflict.columns(['subject', 'seq']).doNothing())
      .executeTakeFirstOrThrow();
    added = numInsertedOrUpdatedRows === 1n;
  }
}

/** The greatest number of an event about the same, handed out or not, or forgotten since. */
async function lastOf(db: Db, subject: string): Promise<number> {
  const numbers: number[] = [];
  for (const table of ['hook_events', 'hook_messages', 'hook_counts'] as const) {
    const query = db.selectFrom(table).select((eb) => eb.fn.max('seq').as('last'));
    numbers.push((await query.where('subject', '=', subject).executeTakeFirst())?.last ?? 0);
  }
  return Math.max(...numbers);
}

/** Events that are not handed out yet: what is about the same in its order. */
export async function waitingEvents(db: Db, limit: number): Promise<HookEventRow[]> {
  return db.selectFrom('hook_events').selectAll().orderBy('seq').orderBy('at').orderBy('id').limit(limit).execute();
}

/** Takes an event in order to hand it out; false when another worker has done so. */
export async function takeEvent(trx: Db, id: string): Promise<boolean> {
  return (await trx.deleteFrom('hook_events').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n;
}
