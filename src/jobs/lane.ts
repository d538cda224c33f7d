import type { Context } from '../context.ts';
import type { Lease } from '../ledger/lease.ts';
import { decideRun, runsAt } from '../ledger/runs.ts';
import type { RunRow, UploadRow } from '../ledger/schema.ts';
import { openIntent, getDataset } from '../ledger/uploads.ts';
import { conduct, type Progress } from '../upload/conduct.ts';
import { composeDataset } from './compose-stage.ts';
import { settleUpload } from './settle-stage.ts';
import { withLease } from './with-lease.ts';

/** How a lane's activation ended: at rest, or waiting until a time (epoch milliseconds). */
export type LaneResult = { waitUntil: number } | 'at-rest';

/**
 * Goes on with a login's uploads, one at a time, until there is nothing to do or something to wait for. Only the owner
 * of the login's lease works; everyone else waits for the lease's end.
 */
export async function advanceLane(login: string, ctx: Context, signal: AbortSignal): Promise<LaneResult> {
  return withLease(`login-${login}`, ctx, (lease) => work(login, lease, ctx, signal));
}

async function work(login: string, lease: Lease, ctx: Context, signal: AbortSignal): Promise<LaneResult> {
  for (;;) {
    signal.throwIfAborted();
    const intent = await openIntent(ctx.ledger.db, login);
    if (intent === undefined) {
      const composed = await composeDataset(login, lease, ctx, signal);
      if (composed === 'nothing-to-do') return 'at-rest';
      if (composed !== 'again' && 'waitUntil' in composed) return composed;
      continue;
    }
    const dataset = await getDataset(ctx.ledger.db, intent.dataset);
    const progress: Progress = await conduct({ intent, dataset, lease, signal }, ctx);
    if ('waitUntil' in progress) {
      const nextAnswer = await answerOverdue(login, progress.upload, ctx);
      return { waitUntil: Math.min(progress.waitUntil, nextAnswer) };
    }
    const settled = await settleUpload({ intent, dataset, upload: progress.closed, lease, signal }, ctx);
    if (settled !== 'settled') return settled;
  }
}

/**
 * Answers the runs that have waited long enough: at the deadline, or when a service that was never reached stays silent
 * past `service.poll.patience`. The wait of the run ends, not the upload: its outcome is amended when it becomes known.
 * Gives the time (epoch milliseconds) at which the next run has waited long enough.
 */
async function answerOverdue(login: string, upload: UploadRow, ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const { deadline, patience } = ctx.config.service.poll;
  const neverReached = upload.state === 'intended' && upload.silent_since !== null;
  const impatient = neverReached ? (upload.silent_since ?? 0) + patience : Infinity;
  let next = Infinity;
  for (const run of await runsAt(ctx.ledger.db, ['compose', 'upload'])) {
    if (run.login !== login || run.outcome !== null) continue;
    const due = Math.min(impatient, run.created_at + deadline);
    if (due > now) {
      next = Math.min(next, due);
      continue;
    }
    const reason = impatient <= now ? unreachable(upload) : overdue(run, upload);
    await decideRun(ctx.ledger.db, run.id, { outcome: 'failed', reason, now });
  }
  return next;
}

function unreachable(upload: UploadRow): string {
  return `the service gives no usable answer: ${upload.note ?? 'no reason known'}. Nothing was sent; it will be as soon as the service answers, and the outcome is amended then.`;
}

function overdue(run: RunRow, upload: UploadRow): string {
  if (upload.state === 'intended') {
    return `nothing could be sent until the deadline (service.poll.deadline): ${upload.note ?? 'no reason known'}. It is sent as soon as that is possible, and the outcome of run ${run.id} is amended then.`;
  }
  return `the outcome of upload ${upload.offer_id ?? upload.token} is unknown at the deadline (service.poll.deadline): ${upload.note ?? upload.state}. It is watched on, and the outcome of run ${run.id} is amended when it is known.`;
}
