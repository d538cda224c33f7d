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

test('tells which networks are larger than any that somebody has alone', () => {
  const wide = ['0.0.0.0/0', '0.0.0.0/1', '::/0', '10.0.0.0/8', 'fd00::/16'].filter((text) =>
    isWide(readNetwork(text)!),
  );
  expect(wide).toEqual(['0.0.0.0/0', '0.0.0.0/1', '::/0']);
});
