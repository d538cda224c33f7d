import type { RowCounts } from '../model.ts';
import type { Db } from './ledger.ts';
import type { DatasetPart, IntentRow } from './schema.ts';
import { getDataset } from './uploads.ts';

/** A login's newest intent whose dataset was proved live. */
export async function lastProved(db: Db, login: string): Promise<IntentRow | undefined> {
  return db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .selectAll('intents')
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('intents.result', '=', 'met')
    .orderBy('uploads.closed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * How many rows each feed has in the dataset of a login that was proved live last. Fewer than it had when its file was proved,
 * once another feed has won some of its parts.
 */
export async function liveRowsByFeed(db: Db, login: string): Promise<Map<string, number>> {
  const proved = await lastProved(db, login);
  if (proved === undefined) return new Map();
  const accounts = JSON.parse(proved.accounts ?? '{}') as Record<string, RowCounts>;
  const parts = JSON.parse((await getDataset(db, proved.dataset)).parts) as DatasetPart[];
  return new Map(parts.map(({ feed, rows }) => [feed, accounts[feed]?.live ?? rows]));
}
