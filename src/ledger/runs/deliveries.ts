import type { RecentDelivery } from '../../model.ts';
import { recover } from '../alerts/incidents.ts';
import type { Db } from '../ledger.ts';

/** A file as its source distinguishes it from others. */
export type Arrival = { feed: string; login: string; name: string; fingerprint: string };

/**
 * Records that a supplier delivered, which ends a missing delivery and an expiry. The file of the last delivery, met again
 * because it could not be used, is no delivery; false then.
 */
export async function noteDelivery(db: Db, { feed, login, name, fingerprint }: Arrival, now: number): Promise<boolean> {
  const noted = await db
    .updateTable('feeds')
    .set({ delivered: fingerprint, delivered_at: now, warned_at: null })
    .where('feed', '=', feed)
    .where((eb) => eb.or([eb('delivered', 'is', null), eb('delivered', '<>', fingerprint)]))
    .executeTakeFirst();
  if (noted.numUpdatedRows !== 1n) return false;
  const text = `${name} was delivered`;
  for (const kind of ['missing-delivery', 'expiry'] as const) await recover(db, { kind, login, feed, text }, now);
  return true;
}

/** When a file is taken that comes after all others of its feed, also by a clock that was set back or is behind that of another machine. */
export async function nextTaking(db: Db, feed: string, now: number): Promise<number> {
  const { newest } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.max('taken_at').as('newest'))
    .where('feed', '=', feed)
    .executeTakeFirstOrThrow();
  return Math.max(now, (newest ?? 0) + 1);
}

/**
 * Since when a feed's next delivery is waited for, epoch milliseconds: its last one; of a feed that never delivered, the time
 * of the first call.
 */
export async function waitsSince(db: Db, feed: string, now: number): Promise<{ since: number; delivered: boolean }> {
  const row = await db
    .updateTable('feeds')
    .set((eb) => ({ expected_from: eb.fn.coalesce('expected_from', eb.val(now)) }))
    .where('feed', '=', feed)
    .returning(['delivered_at', 'expected_from'])
    .executeTakeFirstOrThrow();
  const { delivered_at, expected_from } = row;
  return { since: delivered_at ?? expected_from ?? now, delivered: delivered_at !== null };
}

/** Records the first warning that a feed is about to expire; gives when it was. */
export async function noteWarning(db: Db, feed: string, now: number): Promise<number> {
  const row = await db
    .updateTable('feeds')
    .set((eb) => ({ warned_at: eb.fn.coalesce('warned_at', eb.val(now)) }))
    .where('feed', '=', feed)
    .returning('warned_at')
    .executeTakeFirstOrThrow();
  return row.warned_at ?? now;
}

/** The outcomes with which a delivery ended that said something of its file or its source. */
const ENDED: readonly RecentDelivery['outcome'][] = ['live', 'partial', 'held', 'rejected', 'failed'];

/** How the newest deliveries of a feed ended, the oldest of them first; a file that was met again is none. */
export async function recentDeliveries(db: Db, feed: string, limit: number): Promise<RecentDelivery[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'created_at', 'finished_at', 'account'])
    .where('feed', '=', feed)
    .where('outcome', 'in', ENDED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse().map(({ id, outcome, created_at, finished_at, account }) => ({
    run: id,
    at: finished_at ?? created_at,
    outcome: outcome as RecentDelivery['outcome'],
    rows: outcome === 'live' || outcome === 'partial' ? (account?.live ?? null) : null,
  }));
}
