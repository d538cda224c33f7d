import {
  changeOfRows,
  moreLeftOut,
  shareRejected,
  stockDrop,
  strangePrices,
  type Guarded,
} from '../../../compose/guards.ts';
import { feedGuard } from '../../../config/schema/feed-settings.ts';
import { loginGuardDefaults } from '../../../config/schema/feeds/guard-schema.ts';
import type { Guard } from '../../../config/schema/schema.ts';
import type { Context } from '../../../context.ts';
import { asOfLogin, feedRow } from '../../../ledger/runs/feeds.ts';
import { findRun, listRuns } from '../../../ledger/runs/runs.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { LiveLosses } from '../../guards/compare-with-live.ts';
import { guardedNumbers, leftOutBefore } from '../../guards/feed-guard.ts';
import { feedInScope } from './scope.ts';
import { sliceLosses } from './slice-losses.ts';

/** One guard of a feed's files: what it allows, and how near the last accepted delivery came to that. */
export type GuardState = {
  guard: keyof Guard;
  /** Rows for `minRows`, else a share; null: it is off. */
  limit: number | null;
  /** Whose setting holds; `default`: the login has the value that holds without one. Null: it is off. */
  from: 'feed' | 'login' | 'default' | null;
  /** What the last accepted delivery measured, in the unit of the limit; null where it could not be, or is not kept. */
  measured: number | null;
  /** How far that is from the limit, in its unit; below 0: a person had let it through. */
  left: number | null;
  /** How much of what is allowed was taken, 0 to 1 and more. */
  used: number | null;
  /** The next delivery is held with fewer, or with more accepted rows than this, against what is live now. */
  holds: { below: number } | { above: number } | null;
};

/** A feed's guards. `run`: the last accepted delivery, compared with the one accepted before. */
export type FeedGuards = { run: string | null; comparedWith: string | null; guards: GuardState[] };

/** How much the brands and tags of an accepted delivery lost against the one before; null when that is not known. */
export type Losses = (run: RunRow, before: RunRow) => Promise<LiveLosses | null>;

/**
 * Each guard of a feed's files with today's distance to it. Rows that the service rejected count here on both sides, but not of brands
 * and tags. `losses`: for those who keep them, as they take long with large files.
 */
export async function feedGuards(
  feed: string,
  scope: readonly string[] | null,
  ctx: Context,
  losses: Losses = (run, before) => sliceLosses(run, before, ctx),
): Promise<FeedGuards> {
  const { login } = feedInScope(feed, scope, ctx);
  const { db } = ctx.ledger;
  const [last, before] = await listRuns(db, { feed, login, outcomes: ['live', 'partial'], limit: 2 });
  const { contribution } = asOfLogin(await feedRow(db, feed), feed, login);
  const live = contribution === null ? undefined : await findRun(db, contribution);
  const lost = last === undefined || before === undefined ? null : await losses(last, before);
  const facts = last === undefined ? null : measuredFacts(last, before ?? null, lost);
  const guard = feedGuard(ctx.config, feed);
  const guards = (Object.keys(MEASURES) as (keyof Guard)[]).map((name): GuardState => {
    const limit = guard[name] ?? null;
    const measured = facts === null ? null : MEASURES[name](facts);
    const holds = limit === null ? null : heldWith(name, limit, live?.counts?.accepted ?? null);
    const { left, used } = distance(name, limit, measured);
    return { guard: name, limit, from: originOf(name, feed, ctx), measured, left, used, holds };
  });
  return { run: last?.id ?? null, comparedWith: before?.id ?? null, guards };
}

/** What is known of an accepted delivery, and of the one before it. */
type Measured = { numbers: Guarded; signals: RunRow['signals']; lost: LiveLosses | null };

/** What each guard measures, in the order in which they are shown. */
const MEASURES: Record<keyof Guard, (facts: Measured) => number | null> = {
  minRows: ({ numbers }) => numbers.rows,
  maxRejected: ({ numbers }) => shareRejected(numbers),
  maxRowDrop: ({ numbers }) => {
    const compared = changeOfRows(numbers);
    return compared === null ? null : -compared.change;
  },
  maxRowGrowth: ({ numbers }) => changeOfRows(numbers)?.change ?? null,
  maxLeftOut: ({ numbers }) => moreLeftOut(numbers),
  maxPartsGone: ({ lost }) => lost?.parts ?? null,
  maxBrandDrop: ({ lost }) => lost?.brand ?? null,
  maxTagDrop: ({ lost }) => lost?.tag ?? null,
  maxPriceJump: ({ signals }) => {
    const prices = signals === null ? null : strangePrices(signals);
    return prices === null ? null : prices.parts / prices.of;
  },
  maxStockDrop: ({ signals }) => (signals === null ? null : (stockDrop(signals)?.drop ?? null)),
};

function measuredFacts({ counts, signals }: RunRow, before: RunRow | null, lost: LiveLosses | null): Measured | null {
  if (counts === null) return null;
  const previousRows = before?.counts?.accepted ?? null;
  return { numbers: guardedNumbers(counts, previousRows, undefined, leftOutBefore(before)), signals, lost };
}

function originOf(name: keyof Guard, feed: string, { config }: Context): GuardState['from'] {
  const settings = config.feeds[feed];
  if (settings?.guard[name] !== undefined) return 'feed';
  const ofLogin = config.logins[settings?.login ?? '']?.guard[name];
  if (ofLogin === undefined) return null;
  return ofLogin === loginGuardDefaults()[name] ? 'default' : 'login';
}

function distance(name: keyof Guard, limit: number | null, measured: number | null): Pick<GuardState, 'left' | 'used'> {
  if (limit === null || measured === null) return { left: null, used: null };
  if (name === 'minRows') return { left: measured - limit, used: measured === 0 ? null : limit / measured };
  return { left: limit - measured, used: limit === 0 ? null : Math.max(0, measured) / limit };
}

function heldWith(name: keyof Guard, limit: number, live: number | null): GuardState['holds'] {
  if (name === 'minRows') return { below: limit };
  if (live === null || live === 0) return null;
  if (name === 'maxRowDrop') return { below: Math.ceil(rounded(live * (1 - limit))) };
  return name === 'maxRowGrowth' ? { above: Math.floor(rounded(live * (1 + limit))) } : null;
}

/** What floating point adds to a whole number of rows. */
function rounded(rows: number): number {
  return Number(rows.toFixed(6));
}
