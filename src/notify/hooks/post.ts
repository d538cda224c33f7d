import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { secretsOf, type HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import { keyOfSecret } from '../../config/secrets/hook-secret.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { parseRetryAfter } from '../../io/peers/http-retry.ts';
import { hostOf, publicConnector } from '../../io/peers/public-connector.ts';
import { ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { printable, shortened } from '../../wording/printable.ts';
import { redactForeign } from '../../wording/redact.ts';

/** A message as it is sent. */
export type Posted = { id: string; body: string };

/**
 * What became of a message. `about` says whose fault it is: the hook takes nothing now, it takes nothing ever again, or it does not take this
 * message, or that could not be written. `why` is in our words, `said` is the beginning of what it answered, which goes no further than to `offerline hooks`. `retryAfter`:
 * milliseconds that it asks to wait.
 */
export type Outcome =
  | { taken: true; status: number }
  | {
      taken: false;
      about: 'hook' | 'gone' | 'message' | 'writing';
      why: string;
      said: string | null;
      retryAfter: number | null;
    };

/** When a message is sent, what ends that, and whether its sender still may send it once the connection stands. */
type Sending = { now: number; signal: AbortSignal; mayStill: () => boolean };

/** Refusals of what is in a message; others may be taken. */
const ABOUT_MESSAGE: readonly number[] = [400, 413, 415, 422];
const GONE = 410;

/** An answer is read so far, to let its connection end well, and its beginning is shown. */
const MOST_ANSWER = 64 * 1024;
const SHOWN = 200;

/**
 * Sends a message to a hook, once. Everything together takes `timeout` at most; redirects are not followed, and a host that is not on the public
 * internet has to be listed. What goes wrong is an answer, never an error.
 */
export async function postMessage(
  hook: Pick<HookConfig, 'url' | 'secret' | 'timeout' | 'allowHosts'>,
  message: Posted,
  { now, signal, mayStill }: Sending,
): Promise<Outcome> {
  const url = hook.url.reveal();
  const { timeout } = hook;
  const trusted = new Set(
    hook.allowHosts
      .map((host) => `http://${host}`)
      .filter((url) => URL.canParse(url))
      .map(hostOf),
  );
  const agent = new Agent({ connect: publicConnector(trusted, privateHost, { timeout }), maxResponseSize: -1 });
  const inTime = AbortSignal.timeout(timeout);
  try {
    const reply = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(message.body)),
        'user-agent': 'offerline',
        ...signedHeaders(message, secretsOf(hook), now),
      },
      body: Readable.from(bodyOf(message, mayStill)),
      signal: AbortSignal.any([signal, inTime]),
    });
    return await judge(reply, now);
  } catch (error) {
    const why = inTime.aborted ? `did not answer within ${timeout / 1000} s` : whyFailed(error);
    return { taken: false, about: 'hook', why, said: null, retryAfter: null };
  } finally {
    await agent.destroy();
  }
}

/** The body, which is asked for just before the request is sent: a sender that was stopped until then may have been replaced by another. */
async function* bodyOf({ body }: Posted, mayStill: () => boolean): AsyncGenerator<Buffer> {
  if (!mayStill()) throw new OfferlineError('interrupted', 'was not asked: another worker tells it.');
  yield Buffer.from(body);
}

async function judge({ statusCode, headers, body }: Dispatcher.ResponseData, now: number): Promise<Outcome> {
  const said = await beginningOf(body);
  if (statusCode >= 200 && statusCode < 300) return { taken: true, status: statusCode };
  const [wait] = [headers['retry-after'] ?? []].flat();
  const retryAfter = wait === undefined ? null : parseRetryAfter(wait, now);
  if (statusCode >= 300 && statusCode < 400) {
    const why = `answered ${statusCode}, a redirect, which is not followed: write the address that it leads to`;
    return { taken: false, about: 'hook', why, said: null, retryAfter };
  }
  const about = statusCode === GONE ? 'gone' : ABOUT_MESSAGE.includes(statusCode) ? 'message' : 'hook';
  return { taken: false, about, why: `answered ${statusCode}`, said: said === '' ? null : said, retryAfter };
}

/** Why a message was not taken, with what the receiver said. */
export function whyWithAnswer({ why, said }: Extract<Outcome, { taken: false }>): string {
  return said === null ? why : `${why}: ${said}`;
}

/** The beginning of an answer on one line, without credentials; what cannot be read is left out. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const meter = new ReplyMeter(
    { bytes: MOST_ANSWER },
    { stop: () => void body.destroy(), refuse: () => new Error('an answer is too long') },
  );
  body.on('error', () => undefined);
  const bytes = await wholeReply(body as AsyncIterable<Uint8Array>, meter).catch(() => null);
  if (bytes === null) return '';
  const text = new TextDecoder().decode(bytes).replaceAll(/\s+/gu, ' ').trim();
  return shortened(printable(redactForeign(text)), SHOWN);
}

/** A failed connection in words. */
function whyFailed(error: unknown): string {
  if (error instanceof OfferlineError) return error.message.replace(/\.$/u, '');
  const code = systemCode(error) ?? '';
  return FAILURES[code] ?? `could not be asked: ${code === '' ? redactForeign(messageOf(error)) : code}`;
}

const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection before it answered',
  UND_ERR_SOCKET: 'closed the connection before it answered',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that could not be resolved: the name server does not answer',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached: there is no network connection',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer',
  ETIMEDOUT: 'does not answer',
};

/** Which address its name leads to is nobody's business who may see the host alone. */
function privateHost(host: string): OfferlineError {
  return new OfferlineError(
    'config',
    `leads to ${host}, which is not on the public internet; list ${host} in allowHosts of the hook if it is correct.`,
  );
}

/**
 * What a message carries so that its receiver can tell who sent it, as Standard Webhooks say; `at` in epoch milliseconds.
 * @internal exported for tests
 */
export function signedHeaders(
  message: { id: string; body: string },
  secrets: readonly string[],
  at: number,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': timestamp };
  if (secrets.length === 0) return headers;
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', keyOfSecret(secret) ?? Buffer.alloc(0)).update(signed);
    return `v1,${mac.digest('base64')}`;
  });
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}
