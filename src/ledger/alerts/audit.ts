import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { AuditRow } from '../schema/schema.ts';

/** Records who decided what and why; nothing ever changes or removes it. */
export async function recordDecision(db: Db, decision: Omit<AuditRow, 'id'>): Promise<void> {
  await db
    .insertInto('audit')
    .values({ id: timeId(decision.at), ...decision })
    .execute();
}

/** Whether a person decided this of the subject. */
export async function wasDecided(db: Db, action: AuditRow['action'], subject: string): Promise<boolean> {
  const query = db.selectFrom('audit').select('id').where('action', '=', action).where('subject', '=', subject);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}
