import { setTimeout as sleep } from 'node:timers/promises';
import { OfferlineError, retryAfterMs } from '../../errors.ts';
import { ask, type Question, type Reply, type Web } from '../http/request.ts';
import type { ServerPlace } from '../server/server.ts';

/** How often one question waits because the service asks to be left alone, and the longest of these waits in milliseconds. */
const WAITS = 5;
const LONGEST_WAIT = 5 * 60_000;
const FIRST_WAIT = 1000;

/** Too many requests, a service that is overloaded, and a line that has carried too much. */
const BUSY = new Set([429, 503, 509]);

/** Which replies are answers, and what is said of the others. */
export type Answers = {
  accepts: readonly number[];
  /** The refusal of a reply, whose body it reads; `details.status` is 429 for whatever means that. */
  refusalOf: (reply: Reply) => Promise<OfferlineError>;
};

/**
 * Asks an interface that counts requests. One that is busy is asked again after as long as it says, or twice as long each time, a few
 * times; where it wants more patience than that, its refusal is thrown. Redirects are answers. Throws `pull-failed`.
 */
export async function askPatiently(
  web: Web,
  question: Question,
  { accepts, refusalOf }: Answers,
  { wait = pause }: ServerPlace,
): Promise<Reply> {
  for (let waits = 0; ; waits++) {
    const reply = await ask(web, { ...question, follow: false });
    if (accepts.includes(reply.statusCode)) return reply;
    const refusal = await refusalOf(reply);
    const longer = waitAfter(refusal, waits);
    if (longer === undefined) throw refusal;
    await wait(longer, question.signal);
  }
}

function waitAfter(refusal: OfferlineError, waits: number): number | undefined {
  const asked = retryAfterMs(refusal) ?? 0;
  if (!BUSY.has(Number(refusal.details['status'])) || waits >= WAITS || asked > LONGEST_WAIT) return undefined;
  return Math.max(asked, FIRST_WAIT * 2 ** waits);
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Whoever is interrupted notices it with the next question.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
