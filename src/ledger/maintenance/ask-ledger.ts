import { existsSync } from 'node:fs';
import { messageOf, OfferlineError } from '../../errors.ts';
import { connect, type Db } from '../ledger.ts';

/** Where a ledger is: its file, unless a database is named. */
export type LedgerPlace = { file: string; databaseUrl?: string | undefined };

/**
 * Asks a ledger, all at one moment, without writing anything to it or migrating it. Null when there is no ledger yet; fails
 * with `ledger` when it cannot be read, and as `ask` does.
 */
export async function askLedger<T>(where: LedgerPlace, ask: (db: Db) => Promise<T>): Promise<T | null> {
  if (where.databaseUrl === undefined && !existsSync(where.file)) return null;
  const db = await connect(where, { readOnly: true });
  try {
    return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(ask);
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    const advice = 'If an older version wrote it, any other command migrates it to this one.';
    throw new OfferlineError('ledger', `The ledger cannot be read: ${messageOf(error)}. ${advice}`, { cause: error });
  } finally {
    await db.destroy();
  }
}
