import { timeId } from '../ids.ts';
import { noteEvent } from '../hooks/events.ts';
import { inTransaction, type Db } from '../ledger.ts';
import type { AuditRow } from '../schema/schema.ts';

/** Records who decided what and why, for hooks as well, unless nobody decided it; nothing ever changes or removes it, but what was refused. */
export async function recordDecision(db: Db, decision: Omit<AuditRow, 'id'>): Promise<void> {
  const id = timeId(decision.at);
  const { origin: _where, ...told } = decision;
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('audit')
      .values({ id, ...decision })
      .execute();
    if (decision.action === 'refuse' || decision.action === 'end-request') return;
    const facts = { of: 'decision', decision: { id, ...told } } as const;
    await noteEvent(trx, { event: 'decision.made', subject: `decision ${id}`, at: decision.at, facts });
  });
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
