import type { Context } from '../context.ts';
import { acquireLease, type Lease } from '../ledger/lease.ts';

/** Milliseconds after which a lease that was just given back is asked for again. */
const SOON = 50;

/**
 * Works under a lease that is renewed meanwhile and given back afterwards, or says until when (epoch milliseconds) someone
 * else holds it.
 */
export async function withLease<T>(
  name: string,
  ctx: Context,
  work: (lease: Lease) => Promise<T>,
): Promise<T | { waitUntil: number }> {
  const duration = ctx.config.worker.lease;
  const taken = await acquireLease(ctx.ledger, name, ctx.owner, duration);
  if ('heldUntil' in taken) return { waitUntil: Math.max(taken.heldUntil, ctx.clock.now() + SOON) };
  const { lease } = taken;
  const renewal = setInterval(() => {
    lease.renew().catch((error: unknown) => ctx.log.warn({ err: error }, 'lease could not be renewed'));
  }, duration / 3);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewal);
    await lease.release();
  }
}
