import { systemClock } from '../../clock.ts';
import { OfferlineError } from '../../errors.ts';
import { drop } from '../http/drop.ts';
import { isAnswer, pullError, statusError } from '../http/errors.ts';
import { changedError, restOf } from '../http/ranged.ts';
import { headerOf, redirection, type Reply, type Web } from '../http/request.ts';
import type { ServerPlace } from '../server/server.ts';
import { askPatiently } from './ask-patiently.ts';

/** Statuses of an answer that leads elsewhere. */
export const REDIRECTS = [301, 302, 303, 307, 308];
/** Hosts that pass a download on, one to the next. */
const HOPS = 5;

type Asking = { web: Web; place: ServerPlace; signal: AbortSignal | undefined };

/**
 * The bytes of a file, from a byte on, by the reply to the question for them. It may lead to an address that opens the file for everybody
 * who has it, for minutes: that is asked without the token, and never shown. Whether the file was replaced meanwhile is for the caller
 * to compare. Throws `pull-failed`, with `details.changed` for a file that is gone.
 */
export async function* readDownload(first: Reply, from: number, asking: Asking): AsyncGenerator<Uint8Array> {
  const { place } = asking;
  let [reply, url] = [first, first.url];
  for (let hops = 0; ; hops++) {
    const next = redirection(reply, url, place);
    if (next === undefined) break;
    await drop(reply, place);
    if (hops === HOPS)
      throw pullError(place, `answered ${reply.statusCode} without a usable redirect address; ask the supplier.`);
    url = next;
    reply = await follow(url, from, asking);
  }
  if (isAnswer(reply.statusCode) || reply.statusCode === 206) return yield* restOf(reply, from);
  await drop(reply, place);
  throw changedError(place);
}

/** What asks for the bytes from one on, as they are. */
export function rangeOf(from: number): Record<string, string> {
  return { 'accept-encoding': 'identity', ...(from === 0 ? {} : { range: `bytes=${from}-` }) };
}

function follow(url: URL, from: number, { web, place, signal }: Asking): Promise<Reply> {
  const question = { url, shown: place.url, anonymous: true as const, headers: rangeOf(from), signal };
  return askPatiently(web, question, { accepts: [200, 203, 206, 404, 410, 416, ...REDIRECTS], refusalOf }, place);
}

async function refusalOf(reply: Reply): Promise<OfferlineError> {
  const { statusCode: status, place } = reply;
  await drop(reply, place);
  if (status !== 401 && status !== 403) {
    return statusError(status, place, headerOf(reply, 'retry-after'), systemClock.now());
  }
  // Its credentials are in the address, which has ended; those of the source were good.
  const message = `${place.url} gave an address for the file that was refused (${status}); another one will be asked for.`;
  return new OfferlineError('pull-failed', message, { retryable: true, details: { url: place.url } });
}
