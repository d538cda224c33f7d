import { untilDone } from '../engines/postgres-reconnect.ts';
import { databaseNow, type Ledger } from '../ledger.ts';
import type { WorkerRow } from '../schema/schema.ts';

/** A worker, and whether it counts as alive. */
export type KnownWorker = WorkerRow & { alive: boolean };

/** A worker of which there was no sign for so long is forgotten, in milliseconds. */
const DAY = 86_400_000;

/** Records that a worker is there, for the next `lasts` milliseconds by the database's clock. */
export async function showWorker(
  { db, engine }: Ledger,
  worker: Omit<WorkerRow, 'started_at' | 'seen_at' | 'until'>,
  lasts: number,
): Promise<void> {
  const life = { seen_at: databaseNow(engine), until: databaseNow(engine, lasts) };
  await untilDone(() =>
    db
      .insertInto('workers')
      .values({ ...worker, started_at: databaseNow(engine), ...life })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: worker.state, ...life }))
      .execute(),
  );
}

/** A worker has ended its work. */
export async function endWorker({ db }: Ledger, id: string): Promise<void> {
  await db.deleteFrom('workers').where('id', '=', id).execute();
}

/**
 * Forgets workers that are gone: those in whose place one of the same name begins, commands, and what nobody has seen for a day. What
 * they looked for in vain goes as late.
 */
export async function forgetWorkers(ledger: Ledger, name: string): Promise<void> {
  const now = await ledger.now();
  const gone = ledger.db
    .deleteFrom('workers')
    .where('until', '<', now)
    .where((eb) => eb.or([eb('name', '=', name), eb('stays', '=', 0), eb('until', '<', now - DAY)]));
  await untilDone(() => gone.execute());
  const late = ledger.db.deleteFrom('looks').where('at', '<', now - DAY);
  await untilDone(() => late.execute());
}

/** All workers, by name; those of the same name by their beginning. */
export async function listWorkers({ db, engine }: Pick<Ledger, 'db' | 'engine'>): Promise<KnownWorker[]> {
  const rows = await db
    .selectFrom('workers')
    .selectAll()
    .select((eb) => eb.case().when('until', '>', databaseNow(engine)).then(1).else(0).end().as('lives'))
    .orderBy('name')
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map(known);
}

function known({ lives, ...row }: WorkerRow & { lives: number }): KnownWorker {
  return { ...row, alive: lives === 1 };
}
