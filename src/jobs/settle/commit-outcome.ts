import { dictionary, own } from '../../io/dictionary.ts';
import type { Context } from '../../context.ts';
import { dueIn } from '../../clock.ts';
import { clearCandidate, listFeeds, loginOfFeed, updateFeed } from '../../ledger/runs/feeds.ts';
import { openIncident, raise, recover } from '../../ledger/alerts/incidents.ts';
import { noteEvent } from '../../ledger/hooks/events.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import type { Db } from '../../ledger/ledger.ts';
import { addEvent, decideRun, getRun, runsOfIntent, updateRun } from '../../ledger/runs/runs.ts';
import type { DatasetPart, DatasetRow, FeedAccount, IntentRow, RunRow, UploadRow } from '../../ledger/schema/schema.ts';
import { latestAccepted } from '../../ledger/uploads/accepted-uploads.ts';
import { updateIntent } from '../../ledger/uploads/intents.ts';
import { updateUpload } from '../../ledger/uploads/uploads.ts';
import { updateWatch } from '../../ledger/uploads/watches.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import type { Causes, Receipt, ReceiptCheck, RowCounts, UploadState } from '../../model.ts';
import { outcomeOf } from '../../report/reconcile.ts';
import { runSentence, type RunReason } from '../../wording/reasons/run-reasons.ts';
import { mayVerifyLate } from '../../upload/receipt/receipt.ts';
import type { Examination } from '../../upload/receipt/examine-upload.ts';
import { accountOf, accountsOf, rejectedRowsOf } from './accounts.ts';
import { noteExpired } from '../feeds/expectations.ts';
import type { FeedChange } from '../feeds/feed-change.ts';
import { changesOf, recordChanges } from './settle-feeds.ts';
import { offersRead } from '../../wording/words.ts';

/** A closed upload and what it was made from. */
export type ClosedUpload = {
  intent: IntentRow;
  dataset: DatasetRow;
  upload: UploadRow;
  lease: Lease;
  signal: AbortSignal;
};

/** Everything that is known of a successful upload. */
export type Success = ClosedUpload & Examination & { parts: DatasetPart[]; errorsSha: string | null };

/**
 * Records a success in one transaction: candidates become contributions, the checkpoints move, each run gets its account
 * and outcome. When the receipt does not prove it, nothing becomes a contribution and no checkpoint moves.
 */
export async function recordSuccess(success: Success, ctx: Context): Promise<void> {
  const { intent, upload, receipt } = success;
  const now = ctx.clock.now();
  const proved = receipt.verified;
  const accounts = await accountsOf(ctx.ledger.db, success, proved);
  const changes = proved ? await changesBy(success, accounts, ctx) : [];
  await withFencedTransaction(ctx.ledger, success.lease, async (trx) => {
    for (const run of await runsOfIntent(trx, intent.id)) {
      const account = accountOf(run, success, proved);
      await updateRun(trx, run.id, {
        account,
        outranked: account.outranked,
        rejections_sha: own(success.rejections, run.feed) ?? null,
        rejections_total: own(success.traced.rejections, run.feed) ?? 0,
      });
      await addEvent(trx, run.id, { at: now, stage: 'upload', message: uploadedAs(upload, proved) });
      await clearCandidate(trx, run);
      if (proved) {
        await contribute(trx, run);
        const outcome = outcomeOf(account);
        const reason = outcome === 'live' ? null : partialReason(account);
        await decideRun(trx, run.id, { outcome, cause: 'uploaded', reason, now });
      } else {
        const reason = unprovedReason(upload, receipt);
        await decideRun(trx, run.id, { outcome: 'failed', cause: 'unproved', reason, now });
      }
    }
    if (intent.cause === 'rollback' && proved) await restoreContributions(trx, success);
    if (proved) await dropAbsent(trx, success, now);
    await updateWatch(trx, upload.login, {
      unverified: null,
      unverified_at: null,
      // Who has just put it right wants to see that it is; an index that lags is asked again soon.
      ...(intent.cause === 'restore' || (await isElsewhere(trx, upload.login)) ? { next_at: 0 } : {}),
      ...(mayVerifyLate(receipt) ? dueIn(ctx.config.service.poll.max, now) : {}),
    });
    await updateUpload(trx, upload.id, { errors_sha: success.errorsSha, note: null });
    await recordChanges(trx, changes, { login: intent.login, offerId: upload.offer_id, now });
    await updateIntent(trx, intent.id, {
      result: proved ? 'met' : 'unproved',
      closed_at: intent.closed_at ?? now,
      receipt,
      accounts: dictionary(accounts),
      rejected_rows: rejectedRowsOf(success),
    });
    await noteReceipt(trx, success, now);
    if (proved) await noteLive(trx, success, now);
  });
}

