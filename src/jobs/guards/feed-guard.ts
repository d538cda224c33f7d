import { own } from '../../io/dictionary.ts';
import { trippedGuard, trippedSignals, type Guarded } from '../../compose/guards.ts';
import { trippedSlices, type SliceDrops, type SliceInput } from '../../compose/slices.ts';
import { feedGuard } from '../../config/schema/feed-settings.ts';
import type { Guard } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { feedState, knownFeed } from '../../ledger/runs/feeds.ts';
import { freezeOf } from '../../ledger/runs/freezes.ts';
import { knownDemand } from '../../ledger/uploads/findability.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { FreezeRow, RunRow } from '../../ledger/schema/schema.ts';
import type { Causes, HeldDiff, LocalCounts, RuleNumbers, Share, TrippedGuard } from '../../model.ts';
import { tagKey } from '../../compose/offer-file.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import { runInThread } from '../../threads/thread.ts';
import type { LiveLosses, RejectedThere } from './compare-with-live.ts';
import { fullListOf } from '../read/changes/full-list.ts';
import { bringsChanges, orderReason } from './change-order.ts';
import { compareInThread, correctionReason, knownDeliveries } from './correction.ts';
import { heldDiff, rowsOfRun } from './held-diff.ts';
import { lostToNewChecks } from './new-checks.ts';
import { measureOf, trippedPartsGone, type Compared } from './parts-gone-guard.ts';
import { COMPARING, countRejected, rejectedThere } from './rejected-there.ts';
import { missingFiles, oldPartner, shrunkPartner, takesWhatIsThere } from './several-files.ts';
import { offersRead } from '../../wording/words.ts';

/** The share of rows in which rules may fail to read a value as a number. */
const MOST_UNREADABLE = 0.05;

/** Of fewer rows no share is said. */
const LEAST_ROWS = 10;

/** From so many rejected rows on changes are judged by themselves. */
const MANY_REJECTED = 20;

/** Why a run is held, and what it would have changed; the diff is null when nothing was live before. */
export type Held = { cause: Causes['held']; reason: RunReason; diff: HeldDiff | null };

/**
 * Whether the accepted rows of a run may become its feed's candidate: null, or why they are held. The feed is frozen, its
 * file is older than one that came before, it looks like a correction of one, a file that is joined to it is too old or has hardly any of its parts any more, files
 * are missing that the live one had, it loses rows to checks that are new, or a guard trips against the rows that are live.
 */
