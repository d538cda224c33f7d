import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { acquireLease, type Lease } from '../../ledger/lease.ts';

/** Milliseconds: the shortest and longest pause before a lease is asked for again; owners mostly give it up early. */
const SOON = 50;
const AT_LATEST = 500;

/**
 * Works under a lease that is renewed meanwhile and given back afterwards, or says when (epoch milliseconds) to ask again
 * because someone else holds it.
 */
export async function withLease<T>(
  name: string,
  ctx: Context,
  work: (lease: Lease) => Promise<T>,
): Promise<T | { waitUntil: number }> {
  const duration = ctx.config.worker.lease;
  const taken = await acquireLease(ctx.ledger, name, ctx.owner, duration);
  if ('heldFor' in taken) {
    return { waitUntil: ctx.clock.now() + Math.min(Math.max(taken.heldFor, SOON), AT_LATEST) };
  }
  const { lease } = taken;
  const renewal = setInterval(() => {
    lease.renew().catch((error: unknown) => ctx.log.warn({ err: error }, 'lease could not be renewed'));
  }, duration / 3);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewal);
    // What was done stands; a lease that cannot be given up ends by itself.
    await lease.release().catch((error: unknown) => ctx.log.warn({ err: error }, 'lease could not be released'));
  }
}

/** Milliseconds that a worker is given to come to its next wait. */
const PATIENCE = 10_000;

/** Works under a lease as soon as its holder lets go; fails with `conflict` when that takes too long. */
export async function withLeaseSoon<T extends object>(
  name: string,
  ctx: Context,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const asked = ctx.clock.monotonic();
  for (;;) {
    const result = await withLease(name, ctx, async (lease) => ({ done: await work(lease) }));
    if ('done' in result) return result.done;
    if (ctx.clock.monotonic() - asked > PATIENCE) {
      throw new OfferlineError('conflict', `A worker is busy with ${name.replace('-', ' ')}; try again in a minute.`);
    }
    await ctx.clock.wait(result.waitUntil - ctx.clock.now());
  }
}
