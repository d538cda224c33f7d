import type { Context } from '../../context.ts';
import { doneOf, keepTrace } from '../../ledger/runs/traces.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { beginTrace, isTraced, sendSpans, underTrace, type OpenSpan } from '../../trace.ts';

/** The first spans of the runs whose traces this process began; each ends when its run is done, whoever brings it there. */
const begun = new Map<string, OpenSpan>();

/** Works on a run as a part of its trace, which the first process that works on it begins at the time at which it was asked for. */
export async function inRunTrace<T>(run: RunRow, ctx: Context, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  return underTrace(run.traceparent ?? (await beginRunTrace(run, ctx)), work);
}

async function beginRunTrace({ id, feed, login, cause, created_at }: RunRow, ctx: Context): Promise<string | null> {
  const facts = { 'offerline.run': id, 'offerline.feed': feed, 'offerline.login': login, 'offerline.cause': cause };
  const span = await beginTrace('run', created_at, facts);
  if (span === null) return null;
  const kept = await keepTrace(ctx.ledger.db, id, span.traceparent);
  // A span that never ends is never sent: another process was first.
  if (kept === span.traceparent) begun.set(id, span);
  return kept;
}

/** Ends the first spans of runs that are done. */
export async function endRunTraces({ ledger, clock }: Context): Promise<void> {
  if (begun.size === 0) return;
  for (const { id, outcome, finished_at } of await doneOf(ledger.db, [...begun.keys()])) {
    const facts = outcome === null ? {} : { 'offerline.outcome': outcome };
    begun.get(id)?.end({ at: finished_at ?? clock.now(), failed: outcome === 'failed', facts });
    begun.delete(id);
  }
}

/** Ends the first spans of all runs, because the process ends: others go on with their work. What was not sent yet is sent. */
export async function leaveRunTraces({ clock }: Context): Promise<void> {
  for (const span of begun.values()) {
    span.end({ at: clock.now(), failed: false, facts: { 'offerline.handed_over': true } });
  }
  begun.clear();
  await sendSpans();
}
