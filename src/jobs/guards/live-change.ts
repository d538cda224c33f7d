import { damageOf } from '../../archive/kept-file.ts';
import { tagKey } from '../../compose/offer-file.ts';
import type { Context } from '../../context.ts';
import { getRun, updateRun } from '../../ledger/runs/runs.ts';
import { knownDemand } from '../../ledger/uploads/findability.ts';
import { verifiedAround } from '../../ledger/uploads/accepted-uploads.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { HeldDiff, LiveChange } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import { rowsOfRun } from './held-diff.ts';
import { COMPARING, rejectedThere } from './rejected-there.ts';

/** Rows of both sides together that are compared; a thread is busy with them for seconds. */
export const MOST_ROWS = 8_000_000;

/** What a run made live against what was live of its feed before, as its ledger row keeps it; null where that is not known. */
export function keptChange({ outcome, diff }: Pick<RunRow, 'outcome' | 'diff'>): LiveChange | null {
  if (diff === null || !('tags' in diff) || (outcome !== 'live' && outcome !== 'partial')) return null;
  const { of: _of, ...change } = diff;
  return change;
}

/**
 * Compares what a run made live with what was live of its feed before, and answers with the run as it keeps that. Nothing is kept
 * of the first delivery of a feed, of very many rows, and where either side is no longer in the archive.
 */
export async function withLiveChange(run: RunRow, ctx: Context, signal: AbortSignal): Promise<RunRow> {
  if ((run.outcome !== 'live' && run.outcome !== 'partial') || run.intent === null || keptChange(run) !== null)
    return run;
  try {
    const change = await changeBy(run, run.intent, ctx, signal);
    if (change === null) return run;
    const diff: HeldDiff & LiveChange = { of: 'feed', ...change };
    await updateRun(ctx.ledger.db, run.id, { diff });
  } catch (error) {
    // The watch and `offerline doctor` tell of damage, and the rest of the report does not depend on it.
    if (damageOf(error) === null) throw error;
    return run;
  }
  return getRun(ctx.ledger.db, run.id);
}

async function changeBy(run: RunRow, intent: string, ctx: Context, signal: AbortSignal): Promise<LiveChange | null> {
  const { own, before } = await verifiedAround(ctx.ledger.db, { intent, login: run.login });
  const earlier = before?.dataset.parts.find(({ feed }) => feed === run.feed);
  if (earlier === undefined || earlier.run === run.id) return null;
  if (earlier.rows + (run.counts?.accepted ?? 0) > MOST_ROWS) return null;
  const older = await rowsOfRun(await getRun(ctx.ledger.db, earlier.run), ctx);
  const newer = await rowsOfRun(run, ctx);
  if (older === null || newer === null) return null;
  const rejected = { older: await rejectedThere(before, ctx), newer: await rejectedThere(own, ctx) };
  const { offer } = ctx.config;
  const key = tagKey(offer);
  const tags = key === null ? null : { key, separator: offer.tagSeparator };
  const demand = await knownDemand(ctx.ledger.db, run);
  const input = { older, newer, columns: Object.keys(offer.columns), tags, rejected, demand };
  return runInThread<LiveChange>({ module: COMPARING, name: 'changeOfLive' }, input, signal);
}
