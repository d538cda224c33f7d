import { damageOf } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { places } from '../../io/places.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RowsDiff } from '../../model.ts';
import { acceptedFile, diffInThread } from '../guards/held-diff.ts';
import { MOST_ROWS } from '../guards/live-change.ts';

/** Comparisons at the same time: each keeps a processor busy, and hashes of a whole file in memory. */
const AT_A_TIME = places(2);
/** Several may wait for the same comparison, so none of them ends it. */
const NEVER = new AbortController().signal;

/** The run whose rows are live of the feed of another run; null when none are. */
export async function liveBeside({ feed, login }: RunRow, { ledger }: Context): Promise<string | null> {
  return (await knownFeed(ledger.db, feed, login)).contribution;
}

/**
 * What approving a held run would change in the rows of its feed, against those of the run that is live (null: nothing is). Null when
 * its file was not read, when rows of either run are no longer in the archive, or damaged, and when both have very many. Nothing is
 * written, and the rows of no other feed are read.
 */
export async function changeOfHeld(run: RunRow, live: string | null, ctx: Context): Promise<RowsDiff | null> {
  const before = live === null ? null : await getRun(ctx.ledger.db, live);
  const [older, newer] = [before === null ? null : keptRows(before, ctx), keptRows(run, ctx)];
  if (newer === null || (before !== null && older === null)) return null;
  if ((before?.counts?.accepted ?? 0) + (run.counts?.accepted ?? 0) > MOST_ROWS) return null;
  const leave = await AT_A_TIME.take(NEVER);
  try {
    return await diffInThread(older, newer, ctx, NEVER);
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return null;
  } finally {
    leave();
  }
}

function keptRows(run: RunRow, ctx: Context) {
  return run.bytes_pruned_at === null ? acceptedFile(run, ctx) : null;
}
