import type { Context } from '../../context.ts';
import { freezeOf } from '../../ledger/runs/freezes.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import type { FeedRow, SourceDenialRow } from '../../ledger/schema/schema.ts';
import { counted, moment, span } from '../../wording/words.ts';
import { sourceDenialOf } from '../../ledger/runs/source-denials.ts';
import { REST, restsAfter } from '../feeds/source-denial.ts';
import { hasExpired } from '../feeds/expectations.ts';
import type { LeavingFeed } from '../feeds/leaving.ts';

/**
 * What stands between a feed and its next delivery going live, each in one sentence with what to do: a freeze, a pause of the
 * feed or its login, its expiry. `leaving`: it is in the live dataset and has no place in the next one.
 */
export async function standingNotes(state: FeedRow, leaving: LeavingFeed | undefined, ctx: Context): Promise<string[]> {
  const { feed, login } = state;
  const notes: string[] = [];
  const freeze = await freezeOf(ctx.ledger.db, feed);
  if (freeze !== undefined) {
    const { at, who, reason } = freeze;
    notes.push(
      `the feed has been frozen since ${moment(at)} by ${who}: ${plain(reason)}; its deliveries are held until \`offerline release feed:${feed} --reason TEXT\``,
    );
  }
  const pause = await pauseOver(ctx.ledger.db, feed, login);
  if (pause !== undefined) {
    const { kind, name, at, who, reason } = pause;
    notes.push(
      `the ${kind} ${name} has been paused since ${moment(at)} by ${who}: ${plain(reason)}; nothing new from it goes live until \`offerline resume ${kind}:${name} --reason TEXT\``,
    );
  }
  const denied = await sourceDenialStanding(feed, ctx);
  if (denied !== null) notes.push(denied.note);
  const expiry = await expiryNote(state, leaving, ctx);
  return expiry === null ? notes : [...notes, expiry];
}

/**
 * The refusal that a feed's source stands under: since when (epoch milliseconds), how often it was asked, from when the
 * schedule asks again (null: when the feed is due), and all that in a sentence; null when there is none.
 */
export async function sourceDenialStanding(feed: string, ctx: Context) {
  const denial = await sourceDenialOf(ctx.ledger.db, feed);
  return denial === undefined ? null : describeDenial(denial, ctx);
}

/** A refusal in the same words. */
export async function describeDenial(denial: SourceDenialRow, ctx: Context) {
  const { feed, since, tries, at } = denial;
  const next = (await restsAfter(denial, ctx)) ? at + REST : null;
  const asks = next === null ? 'it is asked when the feed is due' : `the schedule asks again from ${moment(next)}`;
  const advice = `with the right ones in feeds.${feed}.source.auth at once`;
  const note = `the source has refused its credentials since ${moment(since)} (${counted(tries, 'time')}); ${asks}; ${advice}`;
  return { since, tries, next, note };
}

/** True when a feed's rows are in the dataset no longer, because nothing was delivered for too long. */
export async function leftByExpiry(state: FeedRow, ctx: Context): Promise<boolean> {
  return state.contribution === null && (await hasExpired(state, ctx));
}

async function expiryNote(state: FeedRow, leaving: LeavingFeed | undefined, ctx: Context): Promise<string | null> {
  const expires = ctx.config.feeds[state.feed]?.expires ?? 0;
  const why = `nothing was delivered for longer than feeds.${state.feed}.expires (${span(expires)})`;
  if (await leftByExpiry(state, ctx)) return `${why}, so it left the dataset; its next good delivery brings it back`;
  if (leaving === undefined) return null;
  if (!leaving.stays) return `${why}, so it leaves the dataset with the next upload; a new delivery keeps it`;
  return `${why}; it stays in the dataset: ${leaving.why}; to let it leave: \`offerline release feed:${state.feed} --reason TEXT\``;
}

/** A reason as people wrote it, without the full stop that would end the sentence. */
function plain(reason: string): string {
  return reason.replace(/[.\s]+$/, '');
}
