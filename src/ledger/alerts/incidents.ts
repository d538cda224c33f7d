import { INSTALLATION, type IncidentFacts, type IncidentKind } from '../../incidents.ts';
import type { Cause, Outcome } from '../../model.ts';
import {
  INCIDENT_REASONS,
  reasonSentence,
  reasonOfIncident,
  shownText,
  type IncidentReason,
} from '../../wording/reasons/incident-reasons.ts';
import { readReason, storeReason } from '../../wording/reasons/reason.ts';
import { timeId } from '../ids.ts';
import { noteEvent } from '../hooks/events.ts';
import { endQuietIfGrown, endQuietOfLessGrave } from './incident-work.ts';
import { inTransaction, type Db } from '../ledger.ts';
import type { IncidentChange, IncidentRow, IncidentThen } from '../schema/schema.ts';

/** What an incident is about: a feed, or without one its login as a whole, or the installation. */
export type IncidentSubject = { kind: IncidentKind; login: string; feed?: string | null };

/** Something that is wrong now. */
export type Raise = IncidentSubject & {
  /** What is wrong: a code and the facts that its sentence needs. */
  reason: IncidentReason;
  /** The run that brought it; its report goes with the mail. */
  run?: string | null;
  /** What distinguishes this incident from another of its kind: a new cause replaces the old one and is announced. */
  cause?: string;
  /** Whether an open incident with another cause is the same all the same: it takes this cause, and nothing is announced. */
  isSame?: (open: IncidentRow) => boolean;
  /** Facts for the JSON answers and the mail: `{ rows: 3, since: 1763… }`. Never a secret. */
  numbers?: Record<string, number | string | null>;
};

/**
 * Records that something is wrong, and returns whether that is new. Raising it again changes its reason and numbers only, however
 * many workers do so: the database allows one open incident of a kind and subject. Mails are decided afterwards, by
 * `notifyOfIncidents`. Call it in the transaction that records what went wrong, where there is one.
 */
export async function raise(db: Db, incident: Raise, now: number): Promise<boolean> {
  return inTransaction(db, (trx) => raiseIn(trx, incident, now));
}

