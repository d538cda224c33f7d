import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../ledger.ts';
import type { Database, HookMessageRow } from '../schema/schema.ts';

/** The longest wait before the next try: a time further ahead comes from a clock that was set back since. */
export const LONGEST_PAUSE = 3_600_000;

/** What a hook is to be told. */
type NewMessage = Pick<HookMessageRow, 'hook' | 'id' | 'event' | 'subject' | 'seq' | 'at' | 'body'>;

/** Queues a message; the same event is queued once for a hook. */
export async function queueMessage(db: Db, message: NewMessage): Promise<void> {
  await db
    .insertInto('hook_messages')
    .values({ ...message, state: 'open', tries: 0, next_at: 0 })
    .onConflict((conflict) => conflict.columns(['hook', 'id']).doNothing())
    .execute();
}

/** The hooks that something is to be sent to, also such as the configuration does not know any more. */
export async function hooksWithMessages(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('hook_messages').select('hook').where('state', '=', 'open').distinct().execute();
  return rows.map(({ hook }) => hook);
}

/** The message that is to be sent to a hook next: the oldest that may be tried and has no open one about the same before it. */
export async function nextMessage(db: Db, hook: string, now: number): Promise<HookMessageRow | undefined> {
  return db
    .selectFrom('hook_messages')
    .selectAll()
    .where('state', '=', 'open')
    .where('hook', '=', hook)
    .where(isDue(now))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('hook_messages as before')
            .select('before.id')
            .where('before.state', '=', 'open')
            .where('before.hook', '=', hook)
            .whereRef('before.subject', '=', 'hook_messages.subject')
            .whereRef('before.seq', '<', 'hook_messages.seq'),
        ),
      ),
    )
    .orderBy('at')
    .orderBy('seq')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Holds a message until the transaction ends; answers when it was asked for, by what happened or by a replay. */
export async function holdMessage(
  trx: Db,
  { hook, id }: Pick<HookMessageRow, 'hook' | 'id'>,
): Promise<number | undefined> {
  const held = trx.updateTable('hook_messages').set((eb) => ({ state: eb.ref('state') }));
  const row = await held.where('hook', '=', hook).where('id', '=', id).returning('at').executeTakeFirst();
  return row?.at;
}

/** Records that a hook took a message, or that there was nothing left to say. */
export async function messageEnded(
  db: Db,
  { hook, id }: Pick<HookMessageRow, 'hook' | 'id'>,
  state: 'sent' | 'skipped',
  now: number,
): Promise<void> {
  await change(db, { hook, id }, { state, error: null, ended_at: now });
}

/** Records that a hook did not take a message, which is tried again at a time. */
export async function messageFailed(
  db: Db,
  message: Pick<HookMessageRow, 'hook' | 'id' | 'tries'>,
  { error, nextAt }: { error: string; nextAt: number },
): Promise<void> {
  await change(db, message, { tries: message.tries + 1, error, next_at: nextAt });
}

/** Why messages are given up, which are from `before` or earlier. */
type GivenUp = { before: number; error: string; now: number };

/** Gives up the open messages of a hook; answers how many. */
export async function giveUpMessages(db: Db, hook: string, given: GivenUp): Promise<number> {
  return Number((await giveUp(db, hook, given).executeTakeFirst()).numUpdatedRows);
}

