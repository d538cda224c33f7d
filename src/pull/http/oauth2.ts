import { createHash } from 'node:crypto';
import { type Agent, request } from 'undici';
import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import type { WebAuth } from '../../config/schema/sources/auth.ts';
import { OfferlineError } from '../../errors.ts';
import { isTransientStatus } from '../../io/peers/http-retry.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { showUrl } from '../../wording/show-url.ts';
import { wholeReply } from '../../io/peers/read-reply.ts';
import { meterOf, TOKEN } from '../limits.ts';
import { networkError, type Place, pullError, statusError } from './errors.ts';

type OAuth2 = Extract<WebAuth, { type: 'oauth2' }>;
type Token = { text: string; until: number };

/** Tokens of this process, by what they were asked with; they are kept nowhere else. */
const tokens = new Map<string, Token>();
/** Servers that take the secret in the body only. */
const inBody = new Set<string>();

/** A token ends a little earlier here than at the server: so many milliseconds, or a tenth of its time. */
const EARLIER = 60_000;
/** How long a token is used that does not say how long it lasts, in seconds. */
const UNSAID = 600;

const answer = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/u),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** The token of a machine that identifies itself (RFC 6749, 4.4), fetched when there is none that lasts. Throws `pull-failed`. */
export async function tokenFor(
  auth: OAuth2,
  { agent, source: { timeout } }: { agent: Agent; source: { timeout: number } },
  signal: AbortSignal | undefined,
): Promise<string> {
  const key = keyOf(auth);
  const known = tokens.get(key);
  if (known !== undefined && systemClock.monotonic() < known.until) return known.text;
  const token = await fetchToken(auth, { agent, place: { url: showUrl(auth.tokenUrl), timeout }, signal });
  tokens.set(key, token);
  return token.text;
}

/** Forgets a token that the server refused; false when there was none. */
export function forgetToken(auth: OAuth2): boolean {
  return tokens.delete(keyOf(auth));
}

function keyOf({ tokenUrl, clientId, clientSecret, scope }: OAuth2): string {
  const facts = JSON.stringify([tokenUrl, clientId, clientSecret.reveal(), scope ?? null]);
  return createHash('sha256').update(facts).digest('base64url');
}

type Asking = { agent: Agent; place: Place; signal: AbortSignal | undefined };

async function fetchToken(auth: OAuth2, asking: Asking): Promise<Token> {
  const { place } = asking;
  const asked = systemClock.monotonic();
  let reply = await requestToken(auth, asking);
  if (isClientRefused(reply) && !inBody.has(auth.tokenUrl)) {
    const again = await requestToken(auth, asking, true);
    if (again.status === 200) inBody.add(auth.tokenUrl);
    reply = again;
  }
  if (reply.status !== 200) throw refusal(reply, place);
  const token = answer.safeParse(json(reply.text));
  if (!token.success) throw pullError(place, 'sent no access token; correct source.auth.tokenUrl.');
  const lasts = (token.data.expires_in ?? UNSAID) * 1000;
  return { text: token.data.access_token, until: asked + lasts - Math.min(EARLIER, lasts / 10) };
}

function isClientRefused({ status, text }: { status: number; text: string }): boolean {
  const { error } = failure.safeParse(json(text)).data ?? {};
  return (status === 400 || status === 401) && (error === undefined || /^invalid_(client|request)$/u.test(error));
}

/** Servers must take the secret in a header and may take it in the body; some take it there only. */
async function requestToken(
  { tokenUrl, clientId, clientSecret, scope }: OAuth2,
  { agent, place, signal }: Asking,
  inForm = inBody.has(tokenUrl),
): Promise<{ status: number; text: string; retryAfter: string | undefined }> {
  const secret = clientSecret.reveal();
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  if (inForm) {
    form.set('client_id', clientId);
    form.set('client_secret', secret);
  }
  const pair = Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64');
  try {
    const reply = await request(tokenUrl, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'offerline',
        ...(inForm ? {} : { authorization: `Basic ${pair}` }),
      },
      body: form.toString(),
      signal: signal ?? null,
    });
    const retryAfter = reply.headers['retry-after'];
    const { body } = reply;
    const read = await wholeReply(
      body,
      meterOf(place, TOKEN, () => void body.destroy()),
    );
    const text = read.toString('utf8');
    return { status: reply.statusCode, text, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
  } catch (error) {
    throw error instanceof OfferlineError ? error : networkError(error, place);
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a server says of a request that it refuses. */
const failure = z.looseObject({ error: z.string(), error_description: z.string().optional() });

function refusal({ status, text, retryAfter }: Awaited<ReturnType<typeof requestToken>>, place: Place): OfferlineError {
  if (isTransientStatus(status)) return statusError(status, place, retryAfter, systemClock.now());
  const said = failure.safeParse(json(text)).data;
  const words = said === undefined ? `answered ${status}` : `answered ${status} (${foreignText(said.error, 60)})`;
  if (said?.error === 'invalid_scope') {
    return pullError(place, `${words}: it does not know the scope; correct source.auth.scope.`, { status });
  }
  if (status === 404 || status === 405) {
    return pullError(place, `${words}: there are no tokens at this address; correct source.auth.tokenUrl.`, { status });
  }
  const message = `${words}: it refused the client; correct clientId and clientSecret in source.auth, or ask the supplier.`;
  return pullError(place, message, { status: status === 400 ? 401 : status });
}
