import { sql, type ExpressionBuilder } from 'kysely';
import { INCIDENTS, SEVERITIES, type IncidentKind } from '../../incidents.ts';
import type { Db } from '../ledger.ts';
import type { Database, IncidentRow } from '../schema/schema.ts';
import { readPage, type Order, type Page, type PageOf } from './pages.ts';

/** Which incidents. */
export type IncidentFilter = {
  /** The feeds whose incidents may be seen, without those of logins as a whole; null: all. */
  feeds: readonly string[] | null;
  /** False: those that are over. */
  open: boolean;
  kinds?: readonly IncidentKind[] | undefined;
  feed?: string | undefined;
  login?: string | undefined;
};

/** The gravest first, among equals the oldest, as `gravestFirst` has them. */
const GRAVEST_FIRST: Order<IncidentRow> = {
  by: [rank(), sql.ref('opened_at'), sql.ref('id')],
  direction: 'asc',
  keyOf: ({ kind, opened_at, id }) => [rankOf(kind), opened_at, id],
};

const LAST_OVER_FIRST: Order<IncidentRow> = {
  by: [sql.ref('recovered_at'), sql.ref('id')],
  direction: 'desc',
  keyOf: ({ recovered_at, id }) => [recovered_at ?? 0, id],
};

/** A page of the incidents that match: the open ones the gravest first, those that are over the newest recovery first. */
export async function incidentsPage(db: Db, filter: IncidentFilter, page: PageOf): Promise<Page<IncidentRow>> {
  const matching = db.selectFrom('incidents').where((eb) => matches(eb, filter));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return readPage(matching.selectAll(), total, filter.open ? GRAVEST_FIRST : LAST_OVER_FIRST, page);
}

function matches(eb: ExpressionBuilder<Database, 'incidents'>, filter: IncidentFilter) {
  const { feeds, open, kinds, feed, login } = filter;
  const none = sql<boolean>`1 = 0`;
  return eb.and([
    eb('recovered_at', open ? 'is' : 'is not', null),
    ...(feeds === null ? [] : [feeds.length === 0 ? none : eb('feed', 'in', feeds)]),
    ...(kinds === undefined ? [] : [kinds.length === 0 ? none : eb('kind', 'in', kinds)]),
    ...(feed === undefined ? [] : [eb('feed', '=', feed)]),
    ...(login === undefined ? [] : [eb('login', '=', login)]),
  ]);
}

function rankOf(kind: IncidentKind): number {
  return SEVERITIES.indexOf(INCIDENTS[kind].severity);
}

/** The rank of a kind, the gravest 0; a kind of a later version comes last. */
function rank() {
  const cases = Object.keys(INCIDENTS).map((kind) => {
    return sql`when ${sql.lit(kind)} then ${sql.lit(rankOf(kind as IncidentKind))}`;
  });
  return sql`case kind ${sql.join(cases, sql` `)} else ${sql.lit(SEVERITIES.length)} end`;
}
