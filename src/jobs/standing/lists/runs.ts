import type { Context } from '../../../context.ts';
import type { Page, PageOf } from '../../../ledger/lists/pages.ts';
import { runsPage, type ListedRun, type RunFilter } from '../../../ledger/lists/runs-page.ts';
import { keptCause } from '../../../wording/causes.ts';
import { endOfRun } from '../../../wording/ops/run-said.ts';
import { reasonOfRun, shownReason } from '../../../wording/reasons/run-reasons.ts';

/** What a list says of one run, with its reason as a code for readers of other languages. */
export type RunLine = ReturnType<typeof runLine>;

/** One run as scripts see it in a list. */
export type ShortRun = ReturnType<typeof shortRun>;

/** A page of the runs that match, newest first. */
export async function listRuns(filter: RunFilter, page: PageOf, ctx: Context): Promise<Page<RunLine>> {
  const found = await runsPage(ctx.ledger, filter, page);
  return { ...found, rows: found.rows.map(runLine) };
}

/** One run as scripts see it in a list. Its `cause` is who asked for it, `outcomeCause` why it ended as it did. */
export function shortRun(run: Omit<ListedRun, 'delivery_bytes' | 'counts'>) {
  return {
    run: run.id,
    feed: run.feed,
    login: run.login,
    cause: run.cause,
    stage: run.stage,
    outcome: run.outcome,
    outcomeCause: keptCause(run),
    reason: shownReason(reasonOfRun(run)),
    delivery: run.delivery_name,
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    rows: run.account,
  };
}

function runLine(run: ListedRun) {
  return { ...shortRun(run), bytes: run.delivery_bytes, counts: run.account ?? run.counts, end: endOfRun(run) };
}
