import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { keptBytes } from '../../archive/kept-file.ts';
import { sayDiskFull } from '../../archive/disk-full.ts';
import { OfferlineError } from '../../errors.ts';
import { lastPushed } from '../../ledger/pushed.ts';
import type { Io } from '../io.ts';
import { feedOf, ifInstalled, loadFor } from '../session.ts';

/**
 * Brings what was pushed to a feed last into a folder, under its name; answers with the path. Fails with `usage` for a feed to which no files are
 * pushed, and where none has come yet.
 */
export async function bringPushed(feed: string | undefined, folder: string, command: Command, io: Io): Promise<string> {
  if (feed === undefined)
    throw new OfferlineError('usage', 'Name a file to check, or with --feed a feed to which files are pushed.');
  const loaded = await loadFor(command, io);
  const { source } = await feedOf(feed, loaded);
  if (source.type !== 'push') {
    const advice = 'name the file to check; `offerline pull` brings what is there';
    throw new OfferlineError(
      'usage',
      `The feed ${feed} takes its files from a source of type ${source.type}: ${advice}.`,
    );
  }
  const path = await ifInstalled(loaded, io, async ({ ledger, archive }) => {
    const newest = await lastPushed(ledger.db, feed);
    if (newest === undefined) return null;
    const to = join(folder, newest.name);
    const bytes = Readable.from(keptBytes(archive.file(newest.sha256)), { objectMode: false });
    await sayDiskFull(folder, () => pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 })));
    return to;
  });
  if (path !== null) return path;
  throw new OfferlineError('usage', `Nothing has been pushed to ${feed} yet; name the file to check.`);
}
