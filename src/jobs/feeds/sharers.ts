import type { FolderSource } from '../../config/schema/source-schema.ts';
import type { Context } from '../../context.ts';
import { knownOf } from '../../ledger/runs/taken-files.ts';
import type { Sharer } from '../../pull/acknowledge.ts';
import { isAhead } from '../../pull/choose/ahead.ts';
import { choose, type Listed } from '../../pull/choose/choose.ts';
import { identityOf } from '../../pull/choose/past.ts';
import { patternIn, severalOf, staysAt } from '../../pull/several/wanted.ts';
import { hasUniqueNames, originOf } from '../../pull/source.ts';
import { isFolder, pastOf } from './place-of-feed.ts';

/** A file that is dated further ahead is not kept for its day: it has a typing error rather than a day. */
const LONGEST_AHEAD = 60 * 24 * 60 * 60_000;

/**
 * The feeds that take from the place of a source. Each needs what it would still take; and what is to be deleted has to be in
 * the archive, by whichever feed, if it is one of those that feeds take.
 */
export function sharersOf(place: FolderSource, ctx: Context): Sharer[] {
  return Object.entries(ctx.config.feeds).flatMap(([feed, { source }]) => {
    if (source === undefined || !isFolder(source) || originOf(source) !== originOf(place)) return [];
    const needs = async (files: Listed[]) => {
      for (const file of files) {
        if (await isNeeded(file, { feed, source }, place.after, ctx)) return file;
      }
      return undefined;
    };
    return [{ feed, source, needs }];
  });
}

async function isNeeded(
  file: Listed,
  { feed, source }: { feed: string; source: FolderSource },
  after: FolderSource['after'],
  ctx: Context,
): Promise<boolean> {
  const pattern = patternIn(source);
  if (!pattern.matches(file.name)) return false;
  if (staysAt(source, file.name)) return true;
  const known = await knownOf(ctx.ledger.db, { origin: originOf(source), identity: identityOf(file) });
  if (after === 'delete' && !known.some(({ state }) => state === 'taken')) return true;
  if (known.some((row) => row.feed === feed)) return false;
  const past = await pastOf(feed, source, ctx);
  const all = severalOf(source) !== null;
  const now = ctx.clock.now();
  const uniqueNames = hasUniqueNames(source);
  const { newest, changes, notes } = choose([file], { pattern, past, uniqueNames, all, now });
  const day = pattern.dateOf(file.name) ?? file.mtimeMs;
  const isDueSoon = notes !== undefined && isAhead(day, now) && !isAhead(day, now + LONGEST_AHEAD);
  return newest !== undefined || isDueSoon || (changes !== undefined && changes.next.length > 0);
}
