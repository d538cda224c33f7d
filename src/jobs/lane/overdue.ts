import type { Context } from '../../context.ts';
import { decideRun, runsOfLane } from '../../ledger/runs/runs.ts';
import type { RunRow, UploadRow } from '../../ledger/schema/schema.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';

/** What runs wait for: the login's open upload, or that there can be one. */
type Waits = Pick<UploadRow, 'state' | 'offer_id' | 'token' | 'silent_since' | 'note'>;

/**
 * Answers the runs that have waited long enough: at the deadline, or when a service that was never reached stays silent
 * past `service.poll.patience`. The wait of the run ends, not the upload: its outcome is amended when it becomes known.
 * Gives the time (epoch milliseconds) at which the next run has waited long enough.
 */
export async function answerOverdue(login: string, upload: Waits, ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const { deadline, patience } = ctx.config.service.poll;
  const neverReached = upload.state === 'intended' && upload.silent_since !== null;
  const left = neverReached ? patience - ctx.clock.since(upload.silent_since ?? 0) : Infinity;
  let next = Infinity;
  for (const run of await runsOfLane(ctx.ledger.db, login)) {
    if (run.outcome !== null) continue;
    const wait = Math.min(left, deadline - ctx.clock.since(waitsSince(run)));
    if (wait > 0) {
      next = Math.min(next, Math.ceil(now + wait));
      continue;
    }
    const reason = left <= 0 ? ({ code: 'unreachable', note: upload.note } as const) : overdue(run, upload);
    const cause = upload.state === 'intended' ? 'unsent' : 'outcome-unknown';
    await decideRun(ctx.ledger.db, run.id, { outcome: 'failed', cause, reason, now });
  }
  return next;
}

/** A run that was held waits for the service only from its approval on. */
function waitsSince({ created_at, options }: RunRow): number {
  return Math.max(created_at, options.approvedAt ?? 0);
}

function overdue({ id: run }: RunRow, { state, note, offer_id, token }: Waits): RunReason {
  if (state === 'intended') return { code: 'unsent', run, note };
  return { code: 'outcome-unknown', run, upload: offer_id ?? token, note: note ?? state };
}
