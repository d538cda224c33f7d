import {
  looksLikeCorrection,
  mayBeCorrection,
  type ComparedParts,
  type KnownCounts,
} from '../../compose/correction.ts';
import type { RowFile } from '../../compose/row-file.ts';
import { spellingsOf } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { getRun, listRuns } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { runInThread } from '../../threads/thread.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import { usable } from '../archive/usable.ts';
import type { EarlierDelivery } from './compare-deliveries.ts';
import { rowsOfRun } from './held-diff.ts';
import { rejectedThere } from './rejected-there.ts';

/** A delivery before, and how many rows it had. */
export type KnownDelivery = EarlierDelivery & { counts: KnownCounts };

/** Deliveries that a correction may be of: the live one, and so many that came after it. */
const AFTER_LIVE = 5;
const LOOKED_AT = 50;

/** What compares a delivery with one before it. */
type Compare = (input: { newer: RowFile; earlier: EarlierDelivery }) => Promise<ComparedParts>;

/**
 * Why a delivery looks like the correction of one before it and not like the full list; null when it does not. Only one whose
 * counts allow it is compared.
 */
export async function correctionReason(
  newer: RowFile,
  rows: number,
  known: KnownDelivery[],
  compare: Compare,
): Promise<Extract<RunReason, { code: 'correction' }> | null> {
  for (const earlier of known) {
    if (!mayBeCorrection(rows, earlier.counts)) continue;
    const parts = await compare({ newer, earlier });
    if (!looksLikeCorrection(parts)) continue;
    const { rejectedBefore, doubtfulBefore, accepted, kept } = parts;
    const { file, run } = earlier;
    const matching = rejectedBefore + doubtfulBefore;
    return { code: 'correction', rows: parts.rows, matching, accepted, missing: accepted - kept, file, run };
  }
  return null;
}

/** Compares in a thread. */
export function compareInThread(signal: AbortSignal): Compare {
  const task = { module: new URL('./compare-deliveries.ts', import.meta.url), name: 'compareDeliveries' };
  return (input) => runInThread<ComparedParts>(task, input, signal);
}

/**
 * The deliveries of a feed that a new one may be the correction of: what is live, and what came since, unless it was the same file.
 * Those that the archive no longer has are left out, and those in which nothing was right: a list of their parts is the full list.
 */
export async function knownDeliveries(
  { feed, login, id, delivery_sha }: Pick<RunRow, 'feed' | 'login'> & Partial<RunRow>,
  ctx: Context,
): Promise<KnownDelivery[]> {
  const { db } = ctx.ledger;
  const { contribution } = await feedState(db, feed, login);
  const live = contribution === null ? null : await getRun(db, contribution);
  const since = (await listRuns(db, { feed, login, limit: LOOKED_AT }))
    .filter((run) => run.id !== id && run.id !== contribution && run.created_at > (live?.created_at ?? 0))
    .filter((run) => run.rows_sha !== null && (run.counts?.accepted ?? 0) > 0);
  const proved = await lastVerified(db, login);
  const known: KnownDelivery[] = [];
  for (const run of [...since.slice(0, AFTER_LIVE), ...(live === null ? [] : [live])]) {
    if (run.delivery_sha === delivery_sha) continue;
    const rejected = run === live && proved !== undefined ? await rejectedThere(proved, ctx) : null;
    const remote = rejected === null ? 0 : (proved?.intent.rejected_rows ?? 0);
    const lost = (run.counts?.rejectedLocally ?? 0) + remote;
    const mistakes = Object.values(run.issues ?? {}).reduce((sum, count) => sum + count, 0) + remote;
    const delivery = lost === 0 ? null : await deliveryOf(run, rejected, ctx);
    const counts = { mistakes, rejected: lost, accepted: run.counts?.accepted ?? 0 };
    if (delivery !== null) known.push({ ...delivery, counts });
  }
  return known;
}

async function deliveryOf(
  run: RunRow,
  rejected: EarlierDelivery['rejected'],
  ctx: Context,
): Promise<EarlierDelivery | null> {
  const { issues_sha, cell_names, counts, delivery_name } = run;
  const rows = await rowsOfRun(run, ctx);
  if (rows === null || issues_sha === null || !(await usable(issues_sha, ctx))) return null;
  const names = cell_names ?? [];
  const spellings = spellingsOf(ctx.config, run.feed);
  const issues = ctx.archive.file(issues_sha);
  const rejectedHere = counts?.rejectedLocally ?? 0;
  return { run: run.id, file: delivery_name ?? run.id, rows, issues, names, rejectedHere, rejected, spellings };
}
