import { OfferlineError } from '../../errors.ts';
import { randomCode, timeId } from '../ids.ts';
import { successorMark } from '../maintenance/restored.ts';
import type { Db } from '../ledger.ts';
import { OPEN_STATES, type IntentRow, type UploadRow } from '../schema/schema.ts';

/** The intent's newest attempt, if there is one. */
export async function newestAttempt(db: Db, intent: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('intent', '=', intent)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All attempts at an intent, oldest first. */
export async function attemptsOf(db: Db, intent: string): Promise<UploadRow[]> {
  return db.selectFrom('uploads').selectAll().where('intent', '=', intent).orderBy('attempt').execute();
}

/** Letters and digits of a token that are its own. */
const TOKEN = 12;

/** Records the next attempt at an intent, with a token of its own. The database refuses a second unfinished one. */
export async function createAttempt(
  db: Db,
  intent: IntentRow,
  attempt: number,
  now: number,
  set: Partial<Pick<UploadRow, 'next_at' | 'wait_ms' | 'note'>> = {},
): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({
      id: timeId(now),
      intent: intent.id,
      login: intent.login,
      attempt,
      token: randomCode(TOKEN) + (await successorMark(db)),
      state: 'intended',
      adopted: 0,
      looks: 0,
      waits: 0,
      next_at: 0,
      wait_ms: 0,
      watched_ms: 0,
      created_at: now,
      ...set,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many attempts of an intent were given up because looks saw nothing of them. */
export async function lostBySilence(db: Db, intent: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('intent', '=', intent)
    .where('state', '=', 'lost')
    .where('looks', '>', 0)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Changes columns of an upload. One that is closed later gets the later time, also after a clock was set back: it says
 * what is live. Call it under the login's lease.
 */
export async function updateUpload(db: Db, id: string, set: Partial<Omit<UploadRow, 'id'>>): Promise<void> {
  const { closed_at } = set;
  const closed = typeof closed_at === 'number' ? { closed_at: Math.max(closed_at, await closedBefore(db, id)) } : {};
  await db
    .updateTable('uploads')
    .set({ ...set, ...closed })
    .where('id', '=', id)
    .execute();
}

/** The first time after every other upload of the login was closed. */
async function closedBefore(db: Db, id: string): Promise<number> {
  const { newest } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.max('closed_at').as('newest'))
    .where('id', '<>', id)
    .where('login', '=', (eb) => eb.selectFrom('uploads as this').select('this.login').where('this.id', '=', id))
    .executeTakeFirstOrThrow();
  return (newest ?? -1) + 1;
}

/**
 * Ends the pause of the login's open upload, if it is one between two questions to the service: a caller with news
 * wants an answer of now, not one from before a service came back. Safe without the lease: only the pause is cut.
 */
export async function hurryUpload(db: Db, login: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ next_at: 0 })
    .where('login', '=', login)
    .where('state', 'in', ['intended', 'submitted'])
    // A pause after lost attempts is another kind: no news makes the service show what it swallowed.
    .where((eb) => eb.or([eb('state', '=', 'submitted'), eb('attempt', '<=', 2), eb('waits', '>', 0)]))
    .execute();
}

/** The tokens of an intent's attempts, newest first: a record that carries one of them met the intent. */
export async function tokensOfIntent(db: Db, intent: string): Promise<[string, ...string[]]> {
  const rows = await db
    .selectFrom('uploads')
    .select('token')
    .where('intent', '=', intent)
    .orderBy('attempt', 'desc')
    .execute();
  const [newest, ...older] = rows.map((row) => row.token);
  if (newest === undefined) throw new OfferlineError('internal', `Intent ${intent} has no attempt.`);
  return [newest, ...older];
}

/** The tokens of the login's other intents: a record that carries one is ours, but not this intent's. */
export async function otherTokens(db: Db, intent: IntentRow): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('token')
    .where('login', '=', intent.login)
    .where('intent', '<>', intent.id)
    .execute();
  return rows.map((row) => row.token);
}

/** When the login's upload with this id of the service's was closed; null while it is open, and of one that is not known. */
export async function closedAt(db: Db, login: string, offerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('uploads')
    .select('closed_at')
    .where('login', '=', login)
    .where('offer_id', '=', offerId)
    .orderBy('closed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.closed_at ?? null;
}

/** An upload by its id, its token or the service's offer id; an unknown name is a user's mistake. */
export async function findUpload(db: Db, name: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', name), eb('token', '=', name), eb('offer_id', '=', name)]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) {
    throw new OfferlineError(
      'not-found',
      `There is no upload ${name}; \`offerline logins\` shows those that are open, \`offerline rollback LOGIN --list\` those that were live.`,
    );
  }
  return row;
}

/** The unfinished upload of a login, if there is one. */
export async function openUpload(db: Db, login: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('login', '=', login)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst();
}

/** The newest upload of a login, if there is one. */
export async function newestUploadOf(db: Db, login: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('login', '=', login)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
