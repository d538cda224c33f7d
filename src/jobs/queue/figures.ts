import type { Context } from '../../context.ts';
import { findRedis } from '../redis/open.ts';
import { openQueues } from './queues.ts';

/** BullMQ's figures of all queues, as Prometheus text; null when no queue is there. */
export async function figuresOfQueues(where: { redisUrl: string | undefined }, ctx: Context): Promise<string | null> {
  const redis = await findRedis({ redisUrl: where.redisUrl, home: ctx.home, log: ctx.log });
  if (redis === null) return null;
  const queues = openQueues(redis, AbortSignal.abort());
  try {
    const all = [queues.runs, queues.pulls, queues.lanes];
    return joined(await Promise.all(all.map((queue) => queue.exportPrometheusMetrics())));
  } finally {
    await queues.close();
    await redis.close();
  }
}

/** Several texts as one: what describes a figure stands once, before all its values. */
function joined(texts: string[]): string {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  const descriptions = new Set(lines.filter((line) => line.startsWith('#')));
  const values = lines.filter((line) => !line.startsWith('#'));
  const nameOf = (line: string) => /^(?:# \w+ )?([a-zA-Z_:][\w:]*)/u.exec(line)?.[1];
  const names = new Set([...descriptions, ...values].map(nameOf));
  return [...names].flatMap((name) => [...descriptions, ...values].filter((line) => nameOf(line) === name)).join('\n');
}
