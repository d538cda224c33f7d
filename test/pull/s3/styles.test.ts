import { describe } from 'vitest';
import { bucketAddress } from '../../../src/io/s3/address.ts';
import { type S3Style, startBucketS3 } from '../../support/servers/bucket-s3.ts';
import type { CannotShow } from '../cannot-show.ts';
import { serverConformance } from '../server/server-conformance.ts';
import type { Supplier } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';
import { supplierOf } from './objects.ts';

/* Stores that list their objects in other ways than the one that the specification describes. */

const USUAL: S3Style = { page: 1000, goesOn: 'token', escapes: 'asked', lacks: [] };

const STYLES: [name: string, style: S3Style, cannotShow: CannotShow][] = [
  ['as specified', USUAL, []],
  ['pages of seven that say no token', { ...USUAL, page: 7, goesOn: 'silence' }, []],
  ['answers of version 1, in pages of seven', { ...USUAL, page: 7, goesOn: 'marker', escapes: 'never' }, []],
  ['keys as they are, though escaped ones were asked for', { ...USUAL, escapes: 'never' }, []],
  ['keys that are escaped without a word', { ...USUAL, escapes: 'unsaid' }, []],
  ['no ETag', { ...USUAL, lacks: ['etag'] }, []],
  ['no times', { ...USUAL, lacks: ['time'] }, []],
];

async function bucketOf(style: S3Style) {
  const store = await startBucketS3(style);
  const { makeBucket, ...supplier } = supplierOf(store.source);
  await makeBucket();
  return { ...store, ...supplier };
}

describe.each(STYLES)('a store with %s', (_, style, cannotShow) => {
  sourceConformance(
    's3',
    async () => {
      const { source, publish, published, drop } = await bucketOf(style);
      const twin = { ...source, endpoint: `${source.endpoint}/` };
      return { source, twin, place: bucketAddress(source).href, publish, published, close: drop };
    },
    { cannotShow },
  );

  serverConformance(
    's3',
    false,
    async () => {
      const { source, publish, published, stop, restart } = await bucketOf(style);
      const supplier: Supplier = {
        publish,
        append: async (name, bytes) => publish(name, Buffer.concat([(await published())[name]!, Buffer.from(bytes)])),
        replace: publish,
        published,
      };
      return { source, nowhere: { ...source, bucket: 'nowhere' }, supplier, stop, restart };
    },
    { isWhole: true, isDouble: true, cannotShow },
  );
});
