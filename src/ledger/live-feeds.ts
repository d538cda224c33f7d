import { own } from '../dictionary.ts';
import type { RowCounts } from '../model.ts';
import type { Db } from './ledger.ts';
import type { DatasetPart } from './schema.ts';
import { lastProved, liveUpload } from './good-uploads.ts';

/** What the feeds of a login have live, as far as it is proved. */
export type LiveFeeds = {
  /**
   * How many rows each feed has in the dataset that was proved live last. Fewer than it had when its file was proved, once
   * another feed has won some of its parts.
   */
  rows: Map<string, number>;
  /** The upload of that dataset. */
  offerId: string | null;
  /** A newer upload that the service accepted and no receipt proved. */
  unproved: string | null;
};

/** What the feeds of a login have live. */
export async function liveFeeds(db: Db, login: string): Promise<LiveFeeds> {
  const newest = await liveUpload(db, login);
  const unproved = newest === undefined || newest.intent.result === 'met' ? null : newest.upload.offer_id;
  const proved = await lastProved(db, login);
  if (proved === undefined) return { rows: new Map(), offerId: null, unproved };
  const accounts = JSON.parse(proved.intent.accounts ?? '{}') as Record<string, RowCounts>;
  const parts = JSON.parse(proved.dataset.parts) as DatasetPart[];
  const rows = new Map(parts.map(({ feed, rows: sent }) => [feed, own(accounts, feed)?.live ?? sent]));
  return { rows, offerId: proved.upload.offer_id, unproved };
}
