import type { Context } from '../../context.ts';
import { raise } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { recordForeignUpload, foreignUploadOf, watchOf, type KnownAttempt } from '../../ledger/uploads/watches.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { compareSource } from '../../upload/receipt/compare-source.ts';
import { isNamedLikeOurs, wasGivenUp, type LateArrival, type Standing } from '../../upload/protocol/standing.ts';
import { usable } from '../archive/usable.ts';
import { lastGood, nameOfRestored, restore, whyNotRestore } from './restore.ts';
import type { Watched, Watching } from './watch.ts';
import { whatToCompose } from '../feeds/what-to-compose.ts';

/** So many attempts that were given up are compared with a record without a name of ours. */
const COMPARED = 3;

/** A service may leave names out: whether a new success without one is an attempt that was given up is told by its rows, once. */
export async function recogniseLate(
  work: Watching,
  record: Listed,
  attempts: readonly KnownAttempt[],
  ctx: Context,
): Promise<LateArrival | null> {
  const { login, signal } = work;
  if ((await foreignUploadOf(ctx.ledger.db, login, record.id)) !== undefined) return null;
  for (const attempt of attempts.filter(wasGivenUp).slice(0, COMPARED)) {
    const { dataset: id } = await getIntent(ctx.ledger.db, attempt.intent);
    const dataset = await getDataset(ctx.ledger.db, id);
    if (!(await usable(dataset.index_sha, ctx))) continue;
    if (await compareSource({ offerId: record.id, dataset, login, signal }, ctx)) return { record, attempt };
  }
  return null;
}

/**
 * What is live is not the current dataset: one incident, and with `onForeign: restore` the last good one is sent again, once for
 * each that took its place and only so often. What is about to be sent takes its place anyway.
 */
export async function meetForeignUpload(
  work: Watching,
  standing: Standing,
  current: AcceptedUpload,
  ctx: Context,
): Promise<Watched> {
  const { login } = work;
  const offerId = standing.live === 'nothing' ? '' : standing.record.id;
  const met = await foreignUploadOf(ctx.ledger.db, login, offerId);
  const good = await lastGood(current, ctx);
  const same =
    met === undefined
      ? (await hasSameRows(work, standing, current, ctx)) ||
        (good.upload.id !== current.upload.id && (await hasSameRows(work, standing, good, ctx)))
      : met.same_rows === 1;
  const text = describe(login, standing, current);
  const plan = await planFor(work, { standing, same, restoredBy: met?.restored_by ?? null }, { current, good }, ctx);
  const now = ctx.clock.now();
  const numbers = { offerId: offerId === '' ? null : offerId, ours: current.upload.offer_id };
  return withFencedTransaction(ctx.ledger, work.lease, async (trx) => {
    const reason = { code: 'foreign-upload', found: text, sameRows: same, next: plan.say } as const;
    await raise(trx, { kind: 'foreign-upload', login, reason, cause: offerId, numbers }, now);
    const intent = plan.restore ? await restore(trx, good, ctx) : null;
    const restored_by = intent?.id ?? met?.restored_by ?? null;
    await recordForeignUpload(trx, {
      login,
      offer_id: offerId,
      seen_at: now,
      text,
      same_rows: same ? 1 : 0,
      restored_by,
    });
    return intent === null ? 'on' : 'again';
  });
}

async function hasSameRows(
  { login, signal }: Watching,
  standing: Standing,
  { dataset }: AcceptedUpload,
  ctx: Context,
): Promise<boolean> {
  if (standing.live !== 'foreign' || !(await usable(dataset.index_sha, ctx))) return false;
  return (await compareSource({ offerId: standing.record.id, dataset, login, signal }, ctx)) ?? false;
}

type Met = { standing: Standing; same: boolean; restoredBy: string | null };

async function planFor(
  { login, sending }: Watching,
  { standing, same, restoredBy }: Met,
  { current, good }: { current: AcceptedUpload; good: AcceptedUpload },
  ctx: Context,
): Promise<{ restore: boolean; say: string }> {
  if (sending) return { restore: false, say: 'the upload that is due takes its place' };
  if (same) return { restore: false, say: 'nothing has to be sent' };
  const failedBefore = (await watchOf(ctx.ledger.db, login)).unverified !== null && standing.live !== 'foreign';
  if (ctx.config.logins[login]?.onForeign !== 'restore' && !failedBefore) {
    return { restore: false, say: `logins.${login}.onForeign is alarm: it stays until something is uploaded` };
  }
  const name = nameOfRestored(good, current);
  if (restoredBy !== null) return { restore: false, say: `${name} was sent again once (${restoredBy})` };
  if ((await whatToCompose(login, ctx)).pending.length > 0) {
    return { restore: false, say: 'a delivery that waits takes its place' };
  }
  const why = await whyNotRestore(login, good, ctx);
  if (why !== null) return { restore: false, say: `${name} is not sent again: ${why}` };
  return { restore: true, say: `${name} is sent again` };
}

function describe(login: string, standing: Standing, { upload }: AcceptedUpload): string {
  const ours = `instead of upload ${upload.offer_id}`;
  if (standing.live === 'nothing') {
    return `the service lists no successful upload ${ours}: it may have been restored from a backup`;
  }
  const { record } = standing;
  if (standing.live === 'ours') {
    return `our older upload ${record.id} is live ${ours}: the service may have been restored from a backup`;
  }
  const named = record.sourceFile === null ? '' : ` (${JSON.stringify(record.sourceFile)})`;
  if (!isNamedLikeOurs(record, login)) return `somebody else's upload ${record.id}${named} is live ${ours}`;
  return `upload ${record.id}${named} of another installation of offerline, or of this one after the backup that its ledger comes from, is live ${ours}`;
}
