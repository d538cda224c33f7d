import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketAddress, escapedKey, objectAddress } from '../../../src/io/s3/address.ts';

const place = { endpoint: 'https://store.example:9000/s3/', region: 'eu-central-1', bucket: 'offers' };

test('a bucket is a folder of the endpoint, or a host of its own', () => {
  expect(bucketAddress({ ...place, style: 'path' }).href).toBe('https://store.example:9000/s3/offers');
  expect(bucketAddress({ ...place, style: 'host' }).href).toBe('https://offers.store.example:9000/s3/');
  expect(objectAddress(bucketAddress({ ...place, style: 'path' }), 'a b/(c)').pathname).toBe(
    '/s3/offers/a%20b/%28c%29',
  );
  expect(objectAddress(bucketAddress({ ...place, style: 'host' }), 'a').pathname).toBe('/s3/a');
});

test('an escaped key has only what needs no escape, and is the key again when it is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (key) => {
      expect(escapedKey(key)).toMatch(/^(?:[\w.~/-]|%[0-9A-F]{2})*$/u);
      expect(decodeURIComponent(escapedKey(key))).toBe(key);
    }),
  );
});
