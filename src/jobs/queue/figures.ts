import type { Context } from '../../context.ts';
import { findRedis } from '../redis/open.ts';
import { openQueues } from './queues.ts';

type Where = { redisUrl: string | undefined };
type Queues = ReturnType<typeof openQueues>;

/** Jobs of one queue: a job only wakes a worker, what has to be done stands in the ledger. */
export type QueueCounts = { queue: string; waiting: number; active: number; delayed: number; failed: number };

/** BullMQ's figures of all queues, as Prometheus text; null when no queue is there. */
export async function figuresOfQueues(where: Where, ctx: Context): Promise<string | null> {
  return withQueues(where, ctx, async (queues) =>
    joined(await Promise.all(allOf(queues).map((queue) => queue.exportPrometheusMetrics()))),
  );
}

/** How many jobs each queue has, by what becomes of them; null when no queue is there. */
export async function countsOfQueues(where: Where, ctx: Context): Promise<QueueCounts[] | null> {
  return withQueues(where, ctx, (queues) =>
    Promise.all(
      allOf(queues).map(async (queue) => {
        const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
        return { queue: queue.name, waiting: waiting + prioritized, active, delayed, failed };
      }),
    ),
  );
}

function allOf({ runs, pulls, lanes }: Queues) {
  return [runs, pulls, lanes];
}

async function withQueues<T>(where: Where, ctx: Context, ask: (queues: Queues) => Promise<T>): Promise<T | null> {
  const redis = await findRedis({ redisUrl: where.redisUrl, prefix: ctx.redisPrefix, home: ctx.home, log: ctx.log });
  if (redis === null) return null;
  const queues = openQueues(redis, AbortSignal.abort());
  try {
    return await ask(queues);
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
