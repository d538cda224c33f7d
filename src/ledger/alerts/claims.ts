import type { Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';

/** What people are notified of: that an incident began, that it lasts, that it is over. */
export type Phase = 'problem' | 'reminder' | 'recovery';

/** An incident that people are to be notified of. */
export type Due = { phase: Phase; incident: IncidentRow };

/** The incidents that people are to be notified of now: new ones, those they last heard of `every` ago, those that are over. */
export async function dueNotifications(db: Db, now: number, every: number): Promise<Due[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where('settled_at', 'is', null)
    .where((eb) =>
      eb.or([eb('told_at', 'is', null), eb('told_at', '<=', now - every), eb('recovered_at', 'is not', null)]),
    )
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map((incident) => ({ phase: phaseOf(incident), incident }));
}

function phaseOf({ recovered_at, told_at }: IncidentRow): Phase {
  if (recovered_at !== null) return 'recovery';
  return told_at === null ? 'problem' : 'reminder';
}

/** Claims the notification of an incident, so that it is sent once; false when another worker has claimed it, or when it has changed. */
export async function claimNotification(db: Db, { phase, incident }: Due, now: number): Promise<boolean> {
  const query = db.updateTable('incidents').where('id', '=', incident.id).where('settled_at', 'is', null);
  const taken =
    phase === 'recovery'
      ? query.set({ settled_at: now })
      : query
          .set({ told_at: now })
          .where('recovered_at', 'is', null)
          .where('told_at', incident.told_at === null ? 'is' : '=', incident.told_at);
  return (await taken.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Incidents by their ids, oldest first. */
export async function incidentsById(db: Db, ids: string[]): Promise<IncidentRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('incidents').selectAll().where('id', 'in', ids).orderBy('opened_at').orderBy('id').execute();
}
