import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { QueueCounts } from '../../jobs/queue/figures.ts';
import type { Decision } from '../../jobs/decisions/review.ts';

/** Who asks for something, and by which way: the audit names them. */
export type Asker = { who: string; via: 'console' | 'api'; origin: string | null };

/** What an operation works with, in the process that works. */
export type World = { ctx: Context; redisUrl: string | undefined; asker: Asker };

/** What was decided and whether a worker heard of it at once; else the next sweep finds it. */
export type Woken = { woken: boolean };

/** Characters of a reason; longer ones are stories. */
export const LONGEST_REASON = 2000;

/** A decision of the one who asks; fails with `usage` without a reason. */
export function decisionOf(reason: string, { asker }: World): Decision {
  const text = reason.trim();
  if (text === '') throw new OfferlineError('usage', 'The reason is empty. Write why; it is recorded with your name.');
  if (text.length > LONGEST_REASON)
    throw new OfferlineError('usage', `The reason has ${text.length} characters; ${LONGEST_REASON} is the limit.`);
  return { ...asker, reason: text };
}

/** Wakes the workers for a run. A queue that is away takes nothing back: the ledger has what was decided. */
export async function wakeRun(run: string, { ctx, redisUrl }: World): Promise<Woken> {
  const { wakeElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
  return { woken: await wakeElsewhere(run, { redisUrl }, ctx) };
}

/** Wakes the lane of a login, by the same rules. */
export async function wakeLane(login: string, { ctx, redisUrl }: World): Promise<Woken> {
  const { wakeLaneElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
  return { woken: await wakeLaneElsewhere(login, { redisUrl }, ctx) };
}

/** BullMQ's own figures of its queues, as Prometheus text; null while Redis is away. */
export async function queueFigures(_nothing: object, { ctx, redisUrl }: World): Promise<string | null> {
  const { figuresOfQueues } = await import('../../jobs/queue/figures.ts');
  return figuresOfQueues({ redisUrl }, ctx).catch((error: unknown) => {
    ctx.log.debug({ reason: messageOf(error) }, 'queue has no figures now');
    return null;
  });
}

/** How many jobs each queue has; null while Redis is away. */
export async function queueCounts(_nothing: object, { ctx, redisUrl }: World): Promise<QueueCounts[] | null> {
  const { countsOfQueues } = await import('../../jobs/queue/figures.ts');
  return countsOfQueues({ redisUrl }, ctx).catch((error: unknown) => {
    ctx.log.debug({ reason: messageOf(error) }, 'queue has no figures now');
    return null;
  });
}

/** Answers when the working process can reach its ledger. */
export async function ping(_nothing: object, { ctx }: World): Promise<void> {
  await ctx.ledger.now();
}
