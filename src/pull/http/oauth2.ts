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

export type OAuth2 = Extract<WebAuth, { type: 'oauth2' }>;

/** A token that is asked for with a form of its own, by an account or a registration of a cloud. */
export type TokenGrant = {
  type: 'grant';
  tokenUrl: string;
  /** What tells it from every other one; it is kept as a digest. */
  identity: readonly string[];
  /** The form as it is sent; it may be signed anew each time. */
  form: () => Record<string, string>;
  /** What to do about a refusal: the error, and what the server says of it. */
  advice: (error: string, description: string) => string | undefined;
};

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

/** The token of a machine that identifies itself (RFC 6749, 4.4; RFC 7523), fetched when there is none that lasts. Throws `pull-failed`. */
export async function tokenFor(
  auth: OAuth2 | TokenGrant,
  { agent, source: { timeout } }: { agent: Agent; source: { timeout: number } },
  signal: AbortSignal | undefined,
): Promise<string> {
  const known = keptToken(auth);
  if (known !== undefined) return known;
  const token = await fetchToken(auth, { agent, place: { url: showUrl(auth.tokenUrl), timeout }, signal });
  tokens.set(keyOf(auth), token);
  return token.text;
}

/** The token that an earlier question was answered with, as long as it lasts. */
export function keptToken(auth: OAuth2 | TokenGrant): string | undefined {
  const known = tokens.get(keyOf(auth));
  return known !== undefined && systemClock.monotonic() < known.until ? known.text : undefined;
}

/** Forgets a token that the server refused; false when there was none. */
export function forgetToken(auth: OAuth2 | TokenGrant): boolean {
  return tokens.delete(keyOf(auth));
}

function keyOf(auth: OAuth2 | TokenGrant): string {
  const facts = JSON.stringify([auth.tokenUrl, ...factsOf(auth)]);
  return createHash('sha256').update(facts).digest('base64url');
}

function factsOf(auth: OAuth2 | TokenGrant): readonly (string | null)[] {
  if (auth.type === 'grant') return ['grant', ...auth.identity];
  return [auth.clientId, auth.clientSecret.reveal(), auth.scope ?? null];
}

type Asking = { agent: Agent; place: Place; signal: AbortSignal | undefined };

async function fetchToken(auth: OAuth2 | TokenGrant, asking: Asking): Promise<Token> {
  const { place } = asking;
  const asked = systemClock.monotonic();
  const reply = await (auth.type === 'grant' ? post(auth.tokenUrl, auth.form(), asking) : withSecret(auth, asking));
  if (reply.status !== 200) throw refusal(reply, place, auth);
  const token = answer.safeParse(json(reply.text));
  if (!token.success && auth.type === 'grant') throw refusedGrant(place);
  if (!token.success) throw pullError(place, 'sent no access token; correct source.auth.tokenUrl.');
  const lasts = (token.data.expires_in ?? UNSAID) * 1000;
  return { text: token.data.access_token, until: asked + lasts - Math.min(EARLIER, lasts / 10) };
}

/** Servers must take the secret in a header and may take it in the body; some take it there only. */
async function withSecret(auth: OAuth2, asking: Asking): Promise<TokenReply> {
  const reply = await requestToken(auth, asking);
  if (!isClientRefused(reply) || inBody.has(auth.tokenUrl)) return reply;
  const again = await requestToken(auth, asking, true);
  if (again.status === 200) inBody.add(auth.tokenUrl);
  return again;
}

function isClientRefused({ status, text }: { status: number; text: string }): boolean {
  const { error } = failure.safeParse(json(text)).data ?? {};
  return (status === 400 || status === 401) && (error === undefined || /^invalid_(client|request)$/u.test(error));
}

function requestToken(
  { tokenUrl, clientId, clientSecret, scope }: OAuth2,
  asking: Asking,
  inForm = inBody.has(tokenUrl),
): Promise<TokenReply> {
  const secret = clientSecret.reveal();
  const form = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  if (inForm) return post(tokenUrl, { ...form, client_id: clientId, client_secret: secret }, asking);
  const pair = Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64');
  return post(tokenUrl, form, asking, { authorization: `Basic ${pair}` });
}

type TokenReply = { status: number; text: string; retryAfter: string | undefined };

async function post(
  tokenUrl: string,
  form: Record<string, string>,
  { agent, place, signal }: Asking,
  headers: Record<string, string> = {},
): Promise<TokenReply> {
  try {
    const reply = await request(tokenUrl, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'offerline',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
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

function refusal({ status, text, retryAfter }: TokenReply, place: Place, auth: OAuth2 | TokenGrant): OfferlineError {
  if (isTransientStatus(status)) return statusError(status, place, retryAfter, systemClock.now());
  const said = failure.safeParse(json(text)).data;
  const words = said === undefined ? `answered ${status}` : `answered ${status} (${foreignText(said.error, 60)})`;
  if (auth.type === 'grant') {
    const advice = auth.advice(said?.error ?? '', said?.error_description ?? '');
    return advice === undefined ? refusedGrant(place) : pullError(place, `${words}: ${advice}.`, { status: 401 });
  }
  if (said?.error === 'invalid_scope') {
    return pullError(place, `${words}: it does not know the scope; correct source.auth.scope.`, { status });
  }
  if (status === 404 || status === 405) {
    return pullError(place, `${words}: there are no tokens at this address; correct source.auth.tokenUrl.`, {
      status,
    });
  }
  const message = `${words}: it refused the client; correct clientId and clientSecret in source.auth, or ask the supplier.`;
  return pullError(place, message, { status: status === 400 ? 401 : status });
}

function refusedGrant(place: Place): OfferlineError {
  return pullError(place, 'refused the credentials: correct source.auth, or ask the supplier.', { status: 401 });
}
