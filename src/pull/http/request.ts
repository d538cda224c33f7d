import { Agent, request, type Dispatcher } from 'undici';
import type { CookieJar } from 'tough-cookie';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { connectorOf, type WebSource } from './connect.ts';
import { drop } from './drop.ts';
import { type DigestChallenge, digestAnswer, digestChallenge } from './digest.ts';
import { networkError, type Place, pullError } from './errors.ts';
import { headerText } from '../../io/file-name.ts';
import { forgetToken, tokenFor } from './oauth2.ts';

export type Reply = Dispatcher.ResponseData & {
  /** The address that answered, after redirects. */
  url: URL;
  place: Place;
};

/** A place on the web while it is asked: its connections and cookies. */
export type Web = {
  source: WebSource;
  agent: Agent;
  cookies?: CookieJar;
  /** How the server wants the password to be sent, once it has said so. */
  digest?: DigestChallenge;
  /** True for the page on which people sign in. */
  isSignIn?: (page: string) => boolean;
  /** Ends the connections at once. */
  close: () => Promise<void>;
};

/** Connects to nothing yet; `source.timeout` bounds every silence, not the whole time. */
export function openWeb(source: WebSource): Web {
  const { timeout } = source;
  const agent = new Agent({
    connect: connectorOf(source),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: -1,
  });
  return { source, agent, close: () => agent.destroy() };
}

/** What servers hear of who asks. */
export const PROGRAM = 'offerline';

/** What is asked; by default for what is at `source.url`. */
export type Question = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'PROPFIND' | 'DELETE' | 'MOVE' | 'MKCOL';
  url?: URL;
  /** What messages say in place of an address that opens the file for everybody, or that tells people nothing. */
  shown?: string;
  /** Sent wherever redirects lead. */
  headers?: Record<string, string>;
  /** Sent to one origin only, unless a redirect of a POST makes it a GET. */
  body?: { text: string | Uint8Array; type: string };
  /** Without credentials, headers of the feed and cookies. */
  anonymous?: true;
  /** False: a redirect is an answer like any other. */
  follow?: false;
  signal?: AbortSignal | undefined;
};

/**
 * Asks, and follows redirects. Headers and credentials of the feed go to the origin in `source.url` only; another origin gets
 * `headers` and nothing else. From https nothing leads back to http, and another host must be public or listed. Throws
 * `pull-failed`.
 */
export async function ask(web: Web, question: Question): Promise<Reply> {
  const { source } = web;
  let { body, method = 'GET' } = question;
  let url = question.url ?? new URL(source.url);
  const first = url;
  for (let hops = 0; hops <= source.maxRedirects; hops++) {
    const place: Place = { url: question.shown ?? showUrl(url.href), timeout: source.timeout };
    const reply = await askOnce(web, { ...question, method, body }, url, place);
    const next = CHANGING.has(method) || question.follow === false ? undefined : redirection(reply, url, place);
    if (next === undefined) return Object.assign(reply, { url, place });
    await drop(reply, place);
    if (method === 'POST' && reply.statusCode < 307) [method, body] = ['GET', undefined];
    if (body !== undefined && next.origin !== url.origin) {
      throw pullError(
        place,
        `redirects to ${showUrl(next.href)}, and what was to be sent is for nobody else; if that address is correct, write it into the configuration.`,
      );
    }
    url = next;
  }
  const place: Place = { url: question.shown ?? showUrl(first.href), timeout: source.timeout };
  throw pullError(
    place,
    `redirects more than ${source.maxRedirects} times; correct source.url, or raise source.maxRedirects.`,
  );
}

/** Methods that change something, and so are meant for one place. */
const CHANGING = new Set(['PUT', 'PATCH', 'DELETE', 'MOVE', 'MKCOL']);

type OneQuestion = Omit<Question, 'body' | 'url' | 'shown'> & { method: string; body: Question['body'] };

async function askOnce(web: Web, question: OneQuestion, url: URL, place: Place): Promise<Dispatcher.ResponseData> {
  const atHome = url.origin === new URL(web.source.url).origin && question.anonymous !== true;
  const asked = { method: question.method, url };
  const reply = await send(web, question, url, place, atHome ? await authHeader(web, asked, question.signal) : {});
  await remember(web, reply, url);
  if (reply.statusCode !== 401 || !atHome || !isOtherAnswerPossible(web, reply)) return reply;
  await drop(reply, place);
  return send(web, question, url, place, await authHeader(web, asked, question.signal));
}

