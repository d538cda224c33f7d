import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../config/loopback.ts';
import type { Config } from '../../config/schema/schema.ts';
import { readAddress } from '../../access/address.ts';

/** From where a request came and to which of our addresses, as far as that can be believed. */
export type Arrival = { address: string | null; secure: boolean; host: string };

/**
 * Whether the `Host` of a request is one of ours. A page of somebody else whose name leads to this machine would otherwise read the
 * console in the name of its visitors (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, { listen, publicUrl }: Config['web']): boolean {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  if (url === null || url.pathname !== '/' || url.username !== '' || url.password !== '') return false;
  if (isLoopback(url.hostname)) return true;
  if (publicUrl !== undefined && URL.parse(publicUrl)?.host === url.host) return true;
  return publicUrl !== undefined && listen !== null && url.hostname === listen.host;
}

/**
 * Whether a request that changes something was made by a page of ours. Browsers say so in `Sec-Fetch-Site` and `Origin`; one that
 * says neither is not trusted. At the host of `web.publicUrl` only its scheme counts.
 */
export function isFromOwnPage(headers: Headers, { publicUrl }: Config['web']): boolean {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null) return site === 'same-origin';
  const known = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (origin === known?.origin) return true;
  const host = headers.get('host');
  return host !== known?.host && origin === `http://${host}`;
}

/** From where a request comes: with `trustProxy` what the proxy says, which is the last entry of its header; the proxy itself, where that is no address. */
export function arrivalOf(
  headers: Headers,
  remote: string | undefined,
  { publicUrl, trustProxy }: Config['web'],
): Arrival {
  const said = trustProxy ? lastOf(headers.get('x-forwarded-for') ?? '') : null;
  return {
    address: said ?? readAddress(remote ?? ''),
    secure: publicUrl?.startsWith('https:') ?? false,
    host: headers.get('host') ?? '',
  };
}

/** From where a request comes by what a proxy says of it; null where that is no address. */
export function forwardedFor({ headers }: IncomingMessage): string | null {
  return lastOf([headers['x-forwarded-for'] ?? ''].flat().join(','));
}

function lastOf(addresses: string): string | null {
  return readAddress(addresses.split(',').at(-1) ?? '');
}
