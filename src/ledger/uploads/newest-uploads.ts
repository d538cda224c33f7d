import type { Db } from '../ledger.ts';
import { named } from '../named.ts';
import type { AcceptedUpload } from './accepted-uploads.ts';

/** A login's newest upload that was proved live, and its newest one that the service called a success; null where there is none. */
export type NewestUploads = { verified: AcceptedUpload | null; success: AcceptedUpload | null };

/** What `lastVerified` and `latestAccepted` say, of each of some logins. */
export async function newestUploads(db: Db, logins: readonly string[]): Promise<Map<string, NewestUploads>> {
  if (logins.length === 0) return new Map();
  const rows = await db
    .selectFrom(named(logins))
    .select((eb) => {
      const newest = eb
        .selectFrom('uploads')
        .select('uploads.id')
        .whereRef('uploads.login', '=', 'named.column1')
        .where('uploads.state', '=', 'success')
        .orderBy('uploads.closed_at', 'desc')
        .limit(1);
      const met = newest.innerJoin('intents', 'intents.id', 'uploads.intent').where('intents.result', '=', 'met');
      return ['named.column1 as login', newest.as('success'), met.as('verified')];
    })
    .execute();
  const accepted = await acceptedBy(
    db,
    rows.flatMap(({ success, verified }) => [success, verified]).filter((id) => id !== null),
  );
  const find = (id: string | null) => (id === null ? null : (accepted.get(id) ?? null));
  return new Map(
    rows.map(({ login, success, verified }) => [login, { verified: find(verified), success: find(success) }]),
  );
}

/** Uploads with their intents and datasets, by the uploads' ids. */
async function acceptedBy(db: Db, ids: readonly string[]): Promise<Map<string, AcceptedUpload>> {
  if (ids.length === 0) return new Map();
  const uploads = await db.selectFrom('uploads').selectAll().where('id', 'in', ids).execute();
  const ofIntents = uploads.map(({ intent }) => intent);
  const intents = await db.selectFrom('intents').selectAll().where('id', 'in', ofIntents).execute();
  const ofDatasets = intents.map(({ dataset }) => dataset);
  const datasets = await db.selectFrom('datasets').selectAll().where('id', 'in', ofDatasets).execute();
  const intentBy = new Map(intents.map((intent) => [intent.id, intent]));
  const datasetBy = new Map(datasets.map((dataset) => [dataset.id, dataset]));
  return new Map(
    uploads.flatMap((upload) => {
      const intent = intentBy.get(upload.intent);
      const dataset = datasetBy.get(intent?.dataset ?? '');
      return intent === undefined || dataset === undefined ? [] : [[upload.id, { upload, intent, dataset }] as const];
    }),
  );
}
