import type { Context } from '../../context.ts';
import { getRun, runsAt } from '../../ledger/runs/runs.ts';
import { advanceRun, type RunResult } from '../run/flow.ts';
import { advanceLane } from '../lane/lane.ts';
import { serverOf } from '../../pull/source.ts';
import type { LaneJob, PullJob, RunJob, Wakes } from './queues.ts';
import { followChanges } from './follow-changes.ts';
import { startDue } from './schedule.ts';
import type { FailureLog } from './job-failure.ts';
import type { PullPlaces } from './pull-places.ts';

/** What jobs share. */
export type World = {
  wakes: Wakes;
  ctx: Context;
  stop: AbortSignal;
  failures: FailureLog;
  /** Work under way. */
  active: Set<Promise<Handled>>;
  pulls: PullPlaces;
  onFault: (error: unknown, job: RunJob | LaneJob) => void;
  /** Is called after a fault: the ledger may have become too new for this program. */
  look: () => void;
};

/** What becomes of a job: done, or given back until a time so that waiting and polling hold no worker slot. */
export type Handled = { waitUntil: number } | 'done';

/** What a job says, whether a queue gave it or a sweep. */
type Data<T> = { data: T };

/** Goes on with a run, except for asking its source; or starts a feed's run that is due. */
export async function onRun({ data }: Data<RunJob>, world: World): Promise<Handled> {
  const { ctx, stop } = world;
  if ('run' in data) {
    const handled = await passOn(await advanceRun(data.run, { pulling: false }, ctx, stop), world);
    const { feed } = await getRun(ctx.ledger.db, data.run);
    await wakeNext(await followChanges(feed, ctx), world);
    return handled;
  }
  await wakeNext(await startDue(data.feed, ctx), world);
  return 'done';
}

async function wakeNext(run: string | null, { wakes, ctx }: World): Promise<void> {
  if (run !== null) await wakes.wakeRun(await getRun(ctx.ledger.db, run));
}

/** Asks a run's source, when it may begin. */
export async function onPull({ data }: Data<PullJob>, world: World): Promise<Handled> {
  const { ctx, stop } = world;
  const { feed } = await getRun(ctx.ledger.db, data.run);
  const source = ctx.config.feeds[feed]?.source;
  const { received, end } = await world.pulls.begin(source === undefined ? null : serverOf(source), stop);
  try {
    return await passOn(await advanceRun(data.run, { pulling: true, received }, ctx, stop), world);
  } finally {
    end();
  }
}

async function passOn(result: RunResult, { wakes }: World): Promise<Handled> {
  if (result === 'done' || 'waitUntil' in result) return result;
  if ('next' in result) await wakes.wakeRun(result.next);
  else await wakes.wakeLane(result.lane);
  return 'done';
}

/** Goes on with a login's uploads. */
export async function onLane({ data }: Data<LaneJob>, { wakes, ctx, stop, onFault }: World): Promise<Handled> {
  const result = await advanceLane(data.login, ctx, stop);
  if (result !== 'at-rest' && 'fault' in result) {
    ctx.log.error({ login: data.login, err: result.fault }, 'lane failed, is tried again');
    onFault(result.fault, data);
  }
  for (const run of await runsAt(ctx.ledger.db, ['report'])) {
    // A report that has failed waits before it is tried again.
    await (run.tries === 0 ? wakes.wakeRun(run) : wakes.remindRun(run));
  }
  return result === 'at-rest' ? 'done' : result;
}