/** Tells hooks that a dataset became live. */
async function noteLive(trx: Db, { intent, upload }: Success, now: number): Promise<void> {
  const facts = { of: 'dataset', login: intent.login, intent: intent.id, upload: upload.offer_id } as const;
  await noteEvent(trx, { event: 'dataset.live', subject: `login ${intent.login}`, at: now, facts });
}

async function changesBy(success: Success, accounts: Map<string, FeedAccount>, ctx: Context): Promise<FeedChange[]> {
  const runs = await runsOfIntent(ctx.ledger.db, success.intent.id);
  return changesOf({ ...success, accounts, delivered: new Set(runs.map(({ feed }) => feed)) }, ctx);
}

/** Whether an open incident of the login says that something else is live; an upload of ours that replaces it ends that. */
async function isElsewhere(trx: Db, login: string): Promise<boolean> {
  for (const kind of ['foreign-upload', 'late-arrival'] as const) {
    if ((await openIncident(trx, { kind, login })) !== undefined) return true;
  }
  return false;
}

/** One incident for a login whose newest upload is not proved, until one is. */
async function noteReceipt(trx: Db, { intent, upload, receipt }: Success, now: number): Promise<void> {
  const what = { kind: 'receipt', login: intent.login } as const;
  if (receipt.verified) {
    await recover(trx, { ...what, text: `upload ${upload.offer_id} is verified as live` }, now);
    return;
  }
  const failed = detailsOf(receipt.checks.filter(({ result }) => result === 'failed'));
  const run = (await runsOfIntent(trx, intent.id))[0]?.id ?? null;
  const numbers = { upload: upload.id, offerId: upload.offer_id, failed: failed.length };
  await raise(
    trx,
    { ...what, reason: { code: 'receipt-failed', upload: upload.offer_id, failed }, run, cause: upload.id, numbers },
    now,
  );
}

function unprovedReason({ offer_id: upload }: UploadRow, { checks }: Receipt) {
  const failed = detailsOf(checks.filter(({ result }) => result === 'failed'));
  return { code: 'unproved', upload, failed, checks: detailsOf(checks) } as const;
}

function detailsOf(checks: ReceiptCheck[]): string[] {
  return checks.map(({ detail }) => detail);
}

/**
 * Records that the service failed, aborted or refused the upload; the contributions stay as they are. When several
 * candidates were in a dataset that failed, it is unknown whose fault it was: they go back, each to be uploaded alone, and only
 * the one that fails alone ends as `failed`.
 */
