import type { FeedConfig } from '../../../config/schema/schema.ts';
import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';

/** The settings of a feed of the configuration; `not-found` for one that is not there, or not in the scope (null: all are). */
export function feedInScope(feed: string, scope: readonly string[] | null, { config }: Context): FeedConfig {
  const settings = Object.hasOwn(config.feeds, feed) ? config.feeds[feed] : undefined;
  if (settings !== undefined && (scope === null || scope.includes(feed))) return settings;
  throw new OfferlineError('not-found', `There is no feed "${feed}"; \`offerline feeds\` lists them.`);
}
