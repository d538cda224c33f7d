import type { Context } from '../../context.ts';
import { departuresOf } from '../../ledger/uploads/departures.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { freezeOf } from '../../ledger/runs/freezes.ts';
import type { DatasetPart, DatasetRow, DepartureRow, FreezeRow } from '../../ledger/schema/schema.ts';
import { hasExpired } from './expectations.ts';

/**
 * A feed that is in the live dataset of a login and has no place in the next one. `stays`: a guard or a freeze keeps it in
 * the dataset. `released`: a person lets it go, whatever the guards say.
 */
export type LeavingFeed = {
  feed: string;
  run: string;
  /** False: the configuration names it no longer for this login. True: it is configured, and expired. */
  configured: boolean;
  /** What it has in the live dataset. */
  rows: number;
  stays: boolean;
  released: boolean;
  /** Why it stays. */
  why: string | null;
};

/**
 * The feeds of a login's live dataset that were removed from its configuration, renamed, or given to another login, and those
 * that expired because their supplier stopped delivering.
 */
export async function leavingFeeds(login: string, live: DatasetRow | null, ctx: Context): Promise<LeavingFeed[]> {
  const parts = live === null ? [] : live.parts;
  const goes = await Promise.all(parts.map(({ feed }) => isGone(feed, login, ctx)));
  const gone = parts.filter((_, at) => goes[at] === true);
  const departures = await departuresOf(ctx.ledger.db, login);
  return Promise.all(
    gone.map(async (part) => {
      const freeze = await freezeOf(ctx.ledger.db, part.feed);
      return leavingFeed(part, { login, departure: departures.find(({ feed }) => feed === part.feed), freeze }, ctx);
    }),
  );
}

/** What is said of a feed of a login's live dataset that has no place in the next one. Pure. */
export function leavingFeed(
  { feed, run, rows }: DatasetPart,
  { login, departure, freeze }: { login: string; departure: DepartureRow | undefined; freeze: FreezeRow | undefined },
  { config }: Pick<Context, 'config'>,
): LeavingFeed {
  const frozen = freeze?.login === login;
  const released = departure !== undefined && departure.released_at !== null;
  const stays = frozen || (departure !== undefined && !released);
  const why = frozen ? `frozen by ${freeze.who}: ${freeze.reason}` : (departure?.reason ?? null);
  return { feed, run, configured: config.feeds[feed]?.login === login, rows, stays, released, why };
}

async function isGone(feed: string, login: string, ctx: Context): Promise<boolean> {
  if (ctx.config.feeds[feed]?.login !== login) return true;
  return hasExpired(await knownFeed(ctx.ledger.db, feed, login), ctx);
}
