import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { followerOf, lastLookForChanges } from '../../ledger/runs/deliveries.ts';
import { freezeOf } from '../../ledger/runs/freezes.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { addEvent, createRun, decideRun, getRun, lockRun, runsAt, updateRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import { runFeed } from '../decisions/run-feed.ts';
import type { Decider } from '../decisions/review.ts';
import { changesTaken, type ChangesTaken } from '../feeds/changes-taken.ts';
import { restingSource } from '../feeds/source-denial.ts';
import { orderReason } from '../guards/change-order.ts';
import { waitsUnserved } from '../workers/who-reaches.ts';

/**
 * Begins the run that takes the next changes of a feed, once those before them are among its rows; null when none wait, or they wait for something
 * else. Whoever is first begins it, so that it may be asked at any time. What was held because changes before it were missing is read again
 * when these are there, and what was held because the feed was frozen once it is no longer.
 */
export async function followChanges(feed: string, ctx: Context): Promise<string | null> {
  const settings = own(ctx.config.feeds, feed);
  if (settings === undefined || settings.delivery === 'full') return null;
  const { db } = ctx.ledger;
  const { login } = settings;
  if (await isAtWork(db, { feed, login })) return null;
  const taken = await changesTaken(feed, login, ctx);
  if (taken !== null && taken.stopped.length > 0) return readHeldAgain(taken, ctx);
  const looked = await lastLookForChanges(db, feed);
  if (looked === undefined || !hasMore(looked)) return null;
  if ((await restingSource(feed, ctx)) !== null || (await waitsUnserved(feed, ctx))) return null;
  return ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, looked.id);
    const run = await getRun(trx, looked.id);
    if (!hasMore(run) || (await mayNotBegin(trx, run))) return null;
    await updateRun(trx, run.id, { options: { ...run.options, waitingChanges: 0 } });
    // The rows may be those of a run that was read again since.
    const options = followingOptions(taken?.lastRun ?? run);
    // Nobody waits long for files that are missing.
    const cause = run.cause === 'manual' ? 'manual' : 'schedule';
    return createRun(trx, { feed, login, cause, options, sandbox: ctx.sandbox, now: ctx.clock.now() });
  });
}

/** The run that was begun to take the changes after those of a run, or is begun now. */
export async function nextChanges(id: string, ctx: Context): Promise<string | null> {
  const run = await getRun(ctx.ledger.db, id);
  if ((own(ctx.config.feeds, run.feed)?.delivery ?? 'full') === 'full') return null;
  return (await followChanges(run.feed, ctx)) ?? (await followerOf(ctx.ledger.db, run)) ?? null;
}

/**
 * Records runs of feeds whose freeze has ended, for somebody who waits for them, and gives their ids: changes that were held meanwhile are read
 * again, else what is there is taken. Feeds that are paused or no longer configured have none.
 */
export async function runReleased(feeds: readonly string[], by: Decider, ctx: Context): Promise<string[]> {
  const { db } = ctx.ledger;
  const runs: string[] = [];
  for (const feed of feeds) {
    const settings = own(ctx.config.feeds, feed);
    if (settings === undefined || (await pauseOver(db, feed, settings.login)) !== undefined) continue;
    const again = await followChanges(feed, ctx);
    if (again === null) runs.push(await runFeed(feed, { wait: true, by }, ctx));
    else {
      await updateRun(db, again, { options: { ...(await getRun(db, again)).options, wait: true } });
      runs.push(again);
    }
  }
  return runs;
}

/** Reads one of the held files again: the newest full list, which needs nothing before it, else the first of all. */
async function readHeldAgain(taken: ChangesTaken, ctx: Context): Promise<string | null> {
  const { stopped, names } = taken;
  const full = stopped.filter(({ name }) => names.kindOf(name) === 'full').reverse();
  for (const { state, run } of new Set([...full, stopped[0]!])) {
    const again = state === 'held' ? await readAgainInOrder(run, taken, ctx) : null;
    if (again !== null) return again;
  }
  return null;
}

/** Reads a held file again whose turn has come; null when it is held for another reason, or its turn has not come. */
async function readAgainInOrder(id: string, { lastRun }: ChangesTaken, ctx: Context): Promise<string | null> {
  const held = await getRun(ctx.ledger.db, id);
  const { cause } = held.options;
  const isOver = cause === 'order' || (cause === 'frozen' && (await freezeOf(ctx.ledger.db, held.feed)) === undefined);
  if (!isOver || (await orderReason({ ...held, options: {} }, ctx)) !== null) return null;
  const { feed, login } = held;
  const now = ctx.clock.now();
  return ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    if ((await getRun(trx, id)).outcome !== 'held' || (await mayNotBegin(trx, held))) return null;
    const after = lastRun === null ? {} : followingOptions(lastRun);
    // What a person said of how these bytes are to be read stays said.
    const { reading, partnerReadings } = held.options;
    const said = {
      ...(reading === undefined ? {} : { reading }),
      ...(partnerReadings === undefined ? {} : { partnerReadings }),
    };
    const options = { of: id, from: 'validate', force: true, ...said, ...after } as const;
    const again = await createRun(trx, { feed, login, cause: 'rerun', options, sandbox: ctx.sandbox, now });
    const message = `${held.delivery_name} can be put upon the rows now: run ${again} reads it again`;
    await addEvent(trx, id, { at: now, stage: 'read', message });
    const reason = { code: 'superseded', feed, run: again } as const;
    await decideRun(trx, id, { outcome: 'nothing', cause: 'superseded', reason, now });
    return again;
  });
}

/** Whoever waits for a run waits for those after it, of which only the last has to be uploaded. */
function followingOptions({ id, options: { wait, inTurn } }: Pick<RunRow, 'id' | 'options'>): RunOptions {
  return { follows: id, ...(wait === true || inTurn === true ? { inTurn: true } : {}) };
}

function hasMore({ options }: Pick<RunRow, 'options'>): boolean {
  return (options.waitingChanges ?? 0) > 0;
}

async function mayNotBegin(trx: Db, run: Pick<RunRow, 'feed' | 'login'>): Promise<boolean> {
  return (await pauseOver(trx, run.feed, run.login)) !== undefined || (await isAtWork(trx, run));
}

/** True while a run of the feed asks its place or reads a file, and while somebody waits for what becomes of one. */
async function isAtWork(db: Db, { feed, login }: Pick<RunRow, 'feed' | 'login'>): Promise<boolean> {
  const open = await runsAt(db, ['pull', 'read', 'compose', 'upload'], login);
  return open.some(
    (run) => run.feed === feed && (run.stage === 'pull' || run.stage === 'read' || run.options.wait === true),
  );
}
