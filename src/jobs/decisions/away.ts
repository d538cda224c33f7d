import { readRange, type DayRange } from '../../config/schema/expect/dates.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { addAbsence, revokeAbsence } from '../../ledger/expected/absences.ts';
import type { Decision } from './review.ts';

/** Days of a feed on which its supplier delivers nothing, as people write them: `2026-12-24/2027-01-06`. */
export type Away = { feed: string; days: string };

/**
 * Records that a supplier delivers nothing on some days: nothing is due then. Fails with `usage` for days that cannot be, with `not-found` for a
 * feed that is not configured, with `conflict` when the same days are recorded already.
 */
export async function announceAway({ feed, days }: Away, decision: Decision, ctx: Context): Promise<DayRange> {
  const range = assertRange({ feed, days }, ctx);
  const at = ctx.clock.now();
  const { who, reason } = decision;
  await ctx.ledger.transaction(async (trx) => {
    const absence = { feed, first_day: range.from, last_day: range.to, at, who, reason };
    if (!(await addAbsence(trx, absence)))
      throw new OfferlineError('conflict', `The feed ${feed} is away on ${spanned(range)} already.`);
    await recordDecision(trx, { at, action: 'away', ...asDecided(feed, range, decision) });
  });
  return range;
}

/** Takes back that a supplier is away. Fails as `announceAway`, with `conflict` when these days are not recorded. */
export async function revokeAway({ feed, days }: Away, decision: Decision, ctx: Context): Promise<DayRange> {
  const range = assertRange({ feed, days }, ctx);
  const at = ctx.clock.now();
  await ctx.ledger.transaction(async (trx) => {
    if (!(await revokeAbsence(trx, { feed, first_day: range.from, last_day: range.to }, at)))
      throw new OfferlineError(
        'conflict',
        `No absence of the feed ${feed} is recorded for ${spanned(range)}; \`offerline expect ${feed}\` lists those that are.`,
      );
    await recordDecision(trx, { at, action: 'revoke-away', ...asDecided(feed, range, decision) });
  });
  return range;
}

/** Who sees the feed sees the decision; the days stand before the reason. */
function asDecided(feed: string, range: DayRange, decision: Decision) {
  return { subject: `feed ${feed}`, ...decision, reason: `${spanned(range)}: ${decision.reason}` };
}

function assertRange({ feed, days }: Away, { config }: Context): DayRange {
  if (!Object.hasOwn(config.feeds, feed))
    throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  const range = readRange(days);
  if (typeof range === 'string')
    throw new OfferlineError(
      'usage',
      `${range.charAt(0).toUpperCase()}${range.slice(1)}. Write the first and the last day, such as 2026-12-24/2027-01-06.`,
    );
  return range;
}

function spanned({ from, to }: DayRange): string {
  return from === to ? from : `${from}/${to}`;
}
