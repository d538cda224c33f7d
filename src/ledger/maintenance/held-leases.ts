import type { Ledger } from '../ledger.ts';

/** Leases that somebody holds, by name; `until` by the database's clock. */
export async function heldLeases(ledger: Ledger): Promise<{ name: string; owner: string; until: number }[]> {
  const now = await ledger.now();
  return ledger.db
    .selectFrom('leases')
    .select(['name', 'owner', 'until'])
    .where('until', '>', now)
    .orderBy('name')
    .execute();
}
