import { sql } from 'kysely';
import type { Ledger } from './ledger.ts';

/**
 * A mark that differs once another connection has changed the ledger; it may also differ where nothing of it changed (a lease that is
 * renewed; on Postgres another database of the server). Cheap enough to be asked several times a second.
 */
export async function changeMark({ db, engine }: Pick<Ledger, 'db' | 'engine'>): Promise<string> {
  const mark =
    engine === 'sqlite'
      ? sql<{ mark: number }>`select data_version as mark from pragma_data_version`
      : // All of it: a transaction that began before another one and ends after it leaves its greatest number as it is.
        sql<{ mark: string }>`select pg_current_snapshot()::text as mark`;
  return String((await mark.execute(db)).rows[0]?.mark);
}
