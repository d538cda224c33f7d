import { messageOf } from '../../errors.ts';
import type { World } from './world.ts';

/** BullMQ's own figures of its queues, as Prometheus text; null while Redis is away. */
export async function queueFigures(_nothing: object, { ctx, redisUrl }: World): Promise<string | null> {
  const { figuresOfQueues } = await import('../../jobs/queue/figures.ts');
  return figuresOfQueues({ redisUrl }, ctx).catch((error: unknown) => {
    ctx.log.debug({ reason: messageOf(error) }, 'queue has no figures now');
    return null;
  });
}
