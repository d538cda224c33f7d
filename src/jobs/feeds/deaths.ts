import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { decideRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { deathsIn, recordEnd, recordStart } from '../../ledger/runs/starts.ts';
import type { Stage } from '../../model.ts';
import { giveReportUp } from './failure.ts';
import { withLease } from '../logins/with-lease.ts';

/** So often a process may die in the same work of a run; then the run is given up, so that the others go on. */
const MOST_DEATHS = 5;

/**
 * After so many deaths it matters whose fault it is. What was merely at work in the same process is distinguished from the culprit by
 * doing one piece of suspected work at a time.
 */
const SUSPECT_DEATHS = 2;

/** How deaths bear on runs whose work is about to begin. */
export type Suspicion = { givenUp: RunRow[]; suspected: boolean };

/** Which of these runs are given up because of deaths in this stage, and whether any is suspected. */
export async function suspicionOf(runs: RunRow[], stage: Stage, ctx: Context): Promise<Suspicion> {
  const ids = runs.map(({ id }) => id);
  const deaths = await deathsIn(ctx.ledger.db, ids, stage);
  const atLeast = (count: number) => runs.filter(({ id }) => (deaths.get(id) ?? 0) >= count);
  return { givenUp: atLeast(MOST_DEATHS), suspected: atLeast(SUSPECT_DEATHS).length > 0 };
}

/**
 * Does the work of a run's stage, unless processes have died in it too often: then the run ends. Call it as the owner of the
 * feed's lease. `failed`: what becomes of an error is written before it counts as ended.
 */
export async function surviving(
  run: RunRow,
  ctx: Context,
  work: () => Promise<void | { waitUntil: number }>,
  failed: Failed<'on' | { waitUntil: number }> = rethrow,
): Promise<'on' | { waitUntil: number }> {
  const { givenUp, suspected } = await suspicionOf([run], run.stage, ctx);
  if (givenUp.length > 0) {
    await giveUp(run, ctx);
    return 'on';
  }
  const how = { stage: run.stage, suspected, failed };
  return countingDeaths([run], how, ctx, async () => (await work()) ?? ('on' as const));
}

/** What becomes of an error of the work. */
type Failed<T> = (error: unknown) => Promise<T>;

async function rethrow(thrown: unknown): Promise<never> {
  throw thrown;
}

/**
 * Records in the ledger that work begins and that it has ended, so that a process that dies in between is counted. A failure, a
 * stop or a lost lease is no death. Suspected work is done one piece at a time in the whole installation; says when to ask
 * again when it is not its turn.
 */
export async function countingDeaths<T>(
  runs: RunRow[],
  { stage, suspected, failed = rethrow }: { stage: Stage; suspected: boolean; failed?: Failed<T> },
  ctx: Context,
  work: () => Promise<T>,
): Promise<T | { waitUntil: number }> {
  const counted = async () => {
    const start = {
      id: randomUUID(),
      runs: runs.map(({ id }) => id),
      stage,
      owner: ctx.owner,
      at: ctx.clock.now(),
    };
    await ctx.ledger.transaction((trx) => recordStart(trx, start));
    let passed = false;
    try {
      const result = await work();
      passed = true;
      return result;
    } catch (error) {
      return await failed(error);
    } finally {
      await ctx.ledger
        .transaction((trx) => recordEnd(trx, start, { passed }))
        .catch((error: unknown) => ctx.log.warn({ err: error, stage }, 'end of work could not be recorded'));
    }
  };
  return suspected ? withLease('suspected', ctx, counted) : counted();
}

async function giveUp(run: RunRow, ctx: Context): Promise<void> {
  if (run.stage === 'report') return giveReportUp(run, DIED, ctx);
  const { id, stage } = run;
  ctx.log.error({ run: id, feed: run.feed, stage }, 'run given up, because processes died in it');
  await decideRun(ctx.ledger.db, id, {
    outcome: 'failed',
    cause: 'fault',
    reason: reasonOfDeaths(run),
    now: ctx.clock.now(),
  });
}

const DIED = `offerline was killed or ran out of memory ${MOST_DEATHS} times while writing the report`;

/** Why a run is given up, and how it is tried again. */
export function reasonOfDeaths({ id, stage }: RunRow) {
  return { code: 'process-died', run: id, stage, times: MOST_DEATHS } as const;
}
