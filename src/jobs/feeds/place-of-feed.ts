import type { FolderSource, SourceConfig } from '../../config/schema/source-schema.ts';
import { isIndex } from '../../config/schema/sources/web.ts';
import type { Context } from '../../context.ts';
import { lastTaken, type PlaceOfFeed, supersededFiles } from '../../ledger/runs/taken-files.ts';
import { identityOf, type Past } from '../../pull/choose/past.ts';
import { originOf } from '../../pull/source.ts';

/** The place of a feed as the ledger tells it from others. */
export function placeOfFeed(feed: string, source: SourceConfig): PlaceOfFeed {
  return { feed, origin: originOf(source) };
}

/** True for a source whose files are chosen among, and may be moved or deleted once they are taken. */
export function isFolder(source: SourceConfig): source is FolderSource {
  return source.type !== 'http' || isIndex(source);
}

/** What the ledger knows of a feed's place from earlier pulls. */
export async function pastOf(feed: string, source: SourceConfig, { ledger }: Pick<Context, 'ledger'>): Promise<Past> {
  const place = placeOfFeed(feed, source);
  const last = await lastTaken(ledger.db, place);
  const superseded = await supersededFiles(ledger.db, place);
  return { last: last?.listed ?? null, isSuperseded: (file) => superseded.has(identityOf(file)) };
}
