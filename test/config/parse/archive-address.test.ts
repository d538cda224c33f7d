import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { archivePlaceOf, archiveSettings } from '../../../src/config/parse/archive-address.ts';

const FOLDER = { type: 'folder' } as const;

test('without an address the archive is where the configuration says', () => {
  expect(archiveSettings(FOLDER, undefined)).toEqual({ archive: FOLDER, problems: [] });
});

test('an address names host, bucket, prefix, keys and region', () => {
  const { archive, problems } = archiveSettings(
    FOLDER,
    's3://KEY:a%2Fb@minio.example:9000/offers/some/where?region=eu-1&tls=false',
  );
  expect(problems).toEqual([]);
  expect(archive).toMatchObject({
    type: 's3',
    endpoint: 'http://minio.example:9000',
    bucket: 'offers',
    prefix: 'some/where',
    region: 'eu-1',
    style: 'path',
  });
  if (archive.type !== 's3' || archive.auth.type !== 'basic') throw new Error('it has keys');
  expect([archive.auth.user, archive.auth.password.reveal()]).toEqual(['KEY', 'a/b']);
  expect(JSON.stringify(archive)).not.toContain('a/b');
});

test('an address of Amazon names its region, and without keys the environment signs', () => {
  const { archive } = archiveSettings(FOLDER, 's3://s3.eu-central-1.amazonaws.com/offers');
  expect(archive).toMatchObject({ region: 'eu-central-1', prefix: '', auth: { type: 'environment' } });
});

test.each([
  ['https://example.com/bucket', 'is no address such as s3://'],
  ['nonsense', 'is no address such as s3://'],
  ['s3:///bucket', 'names no host and bucket'],
  ['s3://host', 'names no host and bucket'],
  ['s3://host/bucket?colour=red', 'has the part colour=, which is unknown; known are region, style, tls, ca, profile'],
  ['s3://host/bucket?style=round', 'has style=round; write path or host'],
  ['s3://host/bucket?tls=no', 'has tls=no; write true or false'],
  ['s3://host/b', 'has b, which cannot name a bucket'],
  ['s3://host/bucket/100%', 'has a % that stands for no sign; write it as %25'],
  ['s3://host/bucket/a%20b', 'has a prefix with other signs than letters, digits and . _ - /'],
  ['s3://host/bucket/a%2F..%2F..%2Fother', 'has a prefix with the part . or .., which would lead out of the bucket'],
  ['s3://KEY@host/bucket', 'has only one of KEY and SECRET'],
  ['s3://host/bucket?region=a&region=b', 'has region= twice; keep one'],
  ['s3://host/bucket?profile=north', 'has only one of profile= and file='],
  ['s3://KEY:SECRET@host/bucket?role=instance', 'names several who sign'],
  ['s3://host/bucket?kms=id', 'has kms= without encryption=aws:kms'],
  ['s3://host/bucket?timeout=long', 'has timeout=long; expected a duration'],
  ['s3://host/bucket?timeout=0s', 'has timeout=0s, which must be longer than zero'],
  ['s3://host/bucket?cache=much', 'has cache=much; expected a size'],
])('%s is refused: %s', (address, message) => {
  const [problem] = archiveSettings(FOLDER, address).problems;
  expect(problem).toMatchObject({ file: 'environment', path: 'ARCHIVE_URL' });
  expect(problem?.message).toContain(message);
});

test('everything that is wrong with an address is named at once', () => {
  const { problems } = archiveSettings(FOLDER, 's3://localhost/b?nope=1&style=round');
  expect(problems.map(({ message }) => message)).toEqual([
    'has b, which cannot name a bucket',
    expect.stringContaining('has the part nope=, which is unknown; known are region, style, tls, ca') as string,
    'has style=round; write path or host',
  ]);
});

test('an address can say all that the settings can: who signs, encryption, silence, copies', () => {
  const of = (parts: string) => archiveSettings(FOLDER, `s3://host/bucket?${parts}`).archive;
  expect(of('profile=north&file=/etc/keys')).toMatchObject({
    auth: { type: 'profile', profile: 'north', file: '/etc/keys' },
  });
  expect(of('role=instance&timeout=5s&cache=1GB')).toMatchObject({
    auth: { type: 'instance' },
    timeout: 5000,
    cache: 1e9,
  });
  expect(of('encryption=AES256')).toMatchObject({ encryption: { type: 'AES256' } });
  expect(of('encryption=aws:kms&kms=north')).toMatchObject({ encryption: { type: 'aws:kms', key: 'north' } });
  expect(of('')).toMatchObject({ timeout: 60_000, cache: 5e9 });
});

test.each([
  ['archive', { type: 'folder', folder: resolve('archive') }],
  ['file:///var/lib/a%20b', { type: 'folder', folder: '/var/lib/a b' }],
  ['s3://host/bucket/north', { type: 's3', bucket: 'bucket', prefix: 'north' }],
])('%s is a place to copy to', (text, place) => {
  expect(archivePlaceOf('--to', text)).toMatchObject(place);
});

test.each([
  ['', 'is empty; name a folder'],
  ['file://server/archive', 'is no address of a folder'],
  ['gs://bucket', 'has the scheme gs://, which is unknown; known are s3:// and file://'],
  ['s3://host/b?nope=1', 'has b, which cannot name a bucket; it has the part nope='],
])('%j is no place to copy to', (text, message) => {
  expect(() => archivePlaceOf('--to', text)).toThrow(`--to ${message}`);
});

test('an address beside settings is refused', () => {
  const { archive } = archiveSettings(FOLDER, 's3://host/bucket');
  expect(archiveSettings(archive, 's3://host/other').problems[0]?.message).toBe(
    'archive is set in the configuration, too; keep one',
  );
});

test.each(['s3:/KEY:SECRET@host/bucket', 's3:host/bucket', 'file:/mnt/backup', 'S3:/x'])(
  '%s is no folder, and is not repeated',
  (text) => {
    expect(() => archivePlaceOf('The place', text)).toThrow(
      /^The place lacks a slash; write s3:\/\/HOST\/BUCKET\/PREFIX or file:\/\/\/PATH\.$/u,
    );
  },
);
