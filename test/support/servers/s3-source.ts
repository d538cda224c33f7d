import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { secret } from '../../../src/config/secrets/secret.ts';

/** A server of S3 that somebody runs in earnest, with the keys of its one user. `stop` cuts what it answers; what it keeps stays. */
export type RealS3 = { source: S3Source; stop: () => Promise<void>; restart: () => Promise<void> };

/** A bucket of a server of this machine as the settings of a source have it. */
export function s3SourceAt(port: number, keys: { user: string; password: string }): S3Source {
  return {
    type: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-test',
    bucket: 'offers',
    style: 'path',
    auth: { type: 'basic', user: keys.user, password: secret(keys.password) },
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
}
