import type { Db } from '../../ledger/ledger.ts';
import { knownFeed, updateFeed } from '../../ledger/runs/feeds.ts';
import { findRun, getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';

/**
 * The run whose rows the changes of a run are put upon: the newest of its feed whose rows were taken, proved or not. What is read again is put
 * upon what it was put upon before. Null where there is none.
 */
export async function baseOf(db: Db, run: Pick<RunRow, 'id' | 'feed' | 'login' | 'options'>): Promise<RunRow | null> {
  const { head, candidate, contribution } = await knownFeed(db, run.feed, run.login);
  const newest = head ?? candidate ?? contribution;
  if (newest === null) return null;
  const found = await getRun(db, newest);
  if (newest !== run.id && newest !== run.options.of) return found;
  return found.base === null ? null : getRun(db, found.base);
}

/**
 * The newest of the deliveries that a run's rows come from that was read with other settings than those of a hash; null where all were read
 * with these.
 */
export async function readOtherwise(db: Db, { id, detection }: RunRow, settings: string): Promise<RunRow | null> {
  const earlier = (detection?.parts ?? []).flatMap(({ of }) => (of === undefined ? [] : [of.run]));
  for (const one of new Set([id, ...earlier])) {
    const run = await findRun(db, one);
    // Nothing is known of what an earlier version has read.
    if (run?.settings_hash != null && run.settings_hash !== settings) return run;
  }
  return null;
}

/** The rows of a run that a person turned down are no base: the next changes are put upon those before it. */
export async function leaveHead(trx: Db, { id, feed, login, base }: RunRow): Promise<void> {
  const { head } = await knownFeed(trx, feed, login);
  if (head === id) await updateFeed(trx, feed, { head: base });
}
