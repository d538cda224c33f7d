import type { RowFile } from '../../compose/row-file.ts';
import type { Missing } from '../../compose/parts-gone/parts-gone.ts';
import type { Guard } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { feedState, listFeeds } from '../../ledger/runs/feeds.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { OtherFeed, PartsGone, TrippedGuard } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import type { RejectedThere } from './compare-with-live.ts';
import { rowsOfRun } from './held-diff.ts';
import { MOST_ROWS } from './live-change.ts';
import { COMPARING } from './rejected-there.ts';

/** The guard looks at no fewer parts. */
const LEAST_PARTS = 10;
/** With at most this share of new parts a list only became shorter: how much it may is what `maxRowDrop` says. */
const HARDLY_ANY = 0.1;
/** A first delivery is held when this share of its parts is of another feed, which has about as many. */
const OF_ANOTHER = 0.8;
const ABOUT_AS_MANY = 2;

/** What is compared: the rows of a delivery, and those that are live of its feed, null when none are. */
export type Compared = { older: RowFile | null; newer: RowFile | null; rejected: RejectedThere | null };

/**
 * `guard.maxPartsGone`: a delivery that lacks too many of the parts that are live of its feed is another list, however many rows it
 * has. A first delivery is compared with the other feeds of its login.
 */
export async function trippedPartsGone(
  run: RunRow,
  { older, newer, rejected }: Compared,
  guard: Guard,
  ctx: Context,
  signal: AbortSignal,
): Promise<TrippedGuard | null> {
  const limit = guard.maxPartsGone;
  if (limit === undefined || newer === null) return null;
  const whose = { feed: run.feed };
  if (older === null) {
    const other = await takenForAnother(run, newer, ctx, signal);
    const none = { gone: 0, of: 0, change: null, examples: [] };
    return other === null ? null : { whose, guard: 'maxPartsGone', limit, ...none, other };
  }
  const missing = await runInThread<Missing>(
    { module: COMPARING, name: 'missingParts' },
    { older, newer, rejected },
    signal,
  );
  if (!lacksTooMany(missing, guard)) return null;
  const { gone, of } = missing;
  const input = { older, newer, rejected, others: await otherFeeds(run, ctx) };
  type Why = Pick<PartsGone, 'change' | 'other' | 'examples'>;
  const why = await runInThread<Why>({ module: COMPARING, name: 'whyPartsGone' }, input, signal);
  return { whose, guard: 'maxPartsGone', limit, gone, of, ...why };
}

/** Whether a delivery lacks more of the live parts than the guard allows. Pure. */
export function lacksTooMany({ gone, of, added }: Missing, { maxPartsGone: limit, maxRowDrop }: Guard): boolean {
  const isShorter = maxRowDrop !== undefined && added <= HARDLY_ANY * (of - gone + added);
  return limit !== undefined && of >= LEAST_PARTS && gone > of * limit && !isShorter;
}

/** The run whose rows a new delivery is compared with: an approved one that waits to be uploaded, else the one that is live. */
export async function measureOf({ id, feed, login }: RunRow, ctx: Context): Promise<RunRow | null> {
  const { candidate, contribution } = await feedState(ctx.ledger.db, feed, login);
  const waiting = candidate === null || candidate === id ? undefined : await findRun(ctx.ledger.db, candidate);
  if (waiting?.options.approved === true) return waiting;
  return contribution === null ? null : ((await findRun(ctx.ledger.db, contribution)) ?? null);
}

/**
 * The feed whose list a first delivery seems to be. Feeds whose tags are joined are meant to offer the same parts.
 */
async function takenForAnother(
  run: RunRow,
  newer: RowFile,
  ctx: Context,
  signal: AbortSignal,
): Promise<OtherFeed | null> {
  const rows = run.counts?.accepted ?? 0;
  if (rows < LEAST_PARTS || ctx.config.logins[run.login]?.merge.tags === 'union') return null;
  const others = await otherFeeds(run, ctx);
  if (others.length === 0) return null;
  const task = { module: COMPARING, name: 'likeOtherFeed' };
  const other = await runInThread<OtherFeed | null>(task, { newer, others }, signal);
  if (other === null || other.share < OF_ANOTHER) return null;
  const isAsLarge = other.parts <= rows * ABOUT_AS_MANY && rows <= other.parts * ABOUT_AS_MANY;
  return isAsLarge ? other : null;
}

/** What is live, or about to be, of the other feeds of a run's login; no more rows of them all than can be read in time. */
async function otherFeeds({ feed, login }: RunRow, ctx: Context): Promise<{ feed: string; rows: RowFile }[]> {
  const { db } = ctx.ledger;
  const others: { feed: string; rows: RowFile }[] = [];
  let left = MOST_ROWS;
  for (const { feed: other, candidate, contribution } of await listFeeds(db, login)) {
    const id = candidate ?? contribution;
    const run = other === feed || id === null ? undefined : await findRun(db, id);
    const accepted = run?.counts?.accepted ?? 0;
    if (run === undefined || accepted < LEAST_PARTS || accepted > left) continue;
    const rows = await rowsOfRun(run, ctx);
    if (rows !== null) others.push({ feed: other, rows });
    left -= accepted;
  }
  return others;
}
