import { findRedis } from '../../src/jobs/redis/open.ts';
import { memoryLog } from './memory-log.ts';

/** Ends the private Redis of a home whose processes were killed, so that it does not outlive the test. */
export async function endPrivateRedis(home: string): Promise<void> {
  const redis = await findRedis({ prefix: 'offerline', redisUrl: undefined, home, log: memoryLog().log });
  await redis?.close();
}
