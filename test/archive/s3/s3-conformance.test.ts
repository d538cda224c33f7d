import { beforeAll, describe } from 'vitest';
import { lacks } from '../../support/programs.ts';
import { startSwift, type Swift } from '../../support/servers/swift.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { archiveConformance } from '../conformance.ts';
import { remoteIn, underTest } from './remote-archive.ts';

const missing = lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3');

describe.skipIf(missing)('Swift', () => {
  let swift: Swift;
  let buckets = 0;

  beforeAll(async () => {
    swift = await startSwift();
  }, 60_000);

  archiveConformance(
    'swift',
    async () => {
      const source = { ...swift.source, bucket: `archive-${(buckets += 1)}` };
      await supplierOf(source).makeBucket();
      return underTest(remoteIn(source, { timeout: 20_000 }));
    },
    3,
  );
});