/** Gives up one message that a hook refused; answers whether it was old enough, as a number. */
export async function giveUpRefused(
  db: Db,
  { hook, id }: Pick<HookMessageRow, 'hook' | 'id'>,
  given: GivenUp,
): Promise<number> {
  const query = giveUp(db, hook, given, 'refused').where('id', '=', id);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

function giveUp(db: Db, hook: string, { before, error, now }: GivenUp, state: 'given-up' | 'refused' = 'given-up') {
  return db
    .updateTable('hook_messages')
    .set((eb) => ({ state, error: eb.fn.coalesce('error', eb.val(error)), ended_at: now }))
    .where('state', '=', 'open')
    .where('hook', '=', hook)
    .where('at', '<=', before);
}

/**
 * Forgets what hooks were to be told when a backup was made: the original told most of it since. The messages can be sent once more by hand.
 */
export async function forgetUntold(trx: Db, now: number): Promise<void> {
  await trx.deleteFrom('hook_events').execute();
  await trx.deleteFrom('hook_failures').execute();
  await trx
    .updateTable('hook_messages')
    .set({ state: 'given-up', error: 'it is from before the restore', ended_at: now })
    .where('state', '=', 'open')
    .execute();
}

/** Makes messages of a hook open again, those that were given up, or one by its id, whatever became of it; answers how many. */
export async function replayMessages(db: Db, hook: string, id: string | null, now: number): Promise<number> {
  const query = db
    .updateTable('hook_messages')
    .set({ state: 'open', tries: 0, next_at: 0, error: null, ended_at: null, at: now })
    .where('hook', '=', hook);
  const chosen = id === null ? query.where('state', 'in', ['given-up', 'refused']) : query.where('id', '=', id);
  return Number((await chosen.executeTakeFirst()).numUpdatedRows);
}

/** The newest messages, of one hook or of all. */
export async function newestMessages(
  db: Db,
  { hook, state, limit }: { hook?: string | undefined; state?: HookMessageRow['state'] | undefined; limit: number },
): Promise<HookMessageRow[]> {
  let query = db.selectFrom('hook_messages').selectAll().orderBy('at', 'desc').orderBy('seq', 'desc');
  if (hook !== undefined) query = query.where('hook', '=', hook);
  if (state !== undefined) query = query.where('state', '=', state);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** How many messages each hook refused that were given up after a time, and since when. */
export async function refusedMessages(
  db: Db,
  after: number,
): Promise<{ hook: string; count: number; since: number }[]> {
  return db
    .selectFrom('hook_messages')
    .select((eb) => ['hook', eb.fn.countAll<number>().as('count'), eb.fn.min('at').as('since')])
    .where('state', '=', 'refused')
    .where('ended_at', '>', after)
    .groupBy('hook')
    .orderBy('hook')
    .execute();
}

/** How many messages of each hook are in each state. */
export async function countMessages(
  db: Db,
): Promise<{ hook: string; state: HookMessageRow['state']; count: number }[]> {
  return db
    .selectFrom('hook_messages')
    .select((eb) => ['hook', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['hook', 'state'])
    .execute();
}

/** Of each hook the message that has waited longest. */
export async function oldestOpen(db: Db): Promise<HookMessageRow[]> {
  const found: HookMessageRow[] = [];
  for (const hook of await hooksWithMessages(db)) {
    const query = db.selectFrom('hook_messages').selectAll().where('state', '=', 'open').where('hook', '=', hook);
    const oldest = await query.orderBy('at').orderBy('seq').orderBy('id').limit(1).executeTakeFirst();
    if (oldest !== undefined) found.push(oldest);
  }
  return found;
}

/** Forgets the messages that ended before a time, and remembers how far their numbers went: what is told later counts on from there. */
export async function pruneMessages(trx: Db, before: number): Promise<void> {
  const ended = trx.selectFrom('hook_messages').where('state', '<>', 'open').where('ended_at', '<=', before);
  const counts = ended
    // Nothing more is ever told about a decision.
    .where('event', '<>', 'decision.made')
    .groupBy('subject')
    .select((eb) => ['subject', eb.fn.max('seq').as('seq')]);
  await trx
    .insertInto('hook_counts')
    .columns(['subject', 'seq'])
    .expression(counts)
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((eb) => ({ seq: eb.ref('excluded.seq') }))
        .whereRef('excluded.seq', '>', 'hook_counts.seq'),
    )
    .execute();
  await trx.deleteFrom('hook_messages').where('state', '<>', 'open').where('ended_at', '<=', before).execute();
}

function isDue(now: number) {
  return (eb: ExpressionBuilder<Database, 'hook_messages'>) =>
    eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + LONGEST_PAUSE)]);
}

async function change(
  db: Db,
  { hook, id }: Pick<HookMessageRow, 'hook' | 'id'>,
  set: Partial<HookMessageRow>,
): Promise<void> {
  const open = db.updateTable('hook_messages').set(set).where('state', '=', 'open');
  await open.where('hook', '=', hook).where('id', '=', id).execute();
}
