import type { Command } from 'commander';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { feedGuard, readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import { advise } from '../../config/read/nearest.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import type { OfferLayout } from '../../compose/offer-file.ts';

export type CheckSettings = { read: ReadSettings; offer: OfferLayout; guard: Guard };

/** The settings of a feed, or of the configuration that `--config` names; without either the defaults. */
export async function checkSettings(feed: string | undefined, command: Command): Promise<CheckSettings> {
  const { config: named } = command.optsWithGlobals<{ config?: string }>();
  if (feed === undefined && named === undefined) {
    return { read: readSettings(READING_DEFAULTS), offer: READING_DEFAULTS.offer, guard: {} };
  }
  const { loadFor } = await import('../session.ts');
  const { config, file } = await loadFor(command);
  if (feed !== undefined && !Object.hasOwn(config.feeds, feed)) {
    const advice = advise(feed, Object.keys(config.feeds));
    throw new OfferlineError('usage', `There is no feed "${feed}" in ${file}; ${advice}`);
  }
  return {
    read: readSettings(config, feed),
    offer: config.offer,
    guard: feed === undefined ? {} : feedGuard(config, feed),
  };
}
