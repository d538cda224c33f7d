import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { AbsenceRow } from '../schema/schema.ts';

/** Days of a feed on which nothing is delivered. */
type Absence = Pick<AbsenceRow, 'feed' | 'first_day' | 'last_day'>;

/** Records days on which a supplier delivers nothing; false when the same days are recorded already. */
export async function addAbsence(db: Db, absence: Omit<AbsenceRow, 'id' | 'revoked_at'>): Promise<boolean> {
  if ((await sameAbsence(db, absence)) !== undefined) return false;
  await db
    .insertInto('absences')
    .values({ id: timeId(absence.at), ...absence, revoked_at: null })
    .execute();
  return true;
}

/** Takes back what was recorded of these days; false when nothing was. */
export async function revokeAbsence(db: Db, absence: Absence, now: number): Promise<boolean> {
  const same = await sameAbsence(db, absence);
  if (same === undefined) return false;
  await db.updateTable('absences').set({ revoked_at: now }).where('id', '=', same.id).execute();
  return true;
}

/** What is recorded of these feeds and was not taken back, in the order of days. */
export async function listAbsences(db: Db, feeds: readonly string[]): Promise<AbsenceRow[]> {
  if (feeds.length === 0) return [];
  return db
    .selectFrom('absences')
    .selectAll()
    .where('feed', 'in', feeds)
    .where('revoked_at', 'is', null)
    .orderBy('first_day')
    .orderBy('id')
    .execute();
}

async function sameAbsence(db: Db, { feed, first_day, last_day }: Absence): Promise<AbsenceRow | undefined> {
  return db
    .selectFrom('absences')
    .selectAll()
    .where('feed', '=', feed)
    .where('first_day', '=', first_day)
    .where('last_day', '=', last_day)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}
