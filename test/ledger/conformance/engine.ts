import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../../support/at-end.ts';

/** An engine that the ledger runs on, and what each test of it gets. */
export type Engine = {
  name: 'sqlite' | 'postgres';
  /** A new and empty place for a ledger. */
  place: () => Promise<Place>;
};

export type Place = { file: string; databaseUrl?: string };

/** Opens the ledger of a place; opening it again is what another process does. */
export async function openAt(place: Place): Promise<Ledger> {
  const ledger = await openLedger(place);
  atEnd(() => ledger.close());
  return ledger;
}

/** A new ledger, opened by two processes. */
export async function openTwice({ place }: Engine): Promise<[Ledger, Ledger]> {
  const where = await place();
  return [await openAt(where), await openAt(where)];
}

/** Ends a lease in its owner's absence, as if it had been given up. */
export async function endLease(ledger: Ledger, name: string): Promise<void> {
  await ledger.db.updateTable('leases').set({ until: 0 }).where('name', '=', name).execute();
}
