import type { Context } from '../../context.ts';
import { isLeaseLost } from '../../errors.ts';
import type { Lease } from '../../ledger/lease.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { openIntent, getDataset } from '../../ledger/uploads/intents.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { drive, type Progress } from '../../upload/send/drive.ts';
import { giveUpDataset } from './give-up-dataset.ts';
import { endDamage } from '../archive/incident.ts';
import { usable } from '../archive/usable.ts';
import { composeDataset } from './compose-stage.ts';
import { answerDenied, credentialsDenied, credentialsTaken, standingDenial, UPLOADING } from '../logins/denial.ts';
import { laneWorks, pauseOfLane, recordLaneFault } from './lane-fault.ts';
import { answerOverdue } from './overdue.ts';
import { settleUpload } from '../settle/settle-stage.ts';
import { noteStalled } from './stalled.ts';
import { noteUnreachable } from '../logins/unreachable.ts';
import { watchLogin } from '../watch/watch.ts';
import { whatToCompose } from '../feeds/what-to-compose.ts';
import { withLease } from '../logins/with-lease.ts';

/** How a lane's activation ended: at rest, or waiting until a time (epoch milliseconds), after a fault that it met. */
export type LaneResult = { waitUntil: number; fault?: unknown } | 'at-rest';

/**
 * Goes on with a login's uploads, one at a time, until there is nothing to do or something to wait for. Only the owner
 * of the login's lease works; everyone else waits for the lease's end. A fault is recorded and stops this login only: the lane is
 * tried again after a pause that grows.
 */
export async function advanceLane(login: string, ctx: Context, signal: AbortSignal): Promise<LaneResult> {
  return withLease(`login-${login}`, ctx, async (lease): Promise<LaneResult> => {
    const pause = await pauseOfLane(login, ctx);
    if (pause !== null) return { waitUntil: pause };
    try {
      const result = await work(login, lease, ctx, signal);
      await laneWorks(login, ctx);
      return result;
    } catch (fault) {
      signal.throwIfAborted();
      if (isLeaseLost(fault) || isLedgerAway(fault)) throw fault;
      return { waitUntil: await recordLaneFault(login, fault, ctx), fault };
    }
  });
}

async function work(login: string, lease: Lease, ctx: Context, signal: AbortSignal): Promise<LaneResult> {
  for (;;) {
    signal.throwIfAborted();
    const denial = await standingDenial(login, ctx);
    if (denial !== null) {
      await answerDenied(login, denial, ctx);
      return 'at-rest';
    }
    const intent = await openIntent(ctx.ledger.db, login);
    if (intent === undefined) {
      await endDamage(login, ctx);
      const { pending, due } = await whatToCompose(login, ctx);
      const sending = pending.length > 0 && due <= ctx.clock.now();
      const watched = await watchLogin({ login, lease, signal, sending }, ctx);
      if (watched === 'again') continue;
      if (watched !== 'on') return waitForService(login, watched.waitUntil, ctx);
      const composed = await composeDataset(login, lease, ctx, signal);
      if (composed === 'nothing-to-do') return 'at-rest';
      if (composed !== 'again' && 'waitUntil' in composed) return composed;
      continue;
    }
    const dataset = await getDataset(ctx.ledger.db, intent.dataset);
    const progress: Progress = await drive({ intent, dataset, lease, signal }, ctx);
    if ('denied' in progress) {
      await credentialsDenied(login, progress.denied, ctx);
      continue;
    }
    if ('unsendable' in progress) {
      if (await usable(progress.unsendable, ctx, signal)) continue;
      await giveUpDataset({ intent, upload: progress.upload, lease }, ctx);
      return { waitUntil: ctx.clock.now() + ctx.config.service.poll.initial };
    }
    await noteProgress(login, progress, ctx);
    if ('waitUntil' in progress) {
      const nextAnswer = await answerOverdue(login, progress.upload, ctx);
      return { waitUntil: Math.min(progress.waitUntil, nextAnswer) };
    }
    const settled = await settleUpload({ intent, dataset, upload: progress.closed, lease, signal }, ctx);
    if (settled === 'settled') continue;
    if ('waitUntil' in settled) return settled;
    await credentialsDenied(login, settled.denied, ctx);
  }
}

/** The service says nothing and the login has no upload yet: its runs are answered in time. */
async function waitForService(login: string, waitUntil: number, ctx: Context): Promise<LaneResult> {
  const { silent_since, note } = await watchOf(ctx.ledger.db, login);
  const nothing = { state: 'intended', offer_id: null, token: '', silent_since, note } as const;
  await noteUnreachable({ ...nothing, login }, ctx);
  return { waitUntil: Math.min(waitUntil, await answerOverdue(login, nothing, ctx)) };
}

/** What an upload tells of its login besides its own state: that the credentials are good, that the service does not move. */
async function noteProgress(
  login: string,
  progress: { closed: UploadRow } | { waitUntil: number; upload: UploadRow },
  ctx: Context,
): Promise<void> {
  const upload = 'closed' in progress ? progress.closed : progress.upload;
  if (upload.silent_since === null) {
    await credentialsTaken(login, upload.offer_id === null ? 'offer/list' : UPLOADING, ctx);
  }
  await noteStalled(upload, ctx);
  await noteUnreachable(upload, ctx);
}
