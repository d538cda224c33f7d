import { expect, test } from 'vitest';
import { archiveSettings } from '../../../src/config/parse/archive-address.ts';

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
  ['s3://host/bucket?colour=red', 'has the part colour=, which is unknown; known are region, style, tls, ca'],
  ['s3://host/bucket?style=round', 'has style=round; write path or host'],
])('%s is refused: %s', (address, message) => {
  const [problem] = archiveSettings(FOLDER, address).problems;
  expect(problem).toMatchObject({ file: 'environment', path: 'ARCHIVE_URL' });
  expect(problem?.message).toContain(message);
});

test('an address beside settings is refused', () => {
  const { archive } = archiveSettings(FOLDER, 's3://host/bucket');
  expect(archiveSettings(archive, 's3://host/other').problems[0]?.message).toBe(
    'archive is set in the configuration, too; keep one',
  );
});
