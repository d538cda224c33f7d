import type { Context } from '../../context.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RowsDiff } from '../../model.ts';
import { compareKept } from '../guards/compare-kept.ts';
import { diffInThread } from '../guards/held-diff.ts';

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
  return compareKept(before, run, ({ older, newer }, signal) => diffInThread(older, newer, ctx, signal), ctx);
}
