import { sql } from 'kysely';
import type { Db } from '../ledger.ts';
import { OPEN_STATES, type UploadRow } from '../schema/schema.ts';

/** An unfinished upload, and how many rows its dataset has. */
export type OpenUpload = { upload: UploadRow; rows: number };

/** The unfinished uploads of all logins, by login. */
export async function openUploads(db: Db): Promise<Map<string, OpenUpload>> {
  const found = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .selectAll('uploads')
    .select('datasets.rows')
    // Constants let the database use the index of open uploads, which parameters would not.
    .where(
      'uploads.state',
      'in',
      OPEN_STATES.map((state) => sql.lit(state)),
    )
    .execute();
  return new Map(found.map(({ rows, ...upload }) => [upload.login, { upload, rows }]));
}

/** The newest attempts at the open intents of some logins, by login; an intent without attempts is left out. */
export async function openAttempts(
  db: Db,
  logins: readonly string[],
): Promise<Map<string, Pick<UploadRow, 'login' | 'state' | 'token' | 'offer_id'>>> {
  if (logins.length === 0) return new Map();
  const rows = await db
    .selectFrom('intents')
    .innerJoin('uploads', 'uploads.intent', 'intents.id')
    .select(['uploads.login', 'uploads.state', 'uploads.token', 'uploads.offer_id'])
    .where('intents.result', 'is', null)
    .where('intents.login', 'in', logins)
    .orderBy('uploads.attempt')
    .execute();
  return new Map(rows.map((row) => [row.login, row]));
}
