import { sql, type ExpressionBuilder } from 'kysely';
import type { Db } from '../ledger.ts';
import type { MailSubject } from '../schema/json-values.ts';
import type { Database, MailRow } from '../schema/schema.ts';

/** The id of the one digest to an address on a day (`2026-05-04`). */
export function digestId(every: 'daily' | 'weekly' | 'monthly', day: string, recipient: string): string {
  return `${every} ${day} ${recipient.toLowerCase()}`;
}

/** The longest wait before the next try: a time further ahead comes from a clock that was set back since. */
export const LONGEST_WAIT = 3_600_000;

/** How long a mail belongs to the worker that sends it; one that was killed meanwhile left it to the next after that. */
const CLAIM = 120_000;

/** Queues a mail; the same id is queued once. */
export async function queueMail(
  db: Db,
  mail: { id: string; recipient: string; about: MailSubject },
  now: number,
): Promise<boolean> {
  const { id, recipient, about } = mail;
  const added = await db
    .insertInto('mails')
    .values({
      id,
      recipient,
      run: about.of === 'run' ? about.run : null,
      about,
      at: now,
      tries: 0,
      next_at: 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** The mails that may be sent now, oldest first. */
export async function mailsToSend(db: Db, now: number): Promise<MailRow[]> {
  return unsent(db).where(isDue(now)).orderBy('at').orderBy('id').execute();
}

/** Claims a mail for sending; false when another worker has it or has sent it. */
export async function claimMail(db: Db, id: string, now: number): Promise<boolean> {
  const claimed = await db
    .updateTable('mails')
    .set((eb) => ({ tries: eb('tries', '+', 1), next_at: now + CLAIM }))
    .where('id', '=', id)
    .where('sent_to', 'is', null)
    .where('given_up_at', 'is', null)
    .where(isDue(now))
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** Records where a mail went and, of one that only an outbox has, the message itself. */
export async function mailSent(db: Db, id: string, where: string, messageSha: string | null): Promise<void> {
  const set = { sent_to: where, error: null, message_sha: messageSha };
  await db.updateTable('mails').set(set).where('id', '=', id).execute();
}

/** Records that a mail could not be sent: it is tried again at a time, or was given up at one; false where another worker has sent it meanwhile. */
export async function mailFailed(
  db: Db,
  id: string,
  error: string,
  then: { nextAt: number } | { givenUpAt: number },
): Promise<boolean> {
  const set = 'nextAt' in then ? { next_at: then.nextAt } : { given_up_at: then.givenUpAt };
  const { numUpdatedRows: done } = await db
    .updateTable('mails')
    .set({ error, ...set })
    .where('id', '=', id)
    .where('sent_to', 'is', null)
    .executeTakeFirst();
  return done > 0n;
}

/** Makes a run's unsent mails due now, also those that were given up. */
export async function hurryMails(db: Db, run: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ next_at: 0, given_up_at: null })
    .where('run', '=', run)
    .where('sent_to', 'is', null)
    .where('error', 'is not', null)
    .execute();
}

/** Which of some mails were ever queued, by their ids. */
export async function queuedMails(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('mails').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The mails of some runs, with where they went. */
export async function mailsOf(db: Db, runs: string[]): Promise<MailRow[]> {
  if (runs.length === 0) return [];
  return db.selectFrom('mails').selectAll().where('run', 'in', runs).orderBy('id').execute();
}

/** The newest mails, also those that are not sent yet: of one run, or of all. */
export async function newestMails(
  db: Db,
  { run, limit }: { run?: string | undefined; limit: number },
): Promise<MailRow[]> {
  const query = db.selectFrom('mails').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  return (run === undefined ? query : query.where('run', '=', run)).execute();
}

/** The mail of an id, or the only one that has a text in its id. */
export async function findMail(db: Db, text: string): Promise<MailRow | undefined> {
  const exact = await db.selectFrom('mails').selectAll().where('id', '=', text).executeTakeFirst();
  if (exact !== undefined || text === '') return exact;
  // What stands for anything in a pattern stands for itself in an id.
  const part = `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
  const fits = sql<boolean>`${sql.ref('id')} like ${part} escape '\\'`;
  const [only, ...others] = await db.selectFrom('mails').selectAll().where(fits).limit(2).execute();
  return others.length === 0 ? only : undefined;
}

/** The mails that could not be sent yet, and those that were given up after a given time; newest first. */
export async function failingMails(db: Db, since: number): Promise<{ waiting: MailRow[]; givenUp: MailRow[] }> {
  const waiting = await unsent(db).where('error', 'is not', null).orderBy('at', 'desc').execute();
  const givenUp = await db
    .selectFrom('mails')
    .selectAll()
    .where('given_up_at', '>', since)
    .orderBy('given_up_at', 'desc')
    .execute();
  return { waiting, givenUp };
}

function isDue(now: number) {
  return (eb: ExpressionBuilder<Database, 'mails'>) =>
    eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + LONGEST_WAIT)]);
}

function unsent(db: Db) {
  return db.selectFrom('mails').selectAll().where('sent_to', 'is', null).where('given_up_at', 'is', null);
}
