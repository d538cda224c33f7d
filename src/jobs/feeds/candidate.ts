import type { Context } from '../../context.ts';
import { feedState, listFeeds, updateFeed } from '../../ledger/runs/feeds.ts';
import { hurryLane } from '../../ledger/uploads/lane-faults.ts';
import type { Db } from '../../ledger/ledger.ts';
import { decideRun, getRun, updateRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { hurryUpload } from '../../ledger/uploads/uploads.ts';

/**
 * The run's accepted rows become its feed's candidate, which the login's lane uploads. A candidate that still waits gives
 * way: its run ends as `nothing`, and the new one waits no longer than it would have.
 */
export async function makeCandidate(trx: Db, run: RunRow, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { candidate, candidate_at } = await feedState(trx, run.feed, run.login);
  const older = candidate === null || candidate === run.id ? null : await getRun(trx, candidate);
  // Not by its stage: one that was answered while the service was away still waits.
  const waits = older !== null && older.intent === null;
  // A feed that delivers all the time would else never be uploaded.
  await updateFeed(trx, run.feed, {
    candidate: run.id,
    candidate_at: waits ? (candidate_at ?? now) : now,
    head: run.id,
  });
  await updateRun(trx, run.id, { stage: 'compose', tries: 0 });
  await hurryUpload(trx, run.login);
  await hurryLane(trx, run.login);
  if (!waits) return;
  const reason = { code: 'superseded', feed: run.feed, run: run.id } as const;
  await decideRun(trx, older.id, { outcome: 'nothing', cause: 'superseded', reason, now });
}

/** False when a newer delivery took the place of one of them while they were composed: what was made is out of date. */
export async function stillCandidates(trx: Db, pending: RunRow[]): Promise<boolean> {
  for (const run of pending) {
    if ((await feedState(trx, run.feed, run.login)).candidate !== run.id) return false;
  }
  return true;
}

/** The candidate or contribution of a run's feed, of another run. */
type Standing = { run: RunRow; isLive: boolean };

/** The candidate or contribution of the run's feed that is of a newer run; null when there is none. Only asks the ledger. */
export function newerThan(db: Db, run: RunRow): Promise<Standing | null> {
  return standing(db, run, (other) => other.created_at > run.created_at);
}

/**
 * The same whose file was taken after that of the run, which may be the older run: one of them went on late. Null where it is not known
 * when either was taken.
 */
export function takenAfter(db: Db, run: RunRow): Promise<Standing | null> {
  return standing(db, run, (other) => (other.taken_at ?? 0) > (run.taken_at ?? Infinity));
}

async function standing(db: Db, run: RunRow, goesBefore: (other: RunRow) => boolean): Promise<Standing | null> {
  const state = (await listFeeds(db, run.login)).find(({ feed }) => feed === run.feed);
  for (const other of [state?.candidate, state?.contribution]) {
    if (other == null || other === run.id) continue;
    const found = await getRun(db, other);
    if (goesBefore(found)) return { run: found, isLive: other !== state?.candidate };
  }
  return null;
}
