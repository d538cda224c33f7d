import type { Context } from '../../context.ts';
import { raise } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { Db } from '../../ledger/ledger.ts';
import { addEvent, runsOfIntent } from '../../ledger/runs/runs.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload, updateUpload } from '../../ledger/uploads/uploads.ts';
import { columnsOfEnded } from '../../upload/protocol/attempt-row.ts';
import { reasonSentence, type IncidentReason } from '../../wording/reasons/incident-reasons.ts';
import { credentialsDenied } from '../logins/denial.ts';
import { restore } from './restore.ts';
import { settleUpload } from '../settle/settle-stage.ts';
import type { Findings, LateConsequence, StepOf, WatchEffect, Watching } from './watch-facts.ts';

/** Reads what the ledger has of an attempt that arrived late. */
export async function readAttempt({ attempt }: StepOf<'read-attempt'>, ctx: Context): Promise<Findings> {
  const upload = await findUpload(ctx.ledger.db, attempt.id);
  return { arrived: { upload, intent: await getIntent(ctx.ledger.db, upload.intent) } };
}

/** Draws the account of a late arrival that is what is live now: the outcome of its runs is amended. */
export async function settleLate(
  { arrival }: StepOf<'settle-late'>,
  { login, lease, signal }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  const { intent } = arrival;
  const upload = { ...arrival.upload, ...columnsOfEnded(arrival.record), closed_at: ctx.clock.now() };
  const dataset = await getDataset(ctx.ledger.db, intent.dataset);
  const settled = await settleUpload({ intent, dataset, upload, lease, signal }, ctx);
  if (settled === 'settled') {
    const amended = { text: 'the outcome of its runs is amended', replaces: null, obstacle: null };
    await withFencedTransaction(ctx.ledger, lease, (trx) => record(trx, upload, amended, ctx));
    return 'again';
  }
  if ('waitUntil' in settled) return settled;
  await credentialsDenied(login, settled.denied, ctx);
  return 'again';
}

/** Records a late arrival, and decides to send the last good dataset again where it took its place. */
export async function recordLate(
  { arrival, consequence, restore: good }: StepOf<'record-late'>,
  { lease }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  const closed_at = consequence.closesNow ? ctx.clock.now() : arrival.upload.closed_at;
  const upload = { ...arrival.upload, ...columnsOfEnded(arrival.record), closed_at };
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await record(trx, upload, consequence, ctx);
    if (good !== null) await restore(trx, good, ctx);
  });
  return 'again';
}

/** `replaces`: what was live until then, and is not any more. */
async function record(trx: Db, upload: UploadRow, consequence: Consequence, ctx: Context): Promise<void> {
  const { id, offer_id: offerId, state, intent, closed_at, adopted, service_state, error, lines_processed } = upload;
  const { closed_at: was } = await findUpload(trx, id);
  const columns = { state, offer_id: offerId, adopted, service_state, error, lines_processed, record: upload.record };
  const closed = closed_at === was ? {} : { closed_at };
  await updateUpload(trx, id, { ...columns, ...closed, note: 'given up, and accepted late' });
  const message = reasonSentence(reasonFor(upload, consequence));
  for (const run of await runsOfIntent(trx, intent)) {
    await addEvent(trx, run.id, { at: ctx.clock.now(), stage: 'upload', message });
  }
  await raiseLate(trx, upload, consequence, ctx);
}

/** Keeps the one incident of a late arrival up to date while it is live, and decides to send the last good dataset again. */
export async function noteOvertaken(
  { overtaken, restore: good }: StepOf<'note-overtaken'>,
  { lease }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  const { attempt, current, ...consequence } = overtaken;
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    const upload = await findUpload(trx, attempt.id);
    await raiseLate(trx, upload, { ...consequence, replaces: current }, ctx);
    if (good !== null) await restore(trx, good, ctx);
  });
  return good === null ? { judged: true } : 'again';
}

type Consequence = Pick<LateConsequence, 'text' | 'replaces' | 'obstacle'>;

/** The run in the incident is the newest whose rows should be live: running it again from the upload sends them by hand. */
async function raiseLate(trx: Db, upload: UploadRow, consequence: Consequence, ctx: Context): Promise<void> {
  const { id, login, offer_id: offerId } = upload;
  const { replaces } = consequence;
  const ours = replaces?.upload.offer_id ?? null;
  const numbers = { upload: id, offerId, replaces: replaces === null ? 0 : 1, ours };
  const run =
    replaces?.dataset.parts
      .map((part) => part.run)
      .sort()
      .at(-1) ?? null;
  const reason = reasonFor(upload, consequence);
  await raise(trx, { kind: 'late-arrival', login, run, reason, cause: id, numbers }, ctx.clock.now());
}

function reasonFor({ attempt, intent, offer_id, state }: UploadRow, { text, obstacle }: Consequence): IncidentReason {
  return { code: 'accepted-late', attempt, intent, upload: offer_id, state, next: text, obstacle };
}
