import { isIPv4, isIPv6 } from 'node:net';

/** No address is longer, with its zone and its port. */
const LONGEST = 100;

/**
 * The address in what a proxy or a socket says of one, written in one way: without port, brackets, quotes and zone, IPv6 in its
 * short form, IPv4 within IPv6 as IPv4. Null when it is none.
 */
export function readAddress(text: string): string | null {
  const said = text.trim().replace(/^"([^"]*)"$/u, '$1');
  if (said.length > LONGEST) return null;
  const [, v4] = /^([\d.]+)(?::\d{1,5})?$/u.exec(said) ?? [];
  if (v4 !== undefined) return isIPv4(v4) ? v4 : null;
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/u.exec(said) ?? [];
  const [bare = ''] = (bracketed ?? said).split('%', 1);
  if (!isIPv6(bare)) return null;
  const short = URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) ?? bare;
  const groups = groupsOf(short);
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? ipv4Of(groups) : short;
}

/** What one subscriber has: an address of IPv4, but the 2^64 addresses of a network of IPv6. What is no address stays as it is. */
export function networkOf(address: string): string {
  const read = readAddress(address);
  if (read === null) return address;
  return isIPv6(read) ? `${groupsOf(read).slice(0, 4).join(':')}::/64` : read;
}

/** The eight groups of an address as addresses in URLs are written. */
function groupsOf(host: string): string[] {
  const [head = [], tail = []] = host.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

function ipv4Of(groups: string[]): string {
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
