import type { RowCounts } from '../model.ts';
import type { Db } from './ledger.ts';
import type { DatasetPart } from './schema.ts';
import type { GoodUpload } from './good-uploads.ts';
import { getDataset, getIntent } from './intents.ts';

/** A login's newest upload whose dataset was proved live; a newer one may have been accepted and not proved. */
export async function lastProved(db: Db, login: string): Promise<GoodUpload | undefined> {
  const upload = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .selectAll('uploads')
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('intents.result', '=', 'met')
    .orderBy('uploads.closed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (upload === undefined) return undefined;
  const intent = await getIntent(db, upload.intent);
  return { upload, intent, dataset: await getDataset(db, intent.dataset) };
}

/**
 * How many rows each feed has in the dataset of a login that was proved live last. Fewer than it had when its file was proved,
 * once another feed has won some of its parts.
 */
export async function liveRowsByFeed(db: Db, login: string): Promise<Map<string, number>> {
  const proved = await lastProved(db, login);
  if (proved === undefined) return new Map();
  const accounts = JSON.parse(proved.intent.accounts ?? '{}') as Record<string, RowCounts>;
  const parts = JSON.parse(proved.dataset.parts) as DatasetPart[];
  return new Map(parts.map(({ feed, rows }) => [feed, accounts[feed]?.live ?? rows]));
}