async function raiseIn(trx: Db, incident: Raise, now: number): Promise<boolean> {
  const { kind, login, feed = null, run = null, cause = '', numbers = {} } = incident;
  const subject = subjectOf(incident);
  await adopt(trx, incident);
  const replaced = await trx
    .updateTable('incidents')
    .set({ recovered_at: now, recovery: 'replaced by another of its kind', settled_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('recovered_at', 'is', null)
    .where('cause', '<>', cause)
    .returningAll()
    .executeTakeFirst();
  if (replaced !== undefined) await tellHooks(trx, 'incident.closed', replaced, now);
  const before = await openIncident(trx, incident);
  const id = timeId(now);
  const facts = { ...reasonColumns(incident.reason), numbers, seen_at: now };
  const kept = await trx
    .insertInto('incidents')
    // Whoever works on the one before goes on with this one.
    .values({ id, kind, subject, login, feed, run, cause, opened_at: now, times: 1, ...facts, ...workOf(replaced) })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('recovered_at', 'is', null)
        .doUpdateSet((eb) => ({ ...facts, times: eb('incidents.times', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const isNew = kept.id === id;
  if (isNew) {
    await endQuietOfLessGrave(trx, incident, now);
    await tellHooks(trx, 'incident.opened', kept, now);
  } else {
    await endQuietIfGrown(trx, kept, now);
    if (before !== undefined && gistOf(before) !== gistOf(kept)) await tellOfChange(trx, kept, 'reason', now);
  }
  return isNew;
}

/** Who works on an incident. */
function workOf(row: IncidentRow | undefined) {
  if (row === undefined) return {};
  const { taken_by, taken_as, taken_at, holder_told_at, worked_at } = row;
  return { taken_by, taken_as, taken_at, holder_told_at, worked_at };
}

/** What makes an incident another one for its readers; the counts and times in its reason change all the time. */
function gistOf({ reason_code, numbers }: IncidentRow): string {
  return [reason_code, numbers['outcome'], numbers['cause']].join(' ');
}

/** Tells hooks that an open incident has changed. Call it after the change, in its transaction. */
export async function tellOfChange(trx: Db, row: IncidentRow, change: IncidentChange, now: number): Promise<void> {
  await tellHooks(trx, 'incident.changed', row, now, change);
}

async function tellHooks(
  trx: Db,
  event: 'incident.opened' | 'incident.changed' | 'incident.closed',
  row: IncidentRow,
  at: number,
  change: IncidentChange | null = null,
): Promise<void> {
  const incident = incidentThen(row);
  // The next one of its kind is told after it is over.
  const subject = `incident ${row.kind} ${row.subject}`;
  await noteEvent(trx, { event, subject, at, facts: { of: 'incident', incident, change } });
}

/** Gives an open incident that is the same under another cause, as an earlier version wrote it, the cause of now. */
async function adopt(db: Db, incident: Raise): Promise<void> {
  const { cause = '', isSame } = incident;
  if (isSame === undefined) return;
  const open = await openIncident(db, incident);
  if (open === undefined || open.cause === cause || !isSame(open)) return;
  await db
    .updateTable('incidents')
    .set({ cause })
    .where('id', '=', open.id)
    .where('cause', '=', open.cause)
    .where('recovered_at', 'is', null)
    .execute();
}

function reasonColumns(reason: IncidentReason) {
  return { text: reasonSentence(reason), ...storeReason(reason) };
}

/**
 * Records that something is right again, in one sentence, and returns whether it was wrong. Repeating it changes nothing. `run`:
 * the run that brought the recovery.
 */
export async function recover(
  db: Db,
  what: IncidentSubject & { text: string; run?: string | null },
  now: number,
): Promise<boolean> {
  const { kind, text, run = null } = what;
  // Most often nothing was wrong, and nothing is to be written.
  if ((await openIncident(db, what)) === undefined) return false;
  return inTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('incidents')
      .set({ recovered_at: now, recovery: text, recovered_run: run })
      .where('kind', '=', kind)
      .where('subject', '=', subjectOf(what))
      .where('recovered_at', 'is', null)
      .returningAll()
      .execute();
    for (const row of ended) await tellHooks(trx, 'incident.closed', row, now);
    return ended.length > 0;
  });
}

/** Changes the reason of an open incident, without a mail that announces it again. */
export async function reword(
  db: Db,
  id: string,
  { run, reason, numbers }: Required<Pick<Raise, 'run' | 'reason' | 'numbers'>>,
  now: number,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const changed = await trx
      .updateTable('incidents')
      .set({ run, ...reasonColumns(reason), numbers })
      .where('id', '=', id)
      .where('recovered_at', 'is', null)
      .returningAll()
      .execute();
    for (const row of changed) await tellOfChange(trx, row, 'reason', now);
  });
}

/** An incident by its id, whether or not it is over. */
export async function findIncident(db: Db, id: string): Promise<IncidentRow | undefined> {
  return db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The open incident of a kind and subject, if there is one. */
export async function openIncident(db: Db, what: IncidentSubject): Promise<IncidentRow | undefined> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where('kind', '=', what.kind)
    .where('subject', '=', subjectOf(what))
    .where('recovered_at', 'is', null)
    .executeTakeFirst();
}

/** The open incidents of some kinds, of all logins and feeds. */
export async function openOfKinds(db: Db, kinds: readonly IncidentKind[]): Promise<IncidentRow[]> {
  return db.selectFrom('incidents').selectAll().where('kind', 'in', kinds).where('recovered_at', 'is', null).execute();
}

/** Incidents by what ops ask for, the open ones unless `all`; the oldest first. */
export async function listIncidents(
  db: Db,
  filter: { all?: boolean; login?: string; feed?: string; feeds?: readonly string[]; kind?: IncidentKind } = {},
): Promise<IncidentRow[]> {
  if (filter.feeds?.length === 0) return [];
  let query = db.selectFrom('incidents').selectAll();
  if (filter.all !== true) query = query.where('recovered_at', 'is', null);
  if (filter.login !== undefined) query = query.where('login', '=', filter.login);
  if (filter.feed !== undefined) query = query.where('feed', '=', filter.feed);
  if (filter.feeds !== undefined) query = query.where('feed', 'in', filter.feeds);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  return query.orderBy('opened_at').orderBy('id').execute();
}

/** The facts of an incident's reason, when it has that code. */
export function reasonOf<Code extends IncidentReason['code']>(
  incident: IncidentRow,
  code: Code,
): Extract<IncidentReason, { code: Code }> | null {
  const reason = readReason(INCIDENT_REASONS, incident);
  return reason?.code === code ? (reason as Extract<IncidentReason, { code: Code }>) : null;
}

/** What is told of an incident as it is now. */
export function incidentThen(row: IncidentRow): IncidentThen {
  const { id, opened_at: openedAt, recovered_at: recoveredAt, recovery, times, numbers } = row;
  const taken = row.taken_by === null || row.taken_at === null ? null : { by: row.taken_by, at: row.taken_at };
  return { id, ...factsOf(row), openedAt, recoveredAt, recovery, times, numbers, taken };
}

/** A row as people read it. */
export function factsOf(row: IncidentRow): IncidentFacts {
  const { kind, login, feed, run, numbers } = row;
  const { outcome = null, cause } = numbers as { outcome?: Outcome | null; cause?: Cause };
  const reason = reasonOfIncident(row);
  return {
    kind,
    login,
    feed,
    run,
    text: shownText(row, reason),
    reason,
    ended: cause === undefined ? null : { outcome, cause },
  };
}

function subjectOf({ login, feed }: IncidentSubject): string {
  if (feed !== undefined && feed !== null) return `feed ${feed}`;
  return login === INSTALLATION ? 'installation' : `login ${login}`;
}
