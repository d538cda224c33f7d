import { BlockList, isIP } from 'node:net';

/** Addresses with the same first bits: an address and how many bits count. */
export type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

/**
 * Reads an address, or a network such as 10.1.0.0/24; null when it is neither, or an address has bits that do not count: it may be meant alone. IPv4
 * within IPv6 is to be written as IPv4.
 */
export function readNetwork(text: string): Network | null {
  const [, address = '', digits] = /^([\d.]+|[\da-fA-F:.]+)(?:\/(\d{1,3}))?$/u.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const longest = version === 4 ? 32 : 128;
  const bits = digits === undefined ? longest : Number(digits);
  if (bits > longest) return null;
  const number = version === 4 ? ipv4(address) : ipv6(address);
  if (version === 6 && number >> 32n === MAPPED) return null;
  if (number % (1n << BigInt(longest - bits)) !== 0n) return null;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** What stands before an address of IPv4 within IPv6. */
const MAPPED = 0xffffn;

function ipv4(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6(address: string): bigint {
  // The standard form has no dots, and nothing is left out but one row of zeros.
  const standard = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = standard.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...head, ...Array<string>(8 - head.length - (tail?.length ?? 0)).fill('0'), ...(tail ?? [])];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Tells whether an address is of one of these networks. What is no network has no address. */
export function addressesIn(networks: readonly string[]): (address: string) => boolean {
  // One list of both would take addresses of IPv4 for those of IPv6 that begin with zeros.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const network = readNetwork(text);
    if (network !== null) lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return lists[family].check(address, family);
  };
}

/** Whether a network has more addresses than a few proxies need. */
export function isWide({ bits, family }: Network): boolean {
  return bits < (family === 'ipv4' ? 28 : 120);
}