export async function heldBy(
  run: RunRow,
  counts: LocalCounts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Held | null> {
  const db = ctx.ledger.db;
  const { contribution } = await feedState(db, run.feed, run.login);
  const live = contribution === null ? null : await getRun(db, contribution);
  const list = live === null ? null : await fullListOf(db, live);
  const freeze = await freezeOf(db, run.feed);
  const held =
    freeze === undefined
      ? (because('order', await orderReason(run, ctx)) ??
        because('older-file', bringsChanges(run, ctx) ? null : await olderThanKnown(run, ctx)) ??
        because('correction', await correctionOf(run, counts, ctx, signal)) ??
        because('guard', await oldPartner(run, ctx)) ??
        because('guard', shrunkPartner(run, list, feedGuard(ctx.config, run.feed))) ??
        because('guard', takesWhatIsThere(run, ctx) ? null : missingFiles(run, list)) ??
        because('rules', unreadableNumbers(numbersOf(run), counts.read)) ??
        because('rules', emptiedColumn(counts, numbersOf(run), numbersOf(list), feedGuard(ctx.config, run.feed))) ??
        because('guard', await lostToNewChecks(run, live, counts, ctx)) ??
        because('guard', await trippedBy(run, counts, live, ctx, signal)))
      : because('frozen', frozenReason(freeze));
  if (held === null) return null;
  const older = live === null ? null : await rowsOfRun(live, ctx);
  const sides = { older, newer: await rowsOfRun(run, ctx), demand: await knownDemand(db, run) };
  return { ...held, diff: await heldDiff('feed', sides, ctx, signal) };
}

/** Why a file is held in whose rows rules compare values as numbers that cannot be read; null when these are at most a few of the rows. */
export function unreadableNumbers(numbers: RuleNumbers[], read: number): RunReason | null {
  const found = numbers.find(({ unreadable }) => unreadable > read * MOST_UNREADABLE);
  return found === undefined ? null : { code: 'rule-numbers', ...found };
}

/**
 * Why a file is held in which a column that rules compare as a number is empty in so many points more of the rows than in the delivery that
 * was proved last, as `guard.maxLeftOut` allows of rows left out: what the rules left out of that one would go live. Null when all is well.
 */
export function emptiedColumn(
  { change }: Pick<LocalCounts, 'change'>,
  numbers: RuleNumbers[],
  before: RuleNumbers[],
  { maxLeftOut }: Pick<Guard, 'maxLeftOut'>,
): RunReason | null {
  // The rows of changes are few, and others.
  if (maxLeftOut === undefined || change !== undefined) return null;
  const known = new Map(before.map((one) => [one.column, one]));
  for (const { column, rows, empty } of numbers) {
    const was = known.get(column);
    if (was?.empty === undefined || empty === undefined || Math.min(rows, was.rows) < LEAST_ROWS) continue;
    if (empty / rows - was.empty / was.rows <= maxLeftOut) continue;
    return { code: 'rule-emptied', column, rows, empty, before: { rows: was.rows, empty: was.empty } };
  }
  return null;
}

function numbersOf(run: Pick<RunRow, 'counts'> | null): RuleNumbers[] {
  return run?.counts?.rules?.numbers ?? [];
}

function because(cause: Causes['held'], reason: RunReason | null): Omit<Held, 'diff'> | null {
  return reason === null ? null : { cause, reason };
}

async function correctionOf(
  run: RunRow,
  counts: LocalCounts,
  ctx: Context,
  signal: AbortSignal,
): Promise<RunReason | null> {
  const newer = await rowsOfRun(run, ctx);
  // Changes are part of a list, and mean to be.
  if (newer === null || counts.change !== undefined) return null;
  return correctionReason(newer, counts.accepted, await knownDeliveries(run, ctx), compareInThread(signal));
}

async function trippedBy(
  run: RunRow,
  counts: LocalCounts,
  live: RunRow | null,
  ctx: Context,
  signal: AbortSignal,
): Promise<RunReason | null> {
  const guard = feedGuard(ctx.config, run.feed);
  const whose = { feed: run.feed };
  const previousRows = live?.counts?.accepted ?? null;
  const older = live === null ? null : await rowsOfRun(live, ctx);
  const newer = await rowsOfRun(run, ctx);
  const rejected = await rejectedThere(await lastVerified(ctx.ledger.db, run.login), ctx);
  const there = await rejectedOfFeed({ older, newer, rejected }, signal);
  const list = live === null ? null : await fullListOf(ctx.ledger.db, live);
  const numbers = guardedNumbers(counts, previousRows, there, leftOutBefore(list));
  const tripped = trippedGuard(guard, numbers, whose) ?? trippedSignals(guard, run.signals, whose);
  if (tripped !== null) return guarded(tripped);
  const measure = await measureOf(run, ctx);
  const compared = { older: measure === null ? null : await rowsOfRun(measure, ctx), newer, rejected };
  // Of a measure that the archive no longer has nothing can be said; no measure at all is a first delivery.
  const gone =
    measure !== null && compared.older === null ? null : await trippedPartsGone(run, compared, guard, ctx, signal);
  return guarded(gone ?? (await trippedSlicesOf(run.feed, { older, newer, rejected }, ctx, signal)));
}

/** Rows of parts that the service rejected, in a delivery and in what is live of its feed. */
export async function rejectedOfFeed(compared: Compared, signal: AbortSignal): Promise<Guarded['rejectedThere']> {
  const on = await countRejected(compared, signal);
  // The rows of a single file are counted under no feed.
  return { rows: own(on.newer, '') ?? 0, previousRows: own(on.older, '') ?? 0 };
}

/** `guard.maxBrandDrop` and `guard.maxTagDrop` of a feed; null where none trips, or a side is not there. */
export async function trippedSlicesOf(
  feed: string,
  { older, newer, rejected }: Compared,
  ctx: Context,
  signal: AbortSignal,
): Promise<TrippedGuard | null> {
  const guard = feedGuard(ctx.config, feed);
  if (!watchesSlices(guard) || older === null || newer === null) return null;
  const drops = await slicesIn({ older, newer, guard, without: [], rejected }, ctx, signal);
  return trippedSlices(drops, guard, { feed });
}

/** What the guards of a file check, by its counts and the accepted rows of the delivery before. */
export function guardedNumbers(
  { accepted, rejectedLocally, ...rows }: LocalCounts,
  previousRows: number | null,
  rejectedThere: Guarded['rejectedThere'] = { rows: 0, previousRows: 0 },
  before: Share | null = null,
): Guarded {
  const isChange = rows.change !== undefined;
  // A few rejected rows of short changes are a small share of all that results; many are a supplier's fault, however long the list is.
  const read = isChange && rejectedLocally >= MANY_REJECTED ? rows.read + rows.expanded : offersRead(rows);
  // What changes leave out is taken away.
  const leftOut = isChange ? { now: 0, before: null } : { now: rows.leftOut, before };
  return { rows: accepted, read, rejected: rejectedLocally, previousRows, rejectedThere, leftOut };
}

/** What rules did to the delivery that was proved last: the rows that they left out, and what they compared as numbers. */
export type ProvedRules = { leftOut: Share | null; numbers: RuleNumbers[] };

/** What rules did to the delivery of a feed that was proved last; null where there is none. */
export async function provedRules(feed: string, login: string, { ledger }: Context): Promise<ProvedRules | null> {
  const { contribution } = await knownFeed(ledger.db, feed, login);
  if (contribution === null) return null;
  const list = await fullListOf(ledger.db, await getRun(ledger.db, contribution));
  return { leftOut: leftOutBefore(list), numbers: numbersOf(list) };
}

/** How many rows of a delivery rules left out, of those that were read; null without one. */
export function leftOutBefore(live: Pick<RunRow, 'counts'> | null): Share | null {
  const counts = live?.counts ?? null;
  return counts === null ? null : { rows: counts.leftOut, of: offersRead(counts) };
}

function guarded(tripped: TrippedGuard | null): RunReason | null {
  return tripped === null ? null : { code: 'guard', tripped };
}

/** True when brands or tags are guarded. */
export function watchesSlices({ maxBrandDrop, maxTagDrop }: Guard): boolean {
  return maxBrandDrop !== undefined || maxTagDrop !== undefined;
}

/** Finds the brands and tags that lost too much, in a thread. */
export async function slicesIn(
  compared: Pick<SliceInput, 'older' | 'newer' | 'guard' | 'without'> & { rejected: RejectedThere | null },
  ctx: Context,
  signal: AbortSignal,
): Promise<SliceDrops> {
  const task = { module: COMPARING, name: 'droppedLiveSlices' };
  return runInThread<SliceDrops>(task, { ...compared, ...tagsIn(ctx) }, signal);
}

/** What brands, tags and parts were lost, measured in a thread as `slicesIn` does. */
export async function lossesIn(
  compared: Pick<SliceInput, 'older' | 'newer' | 'without'> & { rejected: RejectedThere | null },
  ctx: Context,
  signal: AbortSignal,
): Promise<LiveLosses> {
  const task = { module: COMPARING, name: 'greatestLiveLosses' };
  return runInThread<LiveLosses>(task, { ...compared, ...tagsIn(ctx) }, signal);
}

function tagsIn({ config: { offer } }: Context): Pick<SliceInput, 'tagKey' | 'tagSeparator'> {
  return { tagKey: tagKey(offer), tagSeparator: offer.tagSeparator };
}

/**
 * Why the run's file is held as older than the feed's candidate or contribution; null when it is not. Files given by hand and
 * bytes of an earlier run are never held for their age.
 */
async function olderThanKnown(run: RunRow, ctx: Context): Promise<RunReason | null> {
  const { file, of } = run.options;
  if (file !== undefined || of !== undefined) return null;
  const { candidate, contribution } = await feedState(ctx.ledger.db, run.feed, run.login);
  for (const id of [candidate, contribution]) {
    if (id === null || id === run.id) continue;
    const known = await getRun(ctx.ledger.db, id);
    if (!isOlder(run, known)) continue;
    return { code: 'older-file', file: fileOf(run), known: fileOf(known), run: id, isLive: id !== candidate };
  }
  return null;
}

/** In the order in which files of a folder are taken: by time of change, then by name. */
function isOlder(run: RunRow, known: RunRow): boolean {
  if (run.modified_at === null || known.modified_at === null || run.delivery_sha === known.delivery_sha) return false;
  if (run.modified_at !== known.modified_at) return run.modified_at < known.modified_at;
  return (run.delivery_name ?? '') < (known.delivery_name ?? '');
}

function fileOf({ delivery_name: name, modified_at: at }: RunRow) {
  return { name, at: at ?? 0 };
}

function frozenReason({ at, who, reason }: FreezeRow): RunReason {
  return { code: 'feed-frozen', at, who, reason };
}
