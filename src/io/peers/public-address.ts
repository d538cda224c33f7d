import { BlockList, isIPv6 } from 'node:net';

/** IANA's special-purpose addresses, multicast, and the one that Azure's machines know their host by. */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** What is not public of the addresses that are given out: protocols' own (Teredo), 6to4, documentation. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Under this prefix networks of IPv6 alone reach the IPv4 internet, and whatever IPv4 they have inside. */
const NAT64 = '64:ff9b::';

const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');
given.addSubnet(NAT64, 96, 'ipv6');

const refused = new BlockList();
for (const [net, bits] of NOT_PUBLIC_IPV4.map(split)) {
  refused.addSubnet(net, bits, 'ipv4');
  refused.addSubnet(NAT64 + net, 96 + bits, 'ipv6');
}
for (const [net, bits] of NOT_PUBLIC_IPV6.map(split)) refused.addSubnet(net, bits, 'ipv6');

/**
 * True for an address of the public internet; false for what is private, loopback, link-local (cloud metadata), behind a
 * carrier's NAT, multicast, reserved, or an IPv4 address in the clothes of IPv6 (`::ffff:…`), which no name needs.
 */
export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return !refused.check(bare, 'ipv4');
  return given.check(bare, 'ipv6') && !refused.check(bare, 'ipv6');
}

function split(subnet: string): [net: string, bits: number] {
  const [net = '', bits = ''] = subnet.split('/');
  return [net, Number(bits)];
}
