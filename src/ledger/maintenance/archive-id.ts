import { OfferlineError } from '../../errors.ts';
import { untilDone } from '../engines/postgres-reconnect.ts';
import type { Db, Ledger } from '../ledger.ts';
import { listWorkers, type KnownWorker } from '../workers/workers.ts';

const KEY = 'archive-id';

/** The id of the archive that a ledger keeps its files in; null when it was not bound to one yet. */
export async function archiveIdOf(db: Db): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return row?.value ?? null;
}

/** Binds a ledger to an archive, and answers with the one that it is bound to: of several homes that do so at once, one wins. */
export async function keepArchiveId(db: Db, id: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key: KEY, value: id })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await archiveIdOf(db)) ?? id;
}

/** Gives the archive of a ledger another id, which is the ledger's alone. */
export async function renameArchive(db: Db, id: string): Promise<void> {
  await db.updateTable('meta').set({ value: id }).where('key', '=', KEY).execute();
}

const PLACE = 'archive-place';

/** Notes where the archive of a ledger was seen last, for people: machines may see it at different paths. */
export async function noteArchivePlace(db: Db, place: string): Promise<void> {
  if ((await archivePlaceIn(db)) === place) return;
  await untilDone(() =>
    db
      .insertInto('meta')
      .values({ key: PLACE, value: place })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: place }))
      .execute(),
  );
}

/** Where the archive of a ledger was seen last; null when nobody has noted it. */
export async function archivePlaceIn(db: Db): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', PLACE).executeTakeFirst();
  return row?.value ?? null;
}

/** Before the id of an archive that everything was copied to. */
const COPY = 'archive-copy-';

/** What a ledger has come to: another text whenever a file may have been kept since. */
export async function workMark(db: Db): Promise<string> {
  const counts: number[] = [];
  for (const table of ['runs', 'events', 'datasets', 'uploads', 'mails'] as const) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts.push(count);
  }
  return counts.join(' ');
}

/** Notes that an archive has a copy of everything that was kept when the ledger had come to a mark, so that the ledger may move to it. */
export async function allowArchive(db: Db, id: string, mark: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: COPY + id, value: mark })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: mark }))
    .execute();
}

/**
 * Moves a ledger from one archive to another that has a copy of everything, and answers whether it is there now. From then on no
 * other is allowed: the archive that it left, and other copies of that, miss what comes next. Throws `conflict` while workers are alive, which would
 * go on writing to the archive that is left, and for a copy that misses what was kept since.
 */
export async function moveToArchive(
  ledger: Pick<Ledger, 'db' | 'engine' | 'transaction'>,
  from: string,
  to: string,
): Promise<boolean> {
  await ledger.transaction(async (trx) => {
    const allowed = await trx
      .selectFrom('meta')
      .select('value')
      .where('key', '=', COPY + to)
      .executeTakeFirst();
    if (allowed === undefined) return;
    const alive = (await listWorkers({ ...ledger, db: trx })).filter((worker) => worker.alive);
    if (alive.length > 0) throw stillAtWork(alive);
    if (allowed.value !== (await workMark(trx))) throw tooOld();
    const { numUpdatedRows } = await trx
      .updateTable('meta')
      .set({ value: to })
      .where('key', '=', KEY)
      .where('value', '=', from)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await trx.deleteFrom('meta').where('key', 'like', `${COPY}%`).execute();
  });
  return (await archiveIdOf(ledger.db)) === to;
}

function tooOld(): OfferlineError {
  return new OfferlineError(
    'conflict',
    'The archive that is named now is a copy from before the newest runs, whose files it misses. Call `offerline archive copy --size-only` once more with the settings of before, and then this.',
  );
}

function stillAtWork(workers: KnownWorker[]): OfferlineError {
  const named = workers.map(({ name, host }) => `${name} on ${host}`).join(', ');
  return new OfferlineError(
    'conflict',
    `Workers still keep files in the archive that would be left here: ${named}. Stop them (one that was killed counts as gone after worker.lease), call \`offerline archive copy --size-only\` once more with the settings of before, and then this.`,
  );
}
