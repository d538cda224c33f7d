import { sql, type ExpressionBuilder } from 'kysely';
import type { Db } from '../ledger.ts';
import type { AuditRow, Database } from '../schema/schema.ts';
import { readPage, type Order, type Page, type PageOf } from './pages.ts';

/** Which decisions of people; times in epoch milliseconds, `until` is left out. */
export type AuditFilter = {
  /** The feeds whose decisions may be seen, those about their runs and incidents included; null: all, also those about logins and uploads. */
  feeds: readonly string[] | null;
  who?: string | undefined;
  actions?: readonly AuditRow['action'][] | undefined;
  /** As it was recorded: a run, an upload, `feed NAME`, `login NAME`. */
  subject?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
};

const NEWEST_FIRST: Order<AuditRow> = {
  by: [sql.ref('at'), sql.ref('id')],
  direction: 'desc',
  keyOf: ({ at, id }) => [at, id],
};

/** A page of the decisions that match, newest first. */
export async function auditPage(db: Db, filter: AuditFilter, page: PageOf): Promise<Page<AuditRow>> {
  const matching = db.selectFrom('audit').where((eb) => matches(eb, filter));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return readPage(matching.selectAll(), total, NEWEST_FIRST, page);
}

function matches(eb: ExpressionBuilder<Database, 'audit'>, filter: AuditFilter) {
  const { feeds, who, actions, subject, since, until } = filter;
  const none = sql<boolean>`1 = 0`;
  return eb.and([
    ...(feeds === null ? [] : [feeds.length === 0 ? none : isOf(eb, feeds)]),
    ...(who === undefined ? [] : [eb('who', '=', who)]),
    ...(actions === undefined ? [] : [actions.length === 0 ? none : eb('action', 'in', actions)]),
    ...(subject === undefined ? [] : [eb('subject', '=', subject)]),
    ...(since === undefined ? [] : [eb('at', '>=', since)]),
    ...(until === undefined ? [] : [eb('at', '<', until)]),
  ]);
}

/** About one of the feeds, or a run or an incident of one. */
function isOf(eb: ExpressionBuilder<Database, 'audit'>, feeds: readonly string[]) {
  const run = eb
    .selectFrom('runs')
    .select('runs.id')
    .whereRef('runs.id', '=', 'audit.subject')
    .where('runs.feed', 'in', feeds);
  const subjects = feeds.map((feed) => `feed ${feed}`);
  const incident = eb
    .selectFrom('incidents')
    .select('incidents.id')
    .where(sql<boolean>`audit.subject = 'incident ' || incidents.id`)
    .where('incidents.feed', 'in', feeds);
  return eb.or([eb('subject', 'in', subjects), eb.exists(run), eb.exists(incident)]);
}
