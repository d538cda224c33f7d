import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { Meter } from '../../gauge.ts';
import type { RowRule } from '../../model.ts';
import { liveInstead, NOTHING, type LiveInstead } from './live-instead.ts';
import { pastDeliveries } from './past-deliveries.ts';
import { tryDelivery, type TriedDelivery } from './try-delivery.ts';

/** What a rule does to all deliveries that were read; `deliveries`: of how many it acts on rows. */
export type RuleInAll = { rule: string; does: RowRule['does']; rows: number; before: number; deliveries: number };

/** What the rules of the configuration would do to a feed. */
export type TriedRules = {
  feed: string;
  login: string;
  /** From when on deliveries were tried, ISO. */
  since: string;
  live: LiveInstead;
  /** The newest first. */
  deliveries: TriedDelivery[];
  /** Deliveries for which there was no time. */
  left: number;
  rules: RuleInAll[];
};

/** How a trial is followed: `during` does the reading of one part of it, `tried` is told of each part once it is there. */
export type FollowedTrial = {
  signal: AbortSignal;
  /** Milliseconds after which nothing more is read. */
  within: number | undefined;
  during: <T>(subject: string, work: (meter: Meter | undefined) => Promise<T>) => Promise<T>;
  tried: (part: { live: LiveInstead } | { delivery: TriedDelivery }) => void;
};

/**
 * Tries the rules of the configuration on what is live of a feed, and on its deliveries since a time, one after the other. Nothing is sent, nothing
 * is recorded, and nothing of the archive is mended. Throws `interrupted` when the signal is aborted.
 */
export async function tryRules(
  { feed, login, since }: { feed: string; login: string; since: number },
  real: Context,
  { signal, within, during, tried }: FollowedTrial,
): Promise<TriedRules> {
  const ctx: Context = { ...real, partialArchive: true };
  const late = within === undefined ? new AbortController().signal : AbortSignal.timeout(within);
  const either = AbortSignal.any([signal, late]);
  const inTime = async <T>(subject: string, work: (meter: Meter | undefined) => Promise<T>): Promise<T | null> => {
    if (either.aborted) return stopped(signal);
    try {
      return await during(subject, work);
    } catch (error) {
      if (!either.aborted) throw error;
      return stopped(signal);
    }
  };
  const past = await pastDeliveries({ feed, login, since }, ctx);
  const live = (await inTime(feed, (meter) => liveInstead({ feed, login }, ctx, { signal: either, meter }))) ?? NO_TIME;
  tried({ live });
  const deliveries: TriedDelivery[] = [];
  for (const [at, one] of past.entries()) {
    const subject = `${feed} ${at + 1} of ${past.length}`;
    const delivery = await inTime(subject, (meter) => tryDelivery(one, ctx, { signal: either, meter }));
    if (delivery === null) break;
    tried({ delivery });
    deliveries.push(delivery);
  }
  const left = past.length - deliveries.length;
  return { feed, login, since: new Date(since).toISOString(), live, deliveries, left, rules: rulesInAll(deliveries) };
}

const NO_TIME: LiveInstead = { ...NOTHING, state: 'unknown', why: 'there was no time to read the live delivery again' };

/** What could not be done in time is left; who stops a trial learns that nothing came of it. */
function stopped(signal: AbortSignal): null {
  if (!signal.aborted) return null;
  throw new OfferlineError('interrupted', 'Interrupted. Nothing was sent, and nothing was recorded.');
}

/**
 * Adds up what each rule does to deliveries, in the order of the rules; those that are no more are left out. Pure.
 * @internal exported for tests
 */
export function rulesInAll(tried: readonly TriedDelivery[]): RuleInAll[] {
  const all = new Map<string, RuleInAll>();
  for (const { rules } of tried) {
    for (const { rule, does, rows, before } of rules) {
      if (rows === null) continue;
      const sum = all.get(rule) ?? { rule, does, rows: 0, before: 0, deliveries: 0 };
      sum.rows += rows;
      sum.before += before ?? 0;
      if (rows > 0) sum.deliveries += 1;
      all.set(rule, sum);
    }
  }
  return [...all.values()];
}
