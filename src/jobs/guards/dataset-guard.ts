import { dictionary, own } from '../../io/dictionary.ts';
import type { Composed } from '../../compose/compose.ts';
import { trippedGuard } from '../../compose/guards.ts';
import type { RowFile } from '../../compose/row-file.ts';
import { trippedSlices } from '../../compose/slices.ts';
import type { Guard } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { DatasetPart, DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import { guardSentence } from '../../wording/reasons/guard-reasons.ts';
import type { TrippedGuard } from '../../model.ts';
import { slicesIn, watchesSlices } from './feed-guard.ts';
import { rowsOfDataset } from './held-diff.ts';
import { countRejected, rejectedThere } from './rejected-there.ts';

/** A feed whose part of the dataset changes: by the run that brings its candidate, or without one because it leaves. */
export type Change = { feed: string; run: RunRow | null };

/** A dataset that was composed and is not decided on yet. */
export type ToGuard = {
  login: string;
  pending: RunRow[];
  /** Feeds that are live, no longer configured and not in it; `released`: a person lets them go. */
  leaving: { feed: string; released: boolean }[];
  composed: Composed;
  rows: RowFile;
};

/** Why a dataset is not uploaded, and the changes that are taken out of it. */
export type DatasetHeld = { tripped: TrippedGuard; reason: string; culprits: Change[] };

/**
 * Compares a whole dataset with the live one. When a guard trips, the change that loses (or gains) the most rows is taken
 * out; the others are composed and compared again. What a person approved or released is counted on neither side.
 */
export async function datasetHeld(
  made: ToGuard,
  live: AcceptedUpload | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<DatasetHeld | null> {
  const approved = made.pending.filter((run) => run.options.approved === true);
  const released = made.leaving.filter((feed) => feed.released);
  const without = [...approved, ...released].map(({ feed }) => feed);
  const changes: Change[] = [
    ...made.pending.filter((run) => !approved.includes(run)).map((run) => ({ feed: run.feed, run })),
    ...made.leaving.filter((feed) => !feed.released).map(({ feed }) => ({ feed, run: null })),
  ];
  if (changes.length === 0) return null;
  const guard = own(ctx.config.logins, made.login)?.guard ?? {};
  const compared = { login: made.login, parts: made.composed.parts, rows: made.rows, guard, without };
  const tripped = await trippedBy(compared, live, ctx, signal);
  if (tripped === null) return null;
  const culprits = culpritsOf(changes, tripped.lost, without.length > 0);
  if (culprits.length === 0) return null;
  return { tripped: tripped.guard, reason: guardSentence(tripped.guard), culprits };
}

/** Everything that guards of a login would say of a dataset if nobody had approved of anything in it. */
export async function guardsTripped(
  dataset: Pick<Compared, 'login' | 'parts' | 'rows'>,
  live: AcceptedUpload,
  ctx: Context,
  signal: AbortSignal,
): Promise<TrippedGuard[]> {
  const all: TrippedGuard[] = [];
  for (const [name, limit] of Object.entries(own(ctx.config.logins, dataset.login)?.guard ?? {})) {
    const tripped = await trippedBy({ ...dataset, guard: { [name]: limit }, without: [] }, live, ctx, signal);
    if (tripped !== null) all.push(tripped.guard);
  }
  return all;
}

/** A dataset, the guards that look at it, and the feeds that are counted on neither side. */
type Compared = { login: string; parts: DatasetPart[]; rows: RowFile; guard: Guard; without: string[] };

/** The guard that trips, and how much each feed contributes to that. */
async function trippedBy(
  { login, parts: newParts, rows: newer, guard, without }: Compared,
  good: AcceptedUpload | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<{ guard: TrippedGuard; lost: Record<string, number> } | null> {
  const whose = { login };
  const live = good?.dataset ?? null;
  const parts = live === null ? [] : live.parts;
  const older = live === null ? null : await rowsOfDataset(live, ctx);
  const rejected = await rejectedThere(good, ctx);
  const on = await countRejected({ older, newer, rejected }, signal);
  const rows = sumOf(newParts, without);
  const previousRows = live === null ? null : previousOf(live, parts, without);
  const there = { rows: sumOf(partsOf(on.newer), without), previousRows: sumOf(partsOf(on.older), without) };
  const numbers = { rows, read: 0, rejected: 0, previousRows, rejectedThere: there };
  const tripped = trippedGuard(rowGuard(guard, without.length > 0), numbers, whose);
  if (tripped !== null) {
    const grew = previousRows !== null && rows - there.rows > previousRows - there.previousRows;
    const feeds = new Set([...parts, ...newParts].map(({ feed }) => feed));
    const lost = [...feeds].map((feed): [string, number] => {
      const before = rowsOf(parts, feed) - (own(on.older, feed) ?? 0);
      const after = rowsOf(newParts, feed) - (own(on.newer, feed) ?? 0);
      return [feed, grew ? after - before : before - after];
    });
    return { guard: tripped, lost: dictionary(lost) };
  }
  if (older === null || !watchesSlices(guard)) return null;
  const slices = await slicesIn({ older, newer, guard, without, rejected }, ctx, signal);
  const dropped = trippedSlices(slices, guard, whose);
  return dropped === null ? null : { guard: dropped, lost: slices.lost };
}

/** Rejected rows are guarded feed by feed; the minimum of a whole dataset does not apply to a part of it. */
function rowGuard({ minRows, maxRowDrop, maxRowGrowth }: Guard, partly: boolean): Guard {
  return {
    ...(minRows === undefined || partly ? {} : { minRows }),
    ...(maxRowDrop === undefined ? {} : { maxRowDrop }),
    ...(maxRowGrowth === undefined ? {} : { maxRowGrowth }),
  };
}

/**
 * The change with the largest part in what tripped. When none has any, all candidates are: unless something was approved,
 * which then is the cause.
 */
function culpritsOf(changes: Change[], lost: Record<string, number>, someApproved: boolean): Change[] {
  const share = ({ feed }: Change) => own(lost, feed) ?? 0;
  const [first] = changes.toSorted((a, b) => share(b) - share(a));
  if (first !== undefined && share(first) > 0) return [first];
  return someApproved ? [] : changes.filter(({ run }) => run !== null);
}

/** What the service held before the first upload has rows of no feed: they all count. */
function previousOf(live: DatasetRow, parts: DatasetPart[], without: string[]): number {
  return parts.length === 0 ? live.rows : sumOf(parts, without);
}

type Counted = Pick<DatasetPart, 'feed' | 'rows'>;

function partsOf(rows: Record<string, number>): Counted[] {
  return Object.entries(rows).map(([feed, count]) => ({ feed, rows: count }));
}

function sumOf(parts: Counted[], without: string[]): number {
  return parts.filter(({ feed }) => !without.includes(feed)).reduce((sum, { rows }) => sum + rows, 0);
}

function rowsOf(parts: DatasetPart[], feed: string): number {
  return parts.find((part) => part.feed === feed)?.rows ?? 0;
}
