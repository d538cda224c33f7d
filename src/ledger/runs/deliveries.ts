import type { RecentDelivery } from '../../model.ts';
import { recover } from '../alerts/incidents.ts';
import { endQuietOfDelivery } from '../alerts/incident-work.ts';
import type { Db } from '../ledger.ts';
import type { ListedFile } from '../schema/json-values.ts';
import type { RunRow } from '../schema/schema.ts';

/** A file as its source distinguishes it from others. */
export type Arrival = { feed: string; login: string; name: string; fingerprint: string };

/**
 * Records that a supplier delivered, which ends a missing delivery and an expiry, and what is quiet until then. The file of the last delivery, met again
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
  await endQuietOfDelivery(db, feed, now);
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

/** A run that has a delivery; `isRead`: the file was read to its end. */
export type RunWithDelivery = { id: string; sha256: string; at: number; isRead: boolean };

/** The runs of a feed that have a delivery, the newest first. */
export async function runsWithDelivery(
  db: Db,
  { feed, login }: { feed: string; login: string },
): Promise<RunWithDelivery[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'delivery_sha', 'created_at', 'rows_sha'])
    .where('feed', '=', feed)
    .where('login', '=', login)
    .where('delivery_sha', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, delivery_sha, created_at: at, rows_sha }) => ({
    id,
    sha256: delivery_sha ?? '',
    at,
    isRead: rows_sha !== null,
  }));
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

/** The newest runs of a feed whose files the service took and of which it rejected rows, one for each file, the newest first. */
export async function rejectedRuns(
  db: Db,
  { login, feed, sandbox }: { login: string; feed: string; sandbox: boolean },
  limit: number,
): Promise<RunRow[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('feed', '=', feed)
    .where('login', '=', login)
    .where('sandbox', '=', sandbox ? 1 : 0)
    .where('rejections_sha', 'is not', null)
    .where('reports_pruned_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit * 2)
    .execute();
  const seen = new Set<string | null>();
  return rows.filter(({ delivery_sha }) => !seen.has(delivery_sha) && seen.add(delivery_sha)).slice(0, limit);
}

const TAKEN = [
  'id',
  'delivery_name',
  'delivery_sha',
  'delivery_bytes',
  'modified_at',
  'base',
  'taken_at',
  'created_at',
  'outcome',
  'stage',
  'options',
  'settings_hash',
] as const;

/** A run that has a file, as far as the order of files is concerned. */
export type TakenRun = Pick<RunRow, (typeof TAKEN)[number]>;

/** The newest runs of a feed that have a file, in the order in which they took it. */
export async function runsByTaking(
  db: Db,
  { feed, login }: { feed: string; login: string },
  limit: number,
): Promise<TakenRun[]> {
  const rows = await db
    .selectFrom('runs')
    .select(TAKEN)
    .where('feed', '=', feed)
    .where('login', '=', login)
    .where('delivery_sha', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.toSorted((a, b) => takenAt(a) - takenAt(b));
}

/** The runs of a feed from before it moved to its login, also those for this login, where it was there before. */
export async function runsBeforeMove(db: Db, { feed, login }: { feed: string; login: string }): Promise<Set<string>> {
  const { moved } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.max('created_at').as('moved'))
    .where('feed', '=', feed)
    .where('login', '<>', login)
    // What was delivered to another login can be read again later.
    .where('cause', '<>', 'rerun')
    .executeTakeFirstOrThrow();
  if (moved === null) return new Set();
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('feed', '=', feed)
    .where('created_at', '<=', moved)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** When a run took its file; runs of earlier versions do not say. */
export function takenAt({ taken_at, created_at }: Pick<RunRow, 'taken_at' | 'created_at'>): number {
  return taken_at ?? created_at;
}

/** The newest of the last runs of a feed that has looked for changes at its place. */
export async function lastLookForChanges(db: Db, feed: string): Promise<Pick<RunRow, 'id' | 'options'> | undefined> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .execute();
  return rows.find(({ options }) => options.waitingChanges !== undefined);
}

/** What was said of files at the place of a feed by the last of its runs, but for one, that has said something. */
export async function lastRemarks(db: Db, { id, feed }: Pick<RunRow, 'id' | 'feed'>): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .where('id', '!=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .execute();
  return rows.find(({ options }) => options.remarks !== undefined)?.options.remarks ?? [];
}

/** The run that takes the next changes after another one, if it was begun. */
export async function followerOf(db: Db, { id, feed, created_at }: RunRow): Promise<string | undefined> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .where('created_at', '>', created_at)
    .orderBy('created_at')
    .limit(LOOKED_AT)
    .execute();
  return rows.find(({ options }) => options.follows === id)?.id;
}

/** The files of the last run of a feed before a time that has kept them, and when it took them, epoch milliseconds; undefined where none is among the last. */
export async function filesTakenBefore(
  db: Db,
  feed: string,
  before: number,
): Promise<{ at: number; files: ListedFile[] } | undefined> {
  const rows = await db
    .selectFrom('runs')
    .select(['taken_at', 'options'])
    .where('feed', '=', feed)
    .where('taken_at', '<', before)
    .orderBy('taken_at', 'desc')
    .limit(LOOKED_AT)
    .execute();
  return rows.flatMap(({ taken_at: at, options: { files } }) =>
    at === null || files === undefined ? [] : [{ at, files }],
  )[0];
}

/** Runs among which one is looked for that has looked at its place, has kept its files, or follows another. */
const LOOKED_AT = 100;
