import type { RunRow } from '../../ledger/schema/schema.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import { keptCause } from './answer.ts';

/** A run as a list shows it. Its `cause` is who asked for it, `outcomeCause` why it ended so; null where that was not kept. */
export type BriefRun = ReturnType<typeof briefRun>;

/** One run of a list. */
export function briefRun(run: RunRow) {
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
