import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import { loadFor } from '../session.ts';

/** The live rows of a feed, where there is an installation that has some; none is made for it. */
export async function earlierRows(feed: string, command: Command): Promise<KeptRows | null> {
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
