import { BlockList, isIP } from 'node:net';

const own = new BlockList();
own.addSubnet('127.0.0.0', 8, 'ipv4');
own.addAddress('::1', 'ipv6');

/** True for a host of an address that never leaves this machine; brackets of IPv6 are taken off. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  const family = isIP(bare);
  if (family === 0) return /(^|\.)localhost\.?$/u.test(bare);
  return own.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}
