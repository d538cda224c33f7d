import { rm } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { isRetryable, isServiceError, OfferlineError, retryAfterMs, statusOf } from '../../errors.ts';
import { count } from '../../gauge.ts';
import type { Lease } from '../../ledger/lease.ts';
import { neverConnected } from '../../service/http/never-connected.ts';
import type { OfferFile } from '../../service/offers/upload.ts';
import { offerOf, type DatasetRow, type IntentRow } from '../../ledger/schema/schema.ts';
import { fenced } from './fence.ts';
import { toListed } from './probe.ts';
import { offerFile } from './offer-body.ts';
import type { ProtocolEvent } from '../protocol/attempt.ts';

/** What one POST is made of. */
export type Send = { intent: IntentRow; dataset: DatasetRow; token: string; lease: Lease; signal: AbortSignal };

/**
 * Sends the dataset once and says what is known of it afterwards. The lease is renewed while the body flows; a silence
 * longer than `service.timeout` closes the connection and leaves the outcome unknown. Throws only `lease-lost`, when
 * interrupted, and for faults of ours: the attempt then stays `sending` until a new owner looks it up.
 */
export async function sendOffer(send: Send, ctx: Context): Promise<ProtocolEvent> {
  const folder = await ctx.archive.tempFolder();
  const renewal = setInterval(() => {
    send.lease.renew().catch((error: unknown) => ctx.log.warn({ err: error }, 'lease could not be renewed'));
  }, ctx.config.worker.lease / 3);
  try {
    const file = await offerFile({
      dataset: ctx.archive.file(send.dataset.sha256),
      offer: offerOf(send.dataset),
      login: send.intent.login,
      token: send.token,
      folder,
    });
    return await post(file, send, ctx);
  } catch (error) {
    if (error === send.signal.reason) throw error;
    return afterFailedSend(error);
  } finally {
    clearInterval(renewal);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Silence counts from here on: packing a large dataset into a zip may take longer than any server is silent. */
async function post(file: OfferFile, send: Send, ctx: Context): Promise<ProtocolEvent> {
  const watch = watchSilence(ctx.config.service.timeout, send.signal);
  try {
    const { login } = send.intent;
    const record = await ctx.gauges.during(login, { stage: 'send', unit: 'bytes', total: file.bytes }, (meter) => {
      const sent = (bytes: number) => {
        watch.heard();
        count(meter, bytes);
      };
      return ctx.offers(login).process(file, {
        signal: watch.signal,
        fence: (body) => fenced(body, send.lease, sent),
      });
    });
    return { type: 'accepted', record: toListed(record) };
  } finally {
    watch.stop();
  }
}

/** A worker that has to stop lets an upload that is nearly done finish for so many milliseconds. */
const GRACE = 5000;

/** Aborts when nothing was heard for `timeout` milliseconds, and a little after the worker was asked to stop. */
function watchSilence(timeout: number, outer: AbortSignal) {
  const end = new AbortController();
  const silent = `the service was silent for ${timeout / 1000} s (service.timeout); the connection was closed`;
  const ring = () => end.abort(new OfferlineError('service-unreachable', silent, { retryable: true }));
  let timer = setTimeout(ring, timeout);
  let last: NodeJS.Timeout | undefined;
  const stopSoon = () => {
    last = setTimeout(() => end.abort(outer.reason), GRACE);
  };
  if (outer.aborted) stopSoon();
  else outer.addEventListener('abort', stopSoon, { once: true });
  return {
    signal: end.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(ring, timeout);
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(last);
      outer.removeEventListener('abort', stopSoon);
    },
  };
}

/** What became of a POST, from the error that it ended with. */
function afterFailedSend(error: unknown): ProtocolEvent {
  if (!(error instanceof OfferlineError)) throw error;
  const retryAfter = retryAfterMs(error);
  const status = statusOf(error);
  if (status !== null) {
    if (status === 429) return { type: 'throttled', why: error.message, retryAfter };
    if (isRetryable(error) || status < 400) return { type: 'unclear', why: error.message, retryAfter };
    return { type: 'refused', refusal: { status, text: error.message, operation: 'offer/process', retryAfter } };
  }
  if (!isServiceError(error)) throw error;
  if (neverConnected(error)) return { type: 'not-connected', why: error.message };
  return { type: 'unclear', why: error.message, retryAfter };
}
