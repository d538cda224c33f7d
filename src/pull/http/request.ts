import { Agent, request, type Dispatcher } from 'undici';
import type { AuthConfig } from '../../config/schema/sources/auth.ts';
import type { HttpSource } from '../../config/schema/source-schema.ts';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { connectorOf } from './connect.ts';
import { networkError, type Place, pullError } from './errors.ts';
import { headerText } from './name.ts';

export type Reply = Dispatcher.ResponseData & {
  /** The address that answered, after redirects. */
  url: URL;
  place: Place;
};

/** The connections of one pull; `source.timeout` bounds every silence, not the whole time. */
export function createAgent(source: HttpSource): Agent {
  const { timeout } = source;
  return new Agent({
    connect: connectorOf(source),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: -1,
  });
}

/**
 * Asks for the file and follows redirects. Headers and credentials of the feed go to the origin in `source.url` only;
 * another origin gets `conditions` and nothing else. From https nothing leads back to http, and another host must be public or
 * listed. Throws `pull-failed`.
 */
export async function ask(
  source: HttpSource,
  options: { agent: Agent; conditions: Record<string, string>; signal?: AbortSignal | undefined },
): Promise<Reply> {
  const { agent, conditions, signal } = options;
  const first = new URL(source.url);
  let url = first;
  for (let hops = 0; hops <= source.maxRedirects; hops++) {
    const place: Place = { url: showUrl(url.href), timeout: source.timeout };
    const own = url.origin === first.origin ? ownHeaders(source) : {};
    const headers = { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'offerline', ...own, ...conditions };
    const reply = await request(withoutCredentials(url), {
      dispatcher: agent,
      headers,
      signal: signal ?? null,
    }).catch((error: unknown) => Promise.reject(error instanceof OfferlineError ? error : networkError(error, place)));
    // A body that is not read to its end fails when the connection closes; without a listener that would end the process.
    reply.body.on('error', () => undefined);
    const next = redirection(reply, url, place);
    if (next === undefined) return Object.assign(reply, { url, place });
    await reply.body.dump().catch(() => undefined);
    url = next;
  }
  const place: Place = { url: showUrl(source.url), timeout: source.timeout };
  throw pullError(
    place,
    `redirects more than ${source.maxRedirects} times; correct source.url, or raise source.maxRedirects.`,
  );
}

function redirection(reply: Dispatcher.ResponseData, url: URL, place: Place): URL | undefined {
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

function ownHeaders(source: HttpSource): Record<string, string> {
  const headers = Object.entries(source.headers).map(([name, value]) => [name.toLowerCase(), value.reveal()] as const);
  return dictionary([...Object.entries(authHeader(source.auth)), ...headers]);
}

function authHeader(auth: AuthConfig): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic': {
      const pair = `${auth.user}:${auth.password.reveal()}`;
      hideFromNowOn(pair);
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value.reveal() };
  }
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}
