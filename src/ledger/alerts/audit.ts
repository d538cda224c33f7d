import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { AuditRow } from '../schema/schema.ts';

/** Records who decided what and why; nothing ever changes or removes it, but what was refused. */
export async function recordDecision(db: Db, decision: Omit<AuditRow, 'id'>): Promise<void> {
  await db
    .insertInto('audit')
    .values({ id: timeId(decision.at), ...decision })
    .execute();
}

/** Removes attempts that were refused: those from before `before`, and all but the newest `most`. */
export async function pruneRefusals(db: Db, { before, most }: { before: number; most: number }): Promise<void> {
  const refused = db.selectFrom('audit').where('action', '=', 'refuse');
  const oldest = await refused.select('at').orderBy('at', 'desc').offset(most).limit(1).executeTakeFirst();
  const end = Math.max(before, oldest === undefined ? 0 : oldest.at + 1);
  await db.deleteFrom('audit').where('action', '=', 'refuse').where('at', '<', end).execute();
}

/** Whether a person decided this of the subject. */
export async function wasDecided(db: Db, action: AuditRow['action'], subject: string): Promise<boolean> {
  const query = db.selectFrom('audit').select('id').where('action', '=', action).where('subject', '=', subject);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}
