import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';

/** Looks a host up, as `node:dns` does. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** The error for a host that is not on the public internet, and the address that it has. */
type Refuse = (host: string, address: string) => Error;

/**
 * Opens connections to trusted hosts wherever they are, and to others on the public internet only. What counts is the address that is
 * connected to, whatever its name resolved to a moment before. `timeout`: of the connection, in milliseconds.
 */
export function publicConnector(
  trusted: ReadonlySet<string>,
  refuse: Refuse,
  { timeout }: { timeout: number },
): buildConnector.connector {
  const anywhere = buildConnector({ timeout });
  const publicOnly = buildConnector({ timeout, lookup: lookupPublic(refuse) });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (trusted.has(host)) return anywhere(options, callback);
    // No name, so that nothing is looked up.
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(refuse(host, host), null);
    return publicOnly(options, callback);
  };
}

/**
 * Looks a host up and gives its public addresses only; without any the connection fails, and says why.
 * @internal exported for tests
 */
export function lookupPublic(refuse: Refuse, ask: Lookup = lookup): LookupFunction {
  return (host, options, callback) => {
    ask(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const good = found.filter(({ address }) => isPublicAddress(address));
      const [first] = good;
      if (first === undefined) return callback(refuse(host, found[0]?.address ?? 'no address'), []);
      return options.all === true ? callback(null, good) : callback(null, first.address, first.family);
    });
  };
}

/** The host of an address, in one spelling. */
export function hostOf(url: string): string {
  return bareHost(new URL(url).hostname);
}

/** One spelling of a host: IPv6 without brackets, a name without the dot that ends it. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1').replace(/\.$/u, '');
}