export async function recordFailure(work: ClosedUpload, ctx: Context): Promise<void> {
  const { intent, upload } = work;
  const now = ctx.clock.now();
  const before = upload.state === 'refused' ? undefined : await latestAccepted(ctx.ledger.db, upload.login);
  const reason = failureReason(upload);
  const message = `${runSentence(reason)}${before === undefined ? '' : UNVERIFIED}`;
  await withFencedTransaction(ctx.ledger, work.lease, async (trx) => {
    const runs = await runsOfIntent(trx, intent.id);
    const apart = runs.length > 1 && upload.state !== 'refused';
    for (const run of runs) {
      if (apart) await sendAlone(trx, run, reason, now);
      else {
        await clearCandidate(trx, run);
        await addEvent(trx, run.id, { at: now, stage: 'upload', message });
        const cause = FAILURES[upload.state] ?? 'upload-failed';
        await decideRun(trx, run.id, { outcome: 'failed', cause, reason, now });
      }
    }
    const result = upload.state === 'refused' ? 'refused' : 'failed';
    if (before !== undefined) {
      const unverified = upload.offer_id ?? upload.token;
      await updateWatch(trx, upload.login, { unverified, unverified_at: now, next_at: 0 });
    }
    await updateIntent(trx, intent.id, { result, closed_at: now });
  });
}

/** Why a run failed, by the state that its upload ended in. */
const FAILURES: Partial<Record<UploadState, Causes['failed']>> = { refused: 'refused', aborted: 'upload-aborted' };

/** The interface does not say what is live after a failure. True at that moment only: what is live later, `now` says. */
const UNVERIFIED = '; what is live now is unverified until the dataset before it has been checked';

async function sendAlone(trx: Db, run: RunRow, failure: RunReason, now: number): Promise<void> {
  const options: RunOptions = { ...run.options, alone: true };
  const back = run.outcome === null ? { stage: 'compose' as const } : {};
  await updateRun(trx, run.id, { ...back, intent: null, options });
  const reason = { code: 'failed-together', feed: run.feed, said: runSentence(failure) } as const;
  await addEvent(trx, run.id, { at: now, stage: 'upload', message: runSentence(reason) });
  // It was answered before the upload ended: what was not known then is known now.
  if (run.outcome === null) return;
  await decideRun(trx, run.id, { outcome: 'failed', cause: 'failed-together', reason, now });
}

/** After a rollback each feed contributes what it did in that dataset. */
async function restoreContributions(trx: Db, { parts }: Success): Promise<void> {
  for (const { run } of parts) await contribute(trx, await getRun(trx, run));
}

/** A feed that is not in the dataset that is live contributes nothing; one that expired is said to have left. */
async function dropAbsent(trx: Db, { intent, parts }: Success, now: number): Promise<void> {
  const nothing = { contribution: null, live_sha: null, live_settings: null, checkpoint: null };
  for (const state of await listFeeds(trx, intent.login)) {
    if (parts.some(({ feed }) => feed === state.feed) || state.contribution === null) continue;
    // Changes are not put upon rows that have left.
    await updateFeed(trx, state.feed, { ...nothing, head: state.candidate });
    await noteExpired(trx, state, now);
  }
}

async function contribute(trx: Db, run: RunRow): Promise<void> {
  // It belongs to another login by now, for which it never delivered this.
  if ((await loginOfFeed(trx, run.feed)) !== run.login) return;
  await updateFeed(trx, run.feed, {
    contribution: run.id,
    live_sha: run.delivery_sha,
    live_settings: run.settings_hash,
    checkpoint: run.checkpoint,
  });
}

function partialReason({ live, rejectedLocally, rejectedRemotely, unexplained, ...rows }: RowCounts) {
  return { code: 'partial', read: offersRead(rows), live, rejectedLocally, rejectedRemotely, unexplained } as const;
}

function uploadedAs(upload: UploadRow, proved: boolean): string {
  const adopted = upload.adopted === 1 ? ', recognised by its token' : '';
  const what = proved ? 'live' : 'accepted, but not verified as live,';
  return `${what} as upload ${upload.offer_id} at attempt ${upload.attempt}${adopted}`;
}

function failureReason({ state, refusal, record, offer_id: upload }: UploadRow): RunReason {
  if (state === 'refused') {
    const text = refusal?.text;
    return { code: 'upload-refused', said: text ?? null };
  }
  const error = record?.error;
  return { code: state === 'aborted' ? 'upload-aborted' : 'upload-failed', upload, said: error ?? '' };
}
