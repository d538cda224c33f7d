import { sql, type ExpressionBuilder } from 'kysely';
import { extentOf, lessGraveThan, type IncidentKind } from '../../incidents.ts';
import type { Db } from '../ledger.ts';
import type { AuditRow, Database, IncidentRow } from '../schema/schema.ts';

/** Who works on an incident, and until when it is quiet, as the ledger keeps it. */
export type WorkColumns = Pick<
  IncidentRow,
  'taken_by' | 'taken_as' | 'taken_at' | 'quiet_until' | 'quiet_ends_at' | 'quiet_at' | 'quiet_by' | 'quiet_ended_at'
>;

/**
 * Changes who works on an open incident, or its quiet, when nobody has done so since `row` was read; false else, and when it is over by
 * then. `at` has to be later than `row.worked_at`.
 */
export async function changeWork(
  trx: Db,
  row: Pick<IncidentRow, 'id' | 'worked_at'>,
  set: Partial<WorkColumns & Pick<IncidentRow, 'holder_told_at' | 'quiet_extent'>>,
  at: number,
): Promise<boolean> {
  const changed = await trx
    .updateTable('incidents')
    .set({ ...set, worked_at: at })
    .where('id', '=', row.id)
    .where('recovered_at', 'is', null)
    .where('worked_at', row.worked_at === null ? 'is' : '=', row.worked_at)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** Ends the quiet of an incident of which more is wrong than when it became quiet. */
export async function endQuietIfGrown(
  db: Db,
  { id, kind, numbers }: Pick<IncidentRow, 'id' | 'kind' | 'numbers'>,
  now: number,
): Promise<void> {
  const extent = extentOf(kind, numbers);
  if (extent === null) return;
  await db
    .updateTable('incidents')
    .set({ quiet_ended_at: now })
    .where(isQuietAt(now))
    .where('id', '=', id)
    .where('quiet_extent', '<', extent)
    .execute();
}

/** Ends the quiet of less grave incidents of a feed, when one of it or of its login as a whole begins; of a login, one of its own. */
export async function endQuietOfLessGrave(
  db: Db,
  { kind, login, feed = null }: { kind: IncidentKind; login: string; feed?: string | null },
  now: number,
): Promise<void> {
  const kinds = lessGraveThan(kind);
  if (kinds.length === 0) return;
  const query = db.updateTable('incidents').set({ quiet_ended_at: now }).where(isQuietAt(now));
  const ofLogin = query.where('kind', 'in', kinds).where('login', '=', login);
  await (feed === null ? ofLogin : ofLogin.where('feed', '=', feed)).execute();
}

/** Ends the quiet of incidents of a feed that lasts until it delivers. */
export async function endQuietOfDelivery(db: Db, feed: string, now: number): Promise<void> {
  const query = db.updateTable('incidents').set({ quiet_ended_at: now }).where(isQuietAt(now));
  await query.where('quiet_until', '=', 'delivery').where('feed', '=', feed).execute();
}

/** Whether an open incident is quiet. */
function isQuietAt(now: number) {
  return (eb: ExpressionBuilder<Database, 'incidents'>) =>
    eb.and([
      eb('recovered_at', 'is', null),
      eb('quiet_at', 'is not', null),
      eb('quiet_ended_at', 'is', null),
      eb.or([eb('quiet_ends_at', 'is', null), eb('quiet_ends_at', '>', now)]),
    ]);
}

/** Names that one statement takes; databases have a limit for them. */
const AT_ONCE = 500;

/** What was done about some incidents, the oldest first. */
export async function workOn(db: Db, ids: readonly string[]): Promise<(AuditRow & { incident: string })[]> {
  const found: (AuditRow & { incident: string })[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('subject', 'in', ids.slice(at, at + AT_ONCE).map(subjectOf))
      .orderBy('at')
      .orderBy('id')
      .execute();
    for (const row of rows) found.push(Object.assign(row, { incident: row.subject.slice(subjectOf('').length) }));
  }
  return found;
}

/** An incident as the audit names it. */
export function subjectOf(id: string): string {
  return `incident ${id}`;
}

/**
 * Whether somebody did something about an incident after `since`: a note or another decision about it, its run, its feed with its runs, or
 * its login. Runs and deliveries are no work on it, and neither is `ingest`, which schedules of the system call.
 */
export async function wasWorkedOn(db: Db, incident: IncidentRow, since: number): Promise<boolean> {
  const { id, login, feed, run } = incident;
  const subjects = [
    subjectOf(id),
    `login ${login}`,
    ...(feed === null ? [] : [`feed ${feed}`]),
    ...(run === null ? [] : [run]),
  ];
  const ofRuns = feed === null ? sql.ref('runs.login') : sql.ref('runs.feed');
  const isOfIt = sql<boolean>`${ofRuns} = ${feed ?? login}`;
  const decided = await db
    .selectFrom('audit')
    .select('audit.id')
    .where('audit.at', '>', since)
    .where('audit.action', 'not in', ['refuse', 'ingest', 'end-request'])
    .where((eb) =>
      eb.or([
        eb('audit.subject', 'in', subjects),
        eb.exists(eb.selectFrom('runs').select('runs.id').whereRef('runs.id', '=', 'audit.subject').where(isOfIt)),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return decided !== undefined;
}
