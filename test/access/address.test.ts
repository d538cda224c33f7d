import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf, readAddress } from '../../src/access/address.ts';

test.each([
  ['10.0.0.7', '10.0.0.7'],
  [' 10.0.0.7:4711 ', '10.0.0.7'],
  ['"10.0.0.7:4711"', '10.0.0.7'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['"[2001:db8::7]:4711"', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['[::ffff:a00:7]:80', '10.0.0.7'],
  ['::1', '::1'],
])('%j is the address %s', (said, address) => expect(readAddress(said)).toBe(address));

test.each([
  '',
  'unknown',
  '_hidden',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '10.0.0.7:port',
  '10.0.0.7:123456',
  '[10.0.0.7]',
])('%j is no address', (said) => expect(readAddress(said)).toBeNull());

test.each(['[2001:db8::7', '2001:db8::7]', 'g::1', `${'1:'.repeat(60)}1`, 'http://10.0.0.7/', '10.0.0.7, 10.0.0.8'])(
  '%j is none either',
  (said) => expect(readAddress(said)).toBeNull(),
);

test('an address is the same whatever port, brackets and zone are written with it, and reading it again changes nothing', () => {
  const port = fc.option(fc.nat(65_535), { nil: null });
  const withPort = (address: string, at: number | null) => (at === null ? address : `${address}:${at}`);
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), port, fc.stringMatching(/^[a-z\d]{1,8}$/u), (v4, v6, at, zone) => {
      expect(readAddress(withPort(v4, at))).toBe(v4);
      const plain = readAddress(v6);
      expect(plain).not.toBeNull();
      expect(readAddress(withPort(`[${v6}%${zone}]`, at))).toBe(plain);
      expect(readAddress(plain!)).toBe(plain);
      expect(networkOf(withPort(`[${v6}]`, at))).toBe(networkOf(v6));
    }),
  );
});
