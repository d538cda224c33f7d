import { sql, type ExpressionBuilder } from 'kysely';
import type { UploadState } from '../../model.ts';
import type { Db } from '../ledger.ts';
import { OPEN_STATES, type Database, type DatasetRow, type IntentRow, type UploadRow } from '../schema/schema.ts';
import { readPage, type Order, type Page, type PageOf } from './pages.ts';

/** Which uploads; times in epoch milliseconds, `until` is left out. */
export type UploadFilter = {
  /** The logins that may be seen; null: all. */
  logins: readonly string[] | null;
  login?: string | undefined;
  states?: readonly UploadState[] | undefined;
  /** Only those that are not closed. */
  open?: boolean | undefined;
  since?: number | undefined;
  until?: number | undefined;
};

const COLUMNS = [
  'id',
  'intent',
  'login',
  'attempt',
  'token',
  'state',
  'offer_id',
  'adopted',
  'note',
  'service_state',
  'error',
  'lines_processed',
  'created_at',
  'sent_at',
  'closed_at',
] as const satisfies (keyof UploadRow)[];

/** What a list shows of an upload, of the intent that it is an attempt at, and of its dataset. */
export type ListedUpload = Pick<UploadRow, (typeof COLUMNS)[number]> &
  Pick<IntentRow, 'cause' | 'rollback_to' | 'result' | 'receipt' | 'rejected_rows'> &
  Pick<DatasetRow, 'rows' | 'bytes' | 'parts'>;

const NEWEST_FIRST: Order<ListedUpload> = {
  by: [sql.ref('uploads.created_at'), sql.ref('uploads.id')],
  direction: 'desc',
  keyOf: ({ created_at, id }) => [created_at, id],
};

/** A page of the uploads that match, newest first. */
export async function uploadsPage(db: Db, filter: UploadFilter, page: PageOf): Promise<Page<ListedUpload>> {
  const { total } = await db
    .selectFrom('uploads')
    .where((eb) => matches(eb, filter))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const query = db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .where((eb) => matches(eb, filter))
    .select(COLUMNS.map((name) => `uploads.${name}` as const))
    .select(['intents.cause', 'intents.rollback_to', 'intents.result', 'intents.receipt', 'intents.rejected_rows'])
    .select(['datasets.rows', 'datasets.bytes', 'datasets.parts']);
  return readPage(query, total, NEWEST_FIRST, page);
}

function matches(eb: ExpressionBuilder<Database, 'uploads'>, filter: UploadFilter) {
  const { logins, login, states, open, since, until } = filter;
  const none = sql<boolean>`1 = 0`;
  // Constants let the database use the index of open uploads, which parameters would not.
  const unfinished = OPEN_STATES.map((state) => sql.lit(state));
  return eb.and([
    ...(logins === null ? [] : [logins.length === 0 ? none : eb('uploads.login', 'in', logins)]),
    ...(login === undefined ? [] : [eb('uploads.login', '=', login)]),
    ...(states === undefined ? [] : [states.length === 0 ? none : eb('uploads.state', 'in', states)]),
    ...(open === true ? [eb('uploads.state', 'in', unfinished)] : []),
    ...(since === undefined ? [] : [eb('uploads.created_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('uploads.created_at', '<', until)]),
  ]);
}
