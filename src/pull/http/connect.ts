import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { HttpSource } from '../../config/schema/source-schema.ts';
import type { WebAuth } from '../../config/schema/sources/auth.ts';
import { OfferlineError } from '../../errors.ts';
import { hostOf, publicConnector } from '../../io/peers/public-connector.ts';
import { showUrl } from '../../wording/show-url.ts';
import type { TokenGrant } from './oauth2.ts';

/** What a connection needs to know of its source. */
export type WebSource = Pick<HttpSource, 'url' | 'headers' | 'login' | 'timeout' | 'maxRedirects' | 'allowHosts'> & {
  auth: WebAuth | TokenGrant;
  /** The address itself came from outside: its host is not trusted either. */
  isForeign?: boolean;
};

/**
 * Opens the connections of a source. The hosts that the source names may be anywhere; any other,
 * where a redirect leads, only on the public internet.
 */
export function connectorOf(source: WebSource): buildConnector.connector {
  const refuse = (host: string, address: string) => privateAddress(source, host, address);
  return publicConnector(trustedHosts(source), refuse, source);
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

/**
 * The refusal of an address that is not public.
 * @internal exported for tests
 */
export function privateAddress(source: WebSource, host: string, address: string): OfferlineError {
  const url = showUrl(source.url);
  const where = host === address ? host : `${host} (${address})`;
  const entry = isIP(host) === 6 ? `[${host}]` : host;
  return new OfferlineError(
    'pull-failed',
    `${url} ${source.isForeign === true ? 'leads' : 'redirects'} to ${where}, which is not on the public internet. Ask the supplier, or list ${entry} in source.allowHosts if it is correct.`,
    { details: { url, host, address } },
  );
}
