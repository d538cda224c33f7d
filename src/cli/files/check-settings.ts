import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { feedGuard, readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import { advise } from '../../config/read/nearest.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import type { OfferLayout } from '../../compose/offer-file.ts';
import type { AcceptedColumns, EarlierHeader } from '../../model.ts';
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

/** What a feed has in an installation: its live rows, and the columns that were accepted for it. */
type FeedHistory = { earlier: KeptRows | null; earlierHeader: EarlierHeader | null; accepted: AcceptedColumns[] };

/** Of a feed that was never at work, or of none. */
const NO_HISTORY: FeedHistory = { earlier: null, earlierHeader: null, accepted: [] };

/** What is known of a feed, where there is an installation; none is made for it. */
export async function feedHistory(feed: string | undefined, command: Command): Promise<FeedHistory> {
  if (feed === undefined) return NO_HISTORY;
  const { loadFor } = await import('../session.ts');
  const loaded = await loadFor(command);
  if (loaded.databaseUrl === undefined && !existsSync(join(loaded.home, 'ledger.sqlite'))) return NO_HISTORY;
  const [{ createLog }, { openContext }, { liveHeader, liveRows }, { readSettingsOf }] = await Promise.all([
    import('../../log.ts'),
    import('../../app/open-context.ts'),
    import('../../jobs/feeds/live-rows.ts'),
    import('../../jobs/read/settings.ts'),
  ]);
  const log = await createLog({ level: loaded.logLevel, pretty: process.stderr.isTTY });
  const { ctx, close } = await openContext(loaded, log);
  try {
    const { accepted } = await readSettingsOf(feed, ctx);
    const { login } = ctx.config.feeds[feed]!;
    const earlier = await liveRows(feed, login, ctx);
    return { earlier, earlierHeader: await liveHeader(feed, login, ctx), accepted };
  } finally {
    await close();
  }
}
