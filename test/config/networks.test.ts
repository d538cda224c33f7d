import { expect, test } from 'vitest';
import { addressesIn, isWide, readNetwork } from '../../src/config/networks.ts';

test.each([
  ['10.1.2.3', { address: '10.1.2.3', bits: 32, family: 'ipv4' }],
  ['10.0.0.0/8', { address: '10.0.0.0', bits: 8, family: 'ipv4' }],
  ['::1', { address: '::1', bits: 128, family: 'ipv6' }],
  ['fd00::/8', { address: 'fd00::', bits: 8, family: 'ipv6' }],
])('%s is a network', (text, network) => {
  expect(readNetwork(text)).toEqual(network);
});

test.each([
  '',
  'proxy',
  '10.0.0',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  ' 10.0.0.1',
  '::ffff:a00:0/104',
  '0:0:0:0:0:ffff:a00:0/104',
  '0::ffff:0:0/96',
  '0:0:0:0:0:FFFF:10.0.0.1',
  '10.0.0.1/8',
  '192.0.2.9/29',
  'fd00::1/64',
  '1/8',
])('%j is none', (text) => {
  expect(readNetwork(text)).toBeNull();
});

test('tells which addresses are of one of several networks', () => {
  const isIn = addressesIn(['10.1.0.0/16', '192.0.2.7', 'fd00::/8']);
  expect(['10.1.255.1', '192.0.2.7', 'fd12::1'].filter((address) => isIn(address))).toHaveLength(3);
  expect(['10.2.0.1', '192.0.2.8', 'fe80::1', '', 'nonsense'].filter((address) => isIn(address))).toEqual([]);
  expect(addressesIn([])('127.0.0.1')).toBe(false);
});

test.each(['::/64', '::/0', '::/96'])('%s has no address of IPv4', (network) => {
  const isIn = addressesIn([network]);
  expect(['192.0.2.1', '127.0.0.1', '0.0.0.1'].filter((address) => isIn(address))).toEqual([]);
  expect(isIn('::7')).toBe(true);
});

test('an address of IPv4 is none of IPv6', () => {
  expect(addressesIn(['::1', '::'])('0.0.0.1')).toBe(false);
  expect(addressesIn(['0.0.0.0/0'])('::1')).toBe(false);
});

test('tells which networks have more addresses than a few proxies need', () => {
  const wide = [
    '0.0.0.0/0',
    '10.0.0.0/8',
    '10.0.0.0/27',
    '10.0.0.0/28',
    '::/0',
    'fd00::/119',
    'fd00::/120',
    '::1',
  ].filter((text) => isWide(readNetwork(text)!));
  expect(wide).toEqual(['0.0.0.0/0', '10.0.0.0/8', '10.0.0.0/27', '::/0', 'fd00::/119']);
});
