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
import { endQuietIfGrown, endQuietOfLessGrave } from './incident-work.ts';
import type { Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';

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
  const { kind, login, feed = null, run = null, cause = '', numbers = {} } = incident;
  const subject = subjectOf(incident);
  await adopt(db, incident);
  const replaced = await db
    .updateTable('incidents')
    .set({ recovered_at: now, recovery: 'replaced by another of its kind', settled_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('recovered_at', 'is', null)
    .where('cause', '<>', cause)
    .returning(['taken_by', 'taken_as', 'taken_at', 'holder_told_at', 'worked_at'])
    .executeTakeFirst();
  const id = timeId(now);
  const facts = { ...reasonColumns(incident.reason), numbers, seen_at: now };
  const kept = await db
    .insertInto('incidents')
    // Whoever works on the one before goes on with this one.
    .values({ id, kind, subject, login, feed, run, cause, opened_at: now, times: 1, ...facts, ...replaced })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('recovered_at', 'is', null)
        .doUpdateSet((eb) => ({ ...facts, times: eb('incidents.times', '+', 1) })),
    )
    .returning(['id', 'kind', 'numbers'])
    .executeTakeFirstOrThrow();
  const isNew = kept.id === id;
  if (isNew) await endQuietOfLessGrave(db, incident, now);
  else await endQuietIfGrown(db, kept, now);
  return isNew;
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
  const ended = await db
    .updateTable('incidents')
    .set({ recovered_at: now, recovery: text, recovered_run: run })
    .where('kind', '=', kind)
    .where('subject', '=', subjectOf(what))
    .where('recovered_at', 'is', null)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}

/** Changes the reason of an open incident, without announcing it again. */
export async function reword(
  db: Db,
  id: string,
  { run, reason, numbers }: Required<Pick<Raise, 'run' | 'reason' | 'numbers'>>,
): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ run, ...reasonColumns(reason), numbers })
    .where('id', '=', id)
    .where('recovered_at', 'is', null)
    .execute();
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