/** Credentials that were refused may be sent in another form: a token that was withdrawn before its time, or a digest of the password. */
function isOtherAnswerPossible(web: Web, reply: Dispatcher.ResponseData): boolean {
  const { auth } = web.source;
  if (auth.type === 'oauth2' || auth.type === 'grant') return forgetToken(auth);
  if (auth.type !== 'basic') return false;
  const asked = [reply.headers['www-authenticate'] ?? []].flat();
  // The password itself was refused already, and many servers count.
  if (asked.some((header) => /(?:^|,)\s*basic\b/iu.test(header))) return false;
  const challenge = digestChallenge(asked);
  // The same nonce again is a refusal of the password.
  if (challenge === undefined || challenge.nonce === web.digest?.nonce) return false;
  const isFirst = web.digest === undefined;
  web.digest = challenge;
  return isFirst || isStale(reply);
}

/** A nonce that is only too old, with credentials that are right. */
function isStale(reply: Dispatcher.ResponseData): boolean {
  return /\bstale\s*=\s*"?true/iu.test([reply.headers['www-authenticate'] ?? []].flat().join());
}

async function send(
  { source, agent, cookies }: Web,
  { method, headers, body, signal, anonymous }: OneQuestion,
  url: URL,
  place: Place,
  auth: Record<string, string>,
): Promise<Dispatcher.ResponseData> {
  const cookie = anonymous === true ? undefined : await cookies?.getCookieString(url.href);
  const atHome = url.origin === new URL(source.url).origin && anonymous !== true;
  const reply = await request(withoutCredentials(url), {
    dispatcher: agent,
    method: method as Dispatcher.HttpMethod,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      'user-agent': PROGRAM,
      ...(body === undefined ? {} : { 'content-type': body.type }),
      ...(cookie === undefined || cookie === '' ? {} : { cookie }),
      ...auth,
      ...(atHome ? ownHeaders(source) : {}),
      ...headers,
    },
    body: body?.text ?? null,
    signal: signal ?? null,
  }).catch((error: unknown) => Promise.reject(error instanceof OfferlineError ? error : networkError(error, place)));
  // A body that is not read to its end fails when the connection closes; without a listener that would end the process.
  reply.body.on('error', () => undefined);
  return reply;
}

/** Cookies are kept as a browser keeps them, as long as a place is asked; one that a server may not set is none. */
async function remember(web: Web, reply: Dispatcher.ResponseData, url: URL): Promise<void> {
  for (const cookie of [reply.headers['set-cookie'] ?? []].flat()) {
    web.cookies ??= new (await import('tough-cookie')).CookieJar();
    await web.cookies.setCookie(cookie, url.href, { ignoreError: true });
  }
}

/** Where a reply redirects to; undefined where it does not. Throws `pull-failed` for an address that is not to be followed. */
export function redirection(reply: Dispatcher.ResponseData, url: URL, place: Place): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(reply.statusCode)) return undefined;
  const location = headerOf(reply, 'location');
  const next = location === undefined ? null : URL.parse(headerText(location), url.href);
  if (url.protocol === 'https:' && next?.protocol === 'http:') {
    throw pullError(
      place,
      `redirects to ${showUrl(next.href)}, which is not encrypted: others could read or change the file; ask the supplier for an https address.`,
    );
  }
  if (next !== null && /^https?:$/u.test(next.protocol)) return next;
  throw pullError(place, `answered ${reply.statusCode} without a usable redirect address; ask the supplier.`, {
    status: reply.statusCode,
  });
}

/** A header of a reply, the first where it was sent several times. */
export function headerOf(reply: Dispatcher.ResponseData, name: string): string | undefined {
  const value = reply.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function ownHeaders(source: WebSource): Record<string, string> {
  return dictionary(
    Object.entries(source.headers).map(([name, value]) => [name.toLowerCase(), value.reveal()] as const),
  );
}

async function authHeader(
  web: Web,
  asked: { method: string; url: URL },
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
  const { auth } = web.source;
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic': {
      const pair = `${auth.user}:${auth.password.reveal()}`;
      hideFromNowOn(pair);
      if (web.digest !== undefined) {
        return {
          authorization: digestAnswer(web.digest, { ...asked, user: auth.user, password: auth.password.reveal() }),
        };
      }
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value.reveal() };
    case 'oauth2':
    case 'grant':
      return { authorization: `Bearer ${await tokenFor(auth, web, signal)}` };
  }
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}
