import type { IncidentFacts, IncidentKind } from '../../incidents.ts';
import type { Cause, Outcome } from '../../model.ts';
import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';

/** What an incident is about: a feed, or without one its login as a whole. */
export type IncidentSubject = { kind: IncidentKind; login: string; feed?: string | null };

/** Something that is wrong now. */
export type Raise = IncidentSubject & {
  /** What is wrong, in one sentence without a full stop, with the numbers that people need. */
  text: string;
  /** The run that brought it; its report goes with the mail. */
  run?: string | null;
  /** What tells this incident from another of its kind: a new cause takes the place of the old one and is told anew. */
  cause?: string;
  /** Facts for the JSON answers and the mail: `{ rows: 3, since: 1763… }`. Never a secret. */
  numbers?: Record<string, number | string | null>;
};

/**
 * Says that something is wrong, and answers whether that is news. Raising it again changes its text and numbers only, however
 * many workers do so: the database allows one open incident of a kind and subject. Mails go out afterwards, by
 * `tellIncidents`. Call it in the transaction that records what went wrong, where there is one.
 */
export async function raise(db: Db, incident: Raise, now: number): Promise<boolean> {
  const { kind, login, feed = null, run = null, text, cause = '', numbers = {} } = incident;
  const subject = subjectOf(incident);
  await db
    .updateTable('incidents')
    .set({ recovered_at: now, recovery: 'another of its kind took its place', settled_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('recovered_at', 'is', null)
    .where('cause', '<>', cause)
    .execute();
  const id = timeId(now);
  const facts = { text, numbers, seen_at: now };
  const kept = await db
    .insertInto('incidents')
    .values({ id, kind, subject, login, feed, run, cause, opened_at: now, times: 1, ...facts })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('recovered_at', 'is', null)
        .doUpdateSet((eb) => ({ ...facts, times: eb('incidents.times', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return kept.id === id;
}

/**
 * Says that something is right again, in one sentence, and answers whether it was wrong. Repeating it changes nothing. `run`:
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

/** Changes what is said of an open incident, which nobody is told anew for. */
export async function reword(
  db: Db,
  id: string,
  { run, text, numbers }: Required<Pick<Raise, 'run' | 'text' | 'numbers'>>,
): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ run, text, numbers })
    .where('id', '=', id)
    .where('recovered_at', 'is', null)
    .execute();
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

/** Incidents by what ops ask for, the open ones unless `all`; the oldest first. */
export async function listIncidents(
  db: Db,
  filter: { all?: boolean; login?: string; feed?: string; kind?: IncidentKind } = {},
): Promise<IncidentRow[]> {
  let query = db.selectFrom('incidents').selectAll();
  if (filter.all !== true) query = query.where('recovered_at', 'is', null);
  if (filter.login !== undefined) query = query.where('login', '=', filter.login);
  if (filter.feed !== undefined) query = query.where('feed', '=', filter.feed);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  return query.orderBy('opened_at').orderBy('id').execute();
}

/** A row as people read it. */
export function factsOf({ kind, login, feed, run, text, numbers }: IncidentRow): IncidentFacts {
  const { outcome = null, cause } = numbers as { outcome?: Outcome | null; cause?: Cause };
  return { kind, login, feed, run, text, ended: cause === undefined ? null : { outcome, cause } };
}

function subjectOf({ login, feed }: IncidentSubject): string {
  return feed === undefined || feed === null ? `login ${login}` : `feed ${feed}`;
}
