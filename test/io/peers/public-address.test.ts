import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/io/peers/public-address.ts';

test.each([
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::127.0.0.1']],
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '::ffff:10.0.0.1', '64:ff9b::a00:1']],
  ['unique local', ['fc00::1', 'fd00:ec2::254', 'fdff::1']],
  ['link-local', ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', '64:ff9b::169.254.169.254']],
  ['site-local, as it was', ['fec0::1']],
  ['behind the NAT of a carrier', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  ['for the hosts of a cloud', ['168.63.129.16', '192.0.0.192']],
  ['IPv4 inside IPv6', ['::7f00:1', '::ffff:8.8.8.8', '2002:7f00:1::', '2001:0:7f00:1::', '64:ff9b:1::808:808']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  [
    'reserved and documentation',
    ['240.0.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '2001:db8::1'],
  ],
])('%s is not public', (_, addresses) => {
  expect(addresses.filter((address) => isPublicAddress(address))).toEqual([]);
});

test.each([
  ['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ['128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255', '223.255.255.255'],
  ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '64:ff9b::808:808'],
])('addresses just outside of those ranges, and others, are public: %s and more', (...addresses) => {
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});
