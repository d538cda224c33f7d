import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { endFailure, failureOf, recordFailure } from '../../ledger/hooks/failures.ts';
import {
  giveUpMessages,
  giveUpRefused,
  holdMessage,
  messageEnded,
  messageFailed,
  nextMessage,
} from '../../ledger/hooks/messages.ts';
import type { Db } from '../../ledger/ledger.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import type { HookFailureRow, HookMessageRow } from '../../ledger/schema/schema.ts';
import { postMessage, whyWithAnswer, type Outcome } from '../../notify/hooks/post.ts';
import { markOf } from '../../service/fingerprint.ts';
import { redactForeign } from '../../wording/redact.ts';
import { withLease } from '../logins/with-lease.ts';
import { noteStopped } from './incident.ts';
import { isTriedEnough, planFailure, rests, TRIED_FOR } from './plan-failure.ts';
import { writeBody } from './render.ts';
import { sendAlerts } from './send-alerts.ts';

/**
 * Sends a hook what it is to be told, one message after another, until nothing is due, it fails, or somebody else does so. A worker that is
 * killed between sending and recording leaves the message open: it is sent again under the same id. One that was stopped for so long that
 * another has taken over sends nothing more, and what the other recorded stays: fails with `lease-lost` then.
 */
export async function sendMessages(hook: string, settings: HookConfig, ctx: Context, stop: AbortSignal): Promise<void> {
  await withLease(`hook-${hook}`, ctx, async (lease) => {
    const sending = { signal: stop, mayStill: lease.alive };
    const record: Recording = (work) => withFencedTransaction(ctx.ledger, lease, work);
    while (!stop.aborted && lease.alive()) {
      const failure = await failureOf(ctx.ledger.db, hook);
      const known = { hook, failure, fingerprint: () => markOf(settings, ctx.ledger.id) };
      if (failure !== undefined && rests(failure, await known.fingerprint(), ctx.clock.now())) {
        return giveUpOld(failure, record, ctx);
      }
      const message = await nextMessage(ctx.ledger.db, hook, ctx.clock.now());
      if (message === undefined) return sendAlerts(hook, settings, ctx, sending);
      const outcome = await send(message, settings, ctx, sending);
      if (outcome === 'skipped') await record((trx) => messageEnded(trx, message, 'skipped', ctx.clock.now()));
      else if (outcome.taken) await noteTaken(message, failure, record, ctx);
      // What is broken off because this worker stops, or because another one tells the hook, says nothing about the hook.
      else if (stop.aborted || !lease.alive()) return;
      else {
        const before = { hook, failure, fingerprint: await known.fingerprint() };
        if ((await noteFailure(message, outcome, before, record, ctx)) === 'rests') return;
      }
    }
  });
}

/** What ends the sending, and whether the sender still may. */
type Sending = { signal: AbortSignal; mayStill: Lease['alive'] };

/** Records in a transaction that fails with `lease-lost` when another worker tells the hook by now. */
type Recording = <T>(work: (trx: Db) => Promise<T>) => Promise<T>;

/** Writes a message in the hook's format and sends it. One that cannot be written fails alone; one that has nothing left to say is not sent. */
async function send(
  message: HookMessageRow,
  settings: HookConfig,
  ctx: Context,
  sending: Sending,
): Promise<Outcome | 'skipped'> {
  let body: string | null;
  try {
    body = await writeBody(message.body, settings, ctx);
  } catch (error) {
    if (!(error instanceof OfferlineError))
      ctx.log.warn({ err: error, message: message.id }, 'message cannot be written');
    const why = `was not asked, since the message could not be written: ${redactForeign(messageOf(error))}`;
    return { taken: false, about: 'writing', why, said: null, retryAfter: null };
  }
  if (body === null) return 'skipped';
  return postMessage(settings, { id: message.id, body }, { now: ctx.clock.now(), ...sending });
}

async function noteTaken(
  message: HookMessageRow,
  failure: HookFailureRow | undefined,
  record: Recording,
  ctx: Context,
): Promise<void> {
  const { hook, id, event } = message;
  await record(async (trx) => {
    await messageEnded(trx, message, 'sent', ctx.clock.now());
    if (failure === undefined) return;
    await endFailure(trx, hook);
    await noteStopped(trx, ctx);
  });
  ctx.log.info({ hook, message: id, event }, 'hook was told');
}

type Refused = Extract<Outcome, { taken: false }>;
type Known = { hook: string; failure: HookFailureRow | undefined; fingerprint: string };

async function noteFailure(
  message: HookMessageRow,
  outcome: Refused,
  known: Known,
  record: Recording,
  ctx: Context,
): Promise<'rests' | 'goes on'> {
  const now = ctx.clock.now();
  const { hook, id, event, tries } = message;
  const { failure, messageNext, hookRests, giveUp } = planFailure(outcome, { ...known, message }, now);
  const reason = whyWithAnswer(outcome);
  const lost = await record(async (trx) => {
    if (await isBegunAnew(message, known, trx)) return null;
    await messageFailed(trx, message, { error: reason, nextAt: messageNext });
    const given = { before: giveUp?.before ?? 0, error: outcome.why, now };
    const ofHook = giveUp?.of === 'hook' ? await giveUpMessages(trx, hook, given) : 0;
    const alone = giveUp?.of === 'message' ? await giveUpRefused(trx, message, given) : 0;
    await recordFailure(trx, { ...failure, lost: (known.failure?.lost ?? 0) + ofHook });
    await noteStopped(trx, ctx);
    return ofHook + alone;
  });
  ctx.log.warn({ hook, message: id, event, tries: tries + 1, reason, lost: lost ?? 0 }, 'hook was not told yet');
  return lost !== null && hookRests ? 'rests' : 'goes on';
}

/** Whether somebody replayed the message, or tested or replayed its failing hook, while it was sent: what failed before that keeps nothing from being tried. */
async function isBegunAnew(message: HookMessageRow, { hook, failure }: Known, trx: Db): Promise<boolean> {
  if ((await holdMessage(trx, message)) !== message.at) return true;
  return failure !== undefined && (await failureOf(trx, hook)) === undefined;
}

/** A hook that rests keeps no message for longer than others. */
async function giveUpOld({ hook, error, ...failure }: HookFailureRow, record: Recording, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  if (failure.gone === 0 && !isTriedEnough(failure, now)) return;
  await record(async (trx) => {
    const lost = await giveUpMessages(trx, hook, { before: now - TRIED_FOR, error, now });
    if (lost === 0) return;
    await recordFailure(trx, { hook, error, ...failure, lost: failure.lost + lost });
    await noteStopped(trx, ctx);
  });
}
