import { BlockList, isIP } from 'node:net';

/** Addresses with the same first bits: an address and how many bits count. */
export type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

/** Reads an address, or a network such as 10.0.0.0/8; null when it is neither. IPv4 within IPv6 is to be written as IPv4. */
export function readNetwork(text: string): Network | null {
  const [, address = '', digits] = /^([\d.]+|[\da-fA-F:.]+)(?:\/(\d{1,3}))?$/u.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || /^::ffff:/iu.test(address)) return null;
  const longest = version === 4 ? 32 : 128;
  const bits = digits === undefined ? longest : Number(digits);
  return bits > longest ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Tells whether an address is of one of these networks. What is no network has no address. */
export function addressesIn(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network !== null) list.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Whether a network is larger than any that somebody has alone: 10.0.0.0/8 and fd00::/16 are not. */
export function isWide({ bits, family }: Network): boolean {
  return bits < (family === 'ipv4' ? 8 : 16);
}
