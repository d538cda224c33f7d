import type { Context } from '../../context.ts';
import { isServiceError, messageOf, retryAfterMs, statusOf } from '../../errors.ts';
import { addUploadStep } from '../../ledger/calls/upload-steps.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import type { DatasetRow, IntentRow, UploadRow } from '../../ledger/schema/schema.ts';
import { dueIn } from '../../clock.ts';
import { updateIntent } from '../../ledger/uploads/intents.ts';
import {
  createAttempt,
  lostBySilence,
  newestAttempt,
  otherTokens,
  tokensOfIntent,
  updateUpload,
} from '../../ledger/uploads/uploads.ts';
import { isStep, toAttempt, toColumns, toStep } from '../protocol/attempt-row.ts';
import { compareSource } from '../receipt/compare-source.ts';
import { listUntilKnown, toListed } from './probe.ts';
import { assertNoSuccessor } from './successor.ts';
import type { Attempt, ProtocolEvent, ProtocolSettings, Reading, Refusal } from '../protocol/attempt.ts';
import { recordsToCompare } from '../protocol/after-probe.ts';
import { isDenial } from '../protocol/denial.ts';
import { apply, nextStep } from '../protocol/protocol.ts';
import { sendOffer } from './send.ts';

/**
 * Where an upload stands after as many steps as can be taken now; `denied`: the service refuses the credentials;
 * `unsendable`: the hash of a dataset that the archive no longer has as it was composed; nothing of it was sent. */
export type Progress =
  | { closed: UploadRow }
  | { waitUntil: number; upload: UploadRow }
  | { denied: Refusal; upload: UploadRow }
  | { unsendable: string; upload: UploadRow };

/** What an upload is driven with; the lease is the login's and must be alive. */
export type Drive = { intent: IntentRow; dataset: DatasetRow; lease: Lease; signal: AbortSignal };

/**
 * Drives the open intent of a login through the protocol until it has to wait or is closed. Every transition is written
 * under the lease before its effect is relied upon; `sending` is on disk before the first byte leaves.
 */
export async function drive(work: Drive, ctx: Context): Promise<Progress> {
  const row = await currentAttempt(work, ctx);
  return ctx.calls.during(row.id, () => driveAttempt(work, row, ctx));
}

async function driveAttempt(work: Drive, row: UploadRow, ctx: Context): Promise<Progress> {
  const settings = await protocolSettings(work, ctx);
  const tokens = await tokensOfIntent(ctx.ledger.db, work.intent.id);
  let attempt = toAttempt(row, work.intent, tokens);
  // This driver owns a fresh lease: a sender before it has lost its own, and is fenced.
  if (attempt.state === 'sending') attempt = await step(work, row, attempt, { type: 'sender-gone' }, settings, ctx);

  for (;;) {
    work.signal.throwIfAborted();
    const next = nextStep(attempt, ctx.clock.now());
    if (next.do === 'closed' && attempt.state === 'lost') return drive(withKnown(work, attempt), ctx);
    const upload = { ...row, ...toColumns(attempt, ctx.clock.now()) };
    if (next.do === 'closed') return { closed: upload };
    if (next.do === 'denied') return { denied: next.refusal, upload };
    if (next.do === 'wait') return { waitUntil: next.until, upload };
    if (next.do === 'send' && (await ctx.archive.verify(work.dataset.sha256)) !== 'ok') {
      return { unsendable: work.dataset.sha256, upload };
    }
    if (next.do === 'send') attempt = await step(work, row, attempt, { type: 'sending' }, settings, ctx);
    const event =
      next.do === 'send'
        ? await sendOffer({ ...work, token: row.token }, ctx)
        : next.do === 'probe'
          ? await probe(work, attempt, settings, ctx)
          : await poll(work, attempt, ctx);
    attempt = await step(work, row, attempt, event, settings, ctx);
  }
}

/** The next attempt knows what the intent's first probe listed. */
function withKnown(work: Drive, { known }: Attempt): Drive {
  return { ...work, intent: { ...work.intent, known_ids: known } };
}

async function currentAttempt(work: Drive, ctx: Context): Promise<UploadRow> {
  const newest = await newestAttempt(ctx.ledger.db, work.intent.id);
  if (newest !== undefined && newest.state !== 'lost') return newest;
  const number = (newest?.attempt ?? 0) + 1;
  const now = ctx.clock.now();
  const pause = pauseAfterLost(await lostBySilence(ctx.ledger.db, work.intent.id), ctx.config.service.poll.settle);
  const note = `attempt ${number} waits: the service took the earlier ones without showing any of them`;
  const wait = pause === 0 ? {} : { ...dueIn(pause, now), note };
  return withFencedTransaction(ctx.ledger, work.lease, (trx) => createAttempt(trx, work.intent, number, now, wait));
}

