import { inTransaction, type Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';
import { tellOfChange } from './incidents.ts';

/** What a notification says of an incident: that it began, that it lasts, that it affects what is live, that it is over. */
export type Phase = 'problem' | 'reminder' | 'affected' | 'recovery';

/** An incident with a notification that is due. `onlyHolder`: it goes to nobody but the one who works on the incident. */
export type Due = { phase: Phase; incident: IncidentRow; onlyHolder: boolean };

/**
 * The notifications that may be due: of new incidents, of those that are over, and of those of which everybody, or the one who works on
 * them, was notified at least `every` ago.
 */
export async function dueNotifications(db: Db, now: number, every: number): Promise<Due[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where('settled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('told_at', 'is', null),
        eb('told_at', '<=', now - every),
        eb('recovered_at', 'is not', null),
        eb.and([
          eb('taken_by', 'is not', null),
          eb.or([eb('holder_told_at', 'is', null), eb('holder_told_at', '<=', now - every)]),
        ]),
      ]),
    )
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map((incident) => ({ phase: phaseOf(incident), incident, onlyHolder: false }));
}

/** Incidents of these kinds that have lasted since `before` and that managers have not been told of, oldest first. */
export async function dueToManagers(db: Db, kinds: readonly IncidentRow['kind'][], before: number): Promise<Due[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('recovered_at', 'is', null)
    .where('managers_told_at', 'is', null)
    .where('kind', 'in', kinds)
    .where('opened_at', '<=', before)
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map((incident) => ({ phase: 'affected', incident, onlyHolder: false }));
}

function phaseOf({ recovered_at, told_at }: IncidentRow): Phase {
  if (recovered_at !== null) return 'recovery';
  return told_at === null ? 'problem' : 'reminder';
}

/**
 * Claims a notification, so that it is sent once: false when another worker has claimed it, or the incident or who works on it has changed.
 * Hooks are told with a reminder that the incident lasts.
 */
export async function claimNotification(db: Db, due: Due, now: number): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const [taken] = await claim(trx, due, now).returningAll().execute();
    if (taken !== undefined && due.phase === 'reminder') await tellOfChange(trx, taken, 'reminder', now);
    return taken !== undefined;
  });
}

function claim(db: Db, { phase, incident, onlyHolder }: Due, now: number) {
  const query = db.updateTable('incidents').where('id', '=', incident.id).where('settled_at', 'is', null);
  if (phase === 'recovery') return query.set({ settled_at: now });
  if (phase === 'affected') {
    return query.set({ managers_told_at: now }).where('recovered_at', 'is', null).where('managers_told_at', 'is', null);
  }
  return query
    .set({ holder_told_at: now, ...(onlyHolder ? {} : { told_at: now }) })
    .where('recovered_at', 'is', null)
    .where('told_at', incident.told_at === null ? 'is' : '=', incident.told_at)
    .where('holder_told_at', incident.holder_told_at === null ? 'is' : '=', incident.holder_told_at)
    .where('worked_at', incident.worked_at === null ? 'is' : '=', incident.worked_at);
}

/** The ids of the incidents of these kinds that a run brought or ended, oldest first. */
export async function incidentsOfRun(db: Db, run: string, kinds: readonly IncidentRow['kind'][]): Promise<string[]> {
  const rows = await db
    .selectFrom('incidents')
    .select('id')
    .where((eb) => eb.or([eb('run', '=', run), eb('recovered_run', '=', run)]))
    .where('kind', 'in', kinds)
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Incidents by their ids, oldest first. */
export async function incidentsById(db: Db, ids: string[]): Promise<IncidentRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('incidents').selectAll().where('id', 'in', ids).orderBy('opened_at').orderBy('id').execute();
}
