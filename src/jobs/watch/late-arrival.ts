import type { Context } from '../../context.ts';
import { raise } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { Db } from '../../ledger/ledger.ts';
import { addEvent, runsOfIntent } from '../../ledger/runs/runs.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload, updateUpload } from '../../ledger/uploads/uploads.ts';
import { isFinished } from '../../upload/protocol/service-record.ts';
import type { LateArrival } from '../../upload/protocol/standing.ts';
import { credentialsDenied } from '../logins/denial.ts';
import { lastGood, nameOfRestored, restore, whyNotRestore } from './restore.ts';
import { settleUpload } from '../settle/settle-stage.ts';
import type { Watched, Watching } from './watch.ts';

/** A late arrival, and whether it is what is live. */
export type Late = LateArrival & { isLive: boolean };

/**
 * The service took an attempt that had been given up: it is recorded, and one incident raised. When its dataset is newer than
 * the current one its runs get their outcome after all, also when there is no current one; when it is older and live, the last good one is sent again.
 */
export async function settleLate(
  work: Watching,
  late: Late,
  current: AcceptedUpload | null,
  ctx: Context,
): Promise<Watched> {
  const { login, lease, signal } = work;
  const row = await findUpload(ctx.ledger.db, late.attempt.id);
  const intent = await getIntent(ctx.ledger.db, row.intent);
  const upload = { ...row, ...columnsOf(late) };
  const newest = { ...upload, closed_at: ctx.clock.now() };
  const same = late.attempt.sha256 === current?.dataset.sha256;
  const isNewer = intent.result !== 'met' && intent.created_at > (current?.intent.created_at ?? 0);
  // The same rows once more: the service may have rejected others of them this time.
  const anew =
    same && intent.id === current?.intent.id && (late.record.errorFileExists || current.upload.errors_sha !== null);
  if (late.isLive && (anew || (!same && isNewer))) {
    const dataset = await getDataset(ctx.ledger.db, intent.dataset);
    const settled = await settleUpload({ intent, dataset, upload: newest, lease, signal }, ctx);
    if (settled !== 'settled' && 'denied' in settled) await credentialsDenied(login, settled.denied, ctx);
    if (settled !== 'settled') return 'waitUntil' in settled ? settled : 'again';
    const amended = { consequence: 'the outcome of its runs is amended', replaces: null };
    await withFencedTransaction(ctx.ledger, lease, (trx) => record(trx, newest, amended, ctx));
    return 'again';
  }
  if (current === null) {
    await withFencedTransaction(ctx.ledger, lease, (trx) =>
      record(trx, late.isLive ? newest : upload, { consequence: 'it is not what is live', replaces: null }, ctx),
    );
    return 'again';
  }
  const good = await lastGood(current, ctx);
  const isGood = late.attempt.sha256 === good.dataset.sha256;
  const replace = late.isLive && !same && !isGood;
  const why = replace && !work.sending ? await whyNotRestore(login, good, ctx) : null;
  const name = nameOfRestored(good, current);
  const sent = why === null ? `${name} is sent again` : `${name} is not sent again: ${why}`;
  const stays = late.isLive && isGood && !same ? LAST_PROVED : 'what is live is the current dataset all the same';
  // What was made live since stays the current dataset, whatever is served now: the late one keeps the time it was given up at.
  const kept = late.isLive && !replace ? newest : upload;
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await record(trx, kept, { consequence: replace ? sent : stays, replaces: replace ? current : null }, ctx);
    if (replace && why === null && !work.sending) await restore(trx, good, ctx);
  });
  return 'again';
}

const LAST_PROVED = 'it is the dataset that was proved last, and stays live';

function columnsOf({ record: said }: Late): Partial<UploadRow> & Pick<UploadRow, 'state'> {
  const { state, linesProcessed, lastModified, error, errorFileExists } = said;
  return {
    state: isFinished(state) ? state : 'success',
    offer_id: said.id,
    adopted: 1,
    service_state: state,
    error,
    lines_processed: linesProcessed,
    record: { state, linesProcessed, lastModified, error, errorFileExists },
  };
}

/** `replaces`: what was live until then, and is not any more. */
async function record(
  trx: Db,
  upload: UploadRow,
  { consequence, replaces }: { consequence: string; replaces: AcceptedUpload | null },
  ctx: Context,
): Promise<void> {
  const now = ctx.clock.now();
  const { id, login, attempt, offer_id: offerId, state } = upload;
  const { intent, closed_at, adopted, service_state, error, lines_processed, record: said } = upload;
  const { closed_at: was } = await findUpload(trx, id);
  const text = `attempt ${attempt} of intent ${intent}, which was given up, was accepted late as upload ${offerId} (${state}); ${consequence}`;
  const columns = { state, offer_id: offerId, adopted, service_state, error, lines_processed, record: said };
  const closed = closed_at === was ? {} : { closed_at };
  await updateUpload(trx, id, { ...columns, ...closed, note: 'given up, and accepted late' });
  for (const run of await runsOfIntent(trx, intent)) {
    await addEvent(trx, run.id, { at: now, stage: 'upload', message: text });
  }
  const ours = replaces?.upload.offer_id ?? null;
  const numbers = { upload: id, offerId, replaces: replaces === null ? 0 : 1, ours };
  await raise(trx, { kind: 'late-arrival', login, text, cause: id, numbers }, now);
}