/** The longest pause between two attempts of which the service showed nothing, in milliseconds. */
const LONGEST_PAUSE = 6 * 3_600_000;

/** A service that swallows uploads without a trace gets the second at once, and each further one after a longer pause. */
function pauseAfterLost(lost: number, settle: number): number {
  return lost < 2 ? 0 : Math.min(LONGEST_PAUSE, settle * 2 ** Math.min(lost - 2, 30));
}

async function protocolSettings(work: Drive, ctx: Context): Promise<ProtocolSettings> {
  const { initial, max, stall, settle } = ctx.config.service.poll;
  const others = await otherTokens(ctx.ledger.db, work.intent);
  return { initial, max, stall, settle, random: Math.random, otherTokens: others };
}

/** Applies an event and writes the result under the lease. */
async function step(
  work: Drive,
  row: UploadRow,
  attempt: Attempt,
  event: ProtocolEvent,
  settings: ProtocolSettings,
  ctx: Context,
): Promise<Attempt> {
  const now = ctx.clock.now();
  const next = apply(attempt, event, now, settings);
  await withFencedTransaction(ctx.ledger, work.lease, async (trx) => {
    await updateUpload(trx, row.id, toColumns(next, now));
    if (isStep(attempt, next)) await addUploadStep(trx, toStep(row, next, now));
    if (attempt.known === null && next.known !== null) {
      await updateIntent(trx, work.intent.id, { known_ids: next.known });
    }
  });
  if (next.state !== attempt.state || next.note !== attempt.note) {
    const facts = { login: row.login, upload: row.id, from: attempt.state, to: next.state, note: next.note };
    // What the service says meanwhile is kept in the ledger.
    const level = next.state === attempt.state && next.state === 'submitted' ? 'debug' : 'info';
    const lines = next.service?.linesProcessed ?? null;
    ctx.log[level]({ ...facts, offerId: next.offerId, lines }, 'upload moved');
  }
  return next;
}

/** Reads the list; a new record that carries no token may still be ours, which only its content can show. */
async function probe(work: Drive, attempt: Attempt, settings: ProtocolSettings, ctx: Context): Promise<ProtocolEvent> {
  const since = ctx.clock.now();
  const at = readingOf(ctx);
  try {
    const offers = ctx.offers(work.intent.login);
    const records = await listUntilKnown(offers, attempt.known, work.signal);
    await assertNoSuccessor(records, work.intent.login, ctx);
    for (const record of recordsToCompare(attempt, records, settings.otherTokens)) {
      const { dataset, signal } = work;
      const same = await compareSource({ offerId: record.id, dataset, login: work.intent.login, signal }, ctx);
      if (same !== false) return { type: 'compared', record, same };
    }
    return { type: 'probed', records, at };
  } catch (error) {
    work.signal.throwIfAborted();
    return failedCall('probe-failed', since, error);
  }
}

async function poll(work: Drive, attempt: Attempt, ctx: Context): Promise<ProtocolEvent> {
  const since = ctx.clock.now();
  const at = readingOf(ctx);
  try {
    const record = await ctx.offers(work.intent.login).get(attempt.offerId ?? '', work.signal);
    return { type: 'polled', record: toListed(record), at };
  } catch (error) {
    work.signal.throwIfAborted();
    return failedCall('poll-failed', since, error);
  }
}

/** Taken before the service is asked: what it answers is no older. */
function readingOf({ clock }: Context): Reading {
  return { clock: clock.id, ms: clock.monotonic() };
}

/** A call that failed without consequence; anything but the service's doing is not swallowed. */
function failedCall(type: 'probe-failed' | 'poll-failed', since: number, error: unknown): ProtocolEvent {
  if (!isServiceError(error)) throw error;
  const status = statusOf(error);
  if (status !== null && isDenial({ status })) {
    const operation = type === 'probe-failed' ? 'offer/list' : 'offer/get';
    return { type: 'denied', refusal: { status, text: error.message, operation } };
  }
  return { type, why: messageOf(error), retryAfter: retryAfterMs(error), since };
}
