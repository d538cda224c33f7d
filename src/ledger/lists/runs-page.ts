import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Outcome } from '../../model.ts';
import type { Ledger } from '../ledger.ts';
import type { Database, RunRow } from '../schema/schema.ts';
import { readPage, type Order, type Page, type PageOf } from './pages.ts';

/** Which runs; times in epoch milliseconds, `until` is left out. */
export type RunFilter = {
  /** The feeds that may be seen; null: all. */
  feeds: readonly string[] | null;
  feed?: string | undefined;
  login?: string | undefined;
  outcomes?: readonly Outcome[] | undefined;
  /** Only those that are still worked on. */
  open?: boolean | undefined;
  since?: number | undefined;
  until?: number | undefined;
  /** Part of the run's id, of its file's name, or of its reason as it was worded. */
  text?: string | undefined;
};

const COLUMNS = [
  'id',
  'feed',
  'login',
  'cause',
  'options',
  'stage',
  'outcome',
  'reason',
  'reason_code',
  'reason_facts',
  'created_at',
  'finished_at',
  'delivery_name',
  'delivery_bytes',
  'rows_sha',
  'counts',
  'account',
] as const satisfies (keyof RunRow)[];

/** What a list shows of a run. */
export type ListedRun = Pick<RunRow, (typeof COLUMNS)[number]>;

const NEWEST_FIRST: Order<ListedRun> = {
  by: [sql.ref('created_at'), sql.ref('id')],
  direction: 'desc',
  keyOf: ({ created_at, id }) => [created_at, id],
};

/** A page of the runs that match, newest first. */
export async function runsPage(
  { db, engine }: Pick<Ledger, 'db' | 'engine'>,
  filter: RunFilter,
  page: PageOf,
): Promise<Page<ListedRun>> {
  const matching = db.selectFrom('runs').where((eb) => matches(eb, filter, engine));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return readPage(matching.select(COLUMNS), total, NEWEST_FIRST, page);
}

function matches(eb: ExpressionBuilder<Database, 'runs'>, filter: RunFilter, engine: Ledger['engine']) {
  const { feeds, feed, login, outcomes, open, since, until, text } = filter;
  const none = sql<boolean>`1 = 0`;
  return eb.and([
    ...(feeds === null ? [] : [feeds.length === 0 ? none : eb('feed', 'in', feeds)]),
    ...(feed === undefined ? [] : [eb('feed', '=', feed)]),
    ...(login === undefined ? [] : [eb('login', '=', login)]),
    ...(outcomes === undefined ? [] : [outcomes.length === 0 ? none : eb('outcome', 'in', outcomes)]),
    // The constant lets the database use the index of open runs, which a parameter would not.
    ...(open === true ? [eb('stage', '<>', sql.lit('done'))] : []),
    ...(since === undefined ? [] : [eb('created_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('created_at', '<', until)]),
    ...(text === undefined || text === ''
      ? []
      : [eb.or(SEARCHED.map((name) => contains(sql.ref(name), text, engine)))]),
  ]);
}

const SEARCHED = ['id', 'delivery_name', 'reason'] as const;

/** Whether a text contains another, without regard to case; on SQLite case counts beyond ASCII. */
function contains(column: Expression<unknown>, text: string, engine: Ledger['engine']): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const like = engine === 'sqlite' ? sql`like` : sql`ilike`;
  return sql<SqlBool>`${column} ${like} ${pattern} escape ${sql.lit('\\')}`;
}
