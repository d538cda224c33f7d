import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { lacks } from '../../support/programs.ts';
import { startBucketS3 } from '../../support/servers/bucket-s3.ts';
import { startSwift } from '../../support/servers/swift.ts';
import { sandboxProcess } from '../faults/service.ts';
import type { Outside } from './fleet.ts';

const hasSwift = !lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3');

/** A service, and a store of objects: Swift's where it is installed, as in CI, else the double. */
export async function startOutside(): Promise<Outside> {
  const [{ url }, { source }] = await Promise.all([
    sandboxProcess(),
    hasSwift
      ? startSwift()
      : startBucketS3({ page: 100, goesOn: 'token', escapes: 'asked', lacks: [] }).then(({ source: made }) => ({
          source: made satisfies S3Source,
        })),
  ]);
  return { service: url, bucket: source };
}
