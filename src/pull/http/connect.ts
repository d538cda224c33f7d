import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { HttpSource } from '../../config/schema/source-schema.ts';
import type { WebAuth } from '../../config/schema/sources/auth.ts';
import { OfferlineError } from '../../errors.ts';
import { showUrl } from '../../wording/show-url.ts';
import type { TokenGrant } from './oauth2.ts';
import { isPublicAddress } from './public-address.ts';

/** What a connection needs to know of its source. */
export type WebSource = Pick<HttpSource, 'url' | 'headers' | 'login' | 'timeout' | 'maxRedirects' | 'allowHosts'> & {
  auth: WebAuth | TokenGrant;
  /** The address itself came from outside: its host is not trusted either. */
  isForeign?: boolean;
};

type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Opens the connections of a source. The hosts that the source names may be anywhere; any other,
 * where a redirect leads, only on the public internet. What counts is the address that is connected to, whatever its name
 * resolved to a moment before.
 */
export function connectorOf(source: WebSource): buildConnector.connector {
  const { timeout } = source;
  const anywhere = buildConnector({ timeout });
  const publicOnly = buildConnector({ timeout, lookup: lookupPublic(source) });
  const trusted = trustedHosts(source);
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (trusted.has(host)) return anywhere(options, callback);
    // No name, so that nothing is looked up.
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(privateAddress(source, host, host), null);
    return publicOnly(options, callback);
  };
}

/**
 * Looks a host up and gives its public addresses only; without any the connection fails, and says why.
 * @internal exported for tests
 */
export function lookupPublic(source: WebSource, ask: Lookup = lookup): LookupFunction {
  return (host, options, callback) => {
    ask(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const good = found.filter(({ address }) => isPublicAddress(address));
      const [first] = good;
      if (first === undefined) return callback(privateAddress(source, host, found[0]?.address ?? 'no address'), []);
      return options.all === true ? callback(null, good) : callback(null, first.address, first.family);
    });
  };
}

/** The hosts in the addresses of a source, and those that it allows. */
export function trustedHosts({ url, login, auth, allowHosts, isForeign }: WebSource): Set<string> {
  const tokenUrl = auth.type === 'oauth2' || auth.type === 'grant' ? auth.tokenUrl : undefined;
  const addresses = [
    isForeign === true ? undefined : url,
    login?.url,
    tokenUrl,
    ...allowHosts.map((host) => `http://${host}`),
  ];
  return new Set(addresses.flatMap((address) => (address === undefined ? [] : [hostOf(address)])));
}

/** The host of an address, in one spelling. */
export function hostOf(url: string): string {
  return bareHost(new URL(url).hostname);
}

/** One spelling of a host: IPv6 without brackets, a name without the dot that ends it. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1').replace(/\.$/u, '');
}

function privateAddress(source: WebSource, host: string, address: string): OfferlineError {
  const url = showUrl(source.url);
  const where = host === address ? host : `${host} (${address})`;
  const entry = isIP(host) === 6 ? `[${host}]` : host;
  return new OfferlineError(
    'pull-failed',
    `${url} ${source.isForeign === true ? 'leads' : 'redirects'} to ${where}, which is not on the public internet. Ask the supplier, or list ${entry} in source.allowHosts if it is correct.`,
    { details: { url, host, address } },
  );
}
