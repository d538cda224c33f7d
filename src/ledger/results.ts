import { randomUUID } from 'node:crypto';
import type { Db } from './ledger.ts';
import type { ListedFile } from './schema/json-values.ts';
import type { ResultRow } from './schema/schema.ts';
import type { PlaceOfFeed } from './runs/taken-files.ts';

type Wanted = Pick<ResultRow, 'feed' | 'origin' | 'path' | 'run' | 'taken_at'>;

/** Records that the result of a run belongs at a path, unless that of a newer delivery does. Repeating it opens it again. */
export async function wantResult(db: Db, wanted: Wanted): Promise<void> {
  const row = { ...wanted, state: 'open' as const };
  await db
    .insertInto('results')
    .values({ ...row, tries: 0, placed: null, content: null })
    .onConflict((conflict) =>
      conflict.columns(['feed', 'origin', 'path']).doUpdateSet(row).where('results.taken_at', '<=', wanted.taken_at),
    )
    .execute();
}

/** The results that are still to be put into a place, the oldest first. */
export async function openResults(db: Db, { feed, origin }: PlaceOfFeed): Promise<ResultRow[]> {
  return (
    db
      .selectFrom('results')
      .selectAll()
      .where('feed', '=', feed)
      .where('origin', '=', origin)
      .where('state', '=', 'open')
      // One that is always refused must not keep the others back.
      .orderBy('tries')
      .orderBy('taken_at')
      .orderBy('path')
      .execute()
  );
}

/** Records what became of a result, unless another is wanted there by now; `open` is one more failed try. */
export async function noteResult(
  db: Db,
  { feed, origin, path, run }: ResultRow,
  became: Pick<ResultRow, 'state'> & Partial<Pick<ResultRow, 'placed' | 'content'>>,
): Promise<void> {
  await db
    .updateTable('results')
    .set((eb) => ({ ...became, tries: became.state === 'open' ? eb('tries', '+', 1) : 0 }))
    .where('feed', '=', feed)
    .where('origin', '=', origin)
    .where('path', '=', path)
    .where('run', '=', run)
    .execute();
}

/** The paths at which results belong or were put in a place, whichever feed they are of. */
export async function resultPaths(db: Db, origin: string): Promise<string[]> {
  const rows = await db.selectFrom('results').select(['path', 'placed']).where('origin', '=', origin).execute();
  return rows.flatMap(({ path, placed }) => (placed === null ? [path] : [path, placed]));
}

/** The identities of the files of a place that are known to be results, whichever feed found them. */
export async function knownResults(db: Db, origin: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('taken_files')
    .select('identity')
    .where('origin', '=', origin)
    .where('state', '=', 'result')
    .execute();
  return new Set(rows.map(({ identity }) => identity));
}

type Found = PlaceOfFeed & { run: string; at: number; files: { identity: string; listed: ListedFile }[] };

/** Records files of a place that were found to be results, so that they are not asked for again. */
export async function noteFoundResults(db: Db, { files, ...found }: Found): Promise<void> {
  const known = { ...found, state: 'result', sha256: null, acknowledged: null, tries: 0 } as const;
  for (const file of files) {
    await db
      .insertInto('taken_files')
      .values({ ...known, ...file })
      .onConflict((conflict) => conflict.columns(['feed', 'origin', 'identity']).doNothing())
      .execute();
  }
}

const INSTALLATION = 'result-mark';

/** What tells the results of this installation from those of others; a restored one keeps it. */
export async function resultOwner(db: Db): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key: INSTALLATION, value: randomUUID() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const { value } = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', INSTALLATION)
    .executeTakeFirstOrThrow();
  return value;
}
