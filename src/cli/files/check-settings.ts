import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { feedGuard, readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import { advise } from '../../config/read/nearest.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import type { OfferLayout } from '../../compose/offer-file.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';

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

/** The live rows of a feed, where there is an installation that has some; none is made for it. */
export async function earlierRows(feed: string, command: Command): Promise<KeptRows | null> {
  const { loadFor } = await import('../session.ts');
  const loaded = await loadFor(command);
  if (loaded.databaseUrl === undefined && !existsSync(join(loaded.home, 'ledger.sqlite'))) return null;
  const [{ createLog }, { openContext }, { liveRows }] = await Promise.all([
    import('../../log.ts'),
    import('../../app/open-context.ts'),
    import('../../jobs/feeds/live-rows.ts'),
  ]);
  const log = await createLog({ level: loaded.logLevel, pretty: process.stderr.isTTY });
  const { ctx, close } = await openContext(loaded, log);
  try {
    return await liveRows(feed, ctx.config.feeds[feed]!.login, ctx);
  } finally {
    await close();
  }
}
