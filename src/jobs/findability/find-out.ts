import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { dueClock } from '../../ledger/due-clock.ts';
import { verifiedTimes } from '../../ledger/uploads/accepted-uploads.ts';
import { lookTimes } from '../../ledger/uploads/findability.ts';
import { withLease } from '../logins/with-lease.ts';
import { lookAtFeed, lookLease } from './look.ts';
import { endMissing } from './missing.ts';

const MINUTE_MS = 60_000;

/** Milliseconds between two searches for feeds that are due. */
const ROUND = 5 * MINUTE_MS;

/** How long ago an upload was proved before the search is asked about it: its index may lag behind, milliseconds. */
const SETTLED = 10 * MINUTE_MS;

/** After a look that was cut short the next one is due at the latest after, milliseconds. */
const AGAIN = 24 * 60 * MINUTE_MS;

/**
 * Looks at each feed whose look is due, one after another: after a proof, and then as often as `service.findability.every` says. What fails is logged,
 * and tried again. Several processes may call it; for each login one of them looks.
 */
export function findOut(ctx: Context, stop: AbortSignal): () => Promise<void> {
  let asked = -Infinity;
  return async () => {
    const now = ctx.clock.monotonic();
    if (now - asked < ROUND || stop.aborted) return;
    asked = now;
    try {
      if (ctx.config.service.findability === 'off') return await endMissing(ctx.ledger.db, ctx.clock.now());
      for (const feed of await dueFeeds(ctx)) {
        if (stop.aborted) return;
        await lookWhenDue(feed, ctx, stop);
      }
    } catch (error) {
      if (!stop.aborted) ctx.log.warn({ err: error }, 'feeds to look up could not be found');
    }
  };
}

type FeedOfLogin = { login: string; feed: string };

/** The feeds whose look is due, those that were never looked at first. */
async function dueFeeds(ctx: Context): Promise<FeedOfLogin[]> {
  const { feeds, service } = ctx.config;
  if (service.findability === 'off') return [];
  const { every } = service.findability;
  const { db } = ctx.ledger;
  const now = await dueClock(ctx);
  const proved = await verifiedTimes(db);
  const looks = await lookTimes(db);
  return Object.entries(feeds)
    .filter(([, { login }]) => (proved.get(login) ?? Infinity) <= now - SETTLED)
    .map(([feed, { login }]) => {
      const last = looks.find((look) => look.feed === feed && look.login === login);
      const due = last === undefined || last.at > now ? 0 : last.at + (last.cut ? Math.min(AGAIN, every) : every);
      return { login, feed, due };
    })
    .filter(({ due }) => due <= now)
    .sort((a, b) => a.due - b.due)
    .map(({ login, feed }) => ({ login, feed }));
}

async function lookWhenDue(feed: FeedOfLogin, ctx: Context, stop: AbortSignal): Promise<void> {
  const settings = ctx.config.service.findability;
  if (settings === 'off') return;
  try {
    await withLease(lookLease(feed.login), ctx, async () => {
      // Another process may have looked while this one was busy with other feeds.
      const due = await dueFeeds(ctx);
      if (!due.some(({ login, feed: name }) => login === feed.login && name === feed.feed)) return;
      const { answers, note } = await lookAtFeed(feed, settings, { signal: stop }, ctx);
      ctx.log.info({ ...feed, asked: answers.length, note }, 'search was asked for parts');
    });
  } catch (error) {
    if (!stop.aborted) ctx.log.warn({ ...feed, reason: messageOf(error) }, 'search could not be asked for parts');
  }
}
