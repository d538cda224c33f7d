import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import { serves } from '../../config/serves.ts';
import type { SourceConfig } from '../../config/schema/source-schema.ts';
import type { Context } from '../../context.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { openOfKinds, raise, recover } from '../../ledger/alerts/incidents.ts';
import { addEvent, asksSource, runsAt } from '../../ledger/runs/runs.ts';
import type { LookRow, RunRow } from '../../ledger/schema/schema.ts';
import { looksOf, noteLook } from '../../ledger/workers/looks.ts';
import { type KnownWorker, listWorkers } from '../../ledger/workers/workers.ts';
import { workerName } from './show-life.ts';

/** Sweeps that may be missed before it counts that a worker does not do what is waited for. */
export const PATIENCE = 10;

/** Milliseconds: how soon a run that another worker is to take is offered again; doubled each time that it comes back to the same one. */
const SOON = 50;

/** Who reaches what a run is pulled from: whether this worker may, and which others. */
type Reach = { mine: boolean; isOf: (worker: Pick<KnownWorker, 'serves' | 'host'>) => boolean; on: string[] };

/** Whether this worker can look at the place of a feed now: it is for it, and a folder is there. */
export async function isHere(source: SourceConfig, { config }: Context): Promise<boolean> {
  if (!serves(config.worker.serves, source)) return false;
  if (source.type !== 'directory') return true;
  return access(source.path).then(
    () => true,
    (error: unknown) => systemCode(error) !== 'ENOENT',
  );
}

/** Who reaches what a run is pulled from; null where it makes no difference who pulls it. */
export function reachOf(run: Pick<RunRow, 'feed' | 'stage' | 'options'>, { config }: Context): Reach | null {
  const { given } = run.options;
  if (run.stage === 'pull' && given !== undefined)
    return { mine: given.host === hostname(), isOf: ({ host }) => host === given.host, on: [] };
  const source = asksSource(run) ? config.feeds[run.feed]?.source : undefined;
  if (source === undefined || (source.type !== 'directory' && source.on === undefined)) return null;
  return {
    mine: serves(config.worker.serves, source),
    isOf: (worker) => serves(worker.serves, source),
    on: source.on ?? [],
  };
}

/**
 * When to ask again (epoch milliseconds), because a run is to be pulled by another worker; null when this one is to look. A place that
 * no worker serves is waited for: one is restarted, or will be. Call it as the owner of the feed's lease.
 */
export async function waitForOther(run: RunRow, ctx: Context): Promise<number | null> {
  const reach = reachOf(run, ctx);
  if (reach === null) return null;
  const looks = await looksOf(ctx.ledger.db, run.id);
  const hasLooked = looks.some(({ worker, found }) => worker === ctx.owner && found === 'missing');
  if (reach.mine && !hasLooked) return null;
  const others = await whoMayLook(reach, looks, ctx);
  if (others.length > 0) return offeredAgain(run, reach.mine ? 'missing' : 'elsewhere', ctx);
  if (reach.mine || run.options.given !== undefined) return null;
  await sayUnserved(run, { on: reach.on, isFirst: looks.length === 0 }, ctx);
  return offeredAgain(run, 'elsewhere', ctx);
}

/**
 * What becomes of a pull that failed here: where the folder is not there and other workers may have it, the time (epoch milliseconds)
 * at which the run is offered again, without a try that counts; else the error, which names those that looked.
 */
export async function afterLook(run: RunRow, error: unknown, ctx: Context): Promise<number | { error: unknown }> {
  const path = missingFolder(error);
  const reach = path === null ? null : reachOf(run, ctx);
  if (path === null || reach === null) return { error };
  const looks = await looksOf(ctx.ledger.db, run.id);
  const before = looks.filter(({ worker, found }) => found === 'missing' && worker !== ctx.owner);
  const others = await whoMayLook(reach, looks, ctx);
  const name = workerName(ctx.config);
  if (others.length === 0) {
    return { error: before.length === 0 ? error : onNone(path, [...before.map((look) => look.name), name], error) };
  }
  const message = `the folder ${path} is not on worker ${name}; another worker is asked`;
  await addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'pull', message });
  return offeredAgain(run, 'missing', ctx);
}

/** The folder that a pull did not find; null when it failed in another way. */
function missingFolder(error: unknown): string | null {
  const { missing } = error instanceof OfferlineError ? error.details : {};
  return typeof missing === 'string' ? missing : null;
}

/** Workers that are alive, may have what is looked for, and have not looked; none any more once they were waited for long enough. */
async function whoMayLook({ isOf }: Reach, looks: LookRow[], ctx: Context): Promise<KnownWorker[]> {
  const first = looks.find(({ found }) => found === 'missing');
  if (first !== undefined) {
    const waited = (await ctx.ledger.now()) - first.at;
    if (waited > PATIENCE * ctx.config.worker.sweep) return [];
  }
  const hasLooked = ({ id }: KnownWorker) => looks.some(({ worker, found }) => worker === id && found === 'missing');
  return (await atWork(ctx)).filter((worker) => worker.id !== ctx.owner && isOf(worker) && !hasLooked(worker));
}

/** The workers that are alive and take runs. */
async function atWork({ ledger }: Pick<Context, 'ledger'>): Promise<KnownWorker[]> {
  return (await listWorkers(ledger)).filter(({ alive, state }) => alive && state === 'works');
}

async function offeredAgain({ id: run }: RunRow, found: LookRow['found'], ctx: Context): Promise<number> {
  const look = { run, worker: ctx.owner, name: workerName(ctx.config), found };
  const times = await noteLook(ctx.ledger, look);
  return ctx.clock.now() + Math.min(ctx.config.worker.sweep, SOON * 2 ** Math.min(times - 1, 30));
}

function onNone(path: string, names: string[], cause: unknown): OfferlineError {
  const looked = [...new Set(names)].toSorted().join(', ');
  const message = `The folder ${path} is on none of the workers that looked: ${looked}. Create it on one of them, or correct source.path of the feed.`;
  return new OfferlineError('pull-failed', message, { cause, details: { path, setting: 'source.path' } });
}

/** Tells those who follow a run that nobody can pull it, and opens an incident once that has lasted. */
async function sayUnserved(
  { id, feed, login, created_at }: RunRow,
  { on, isFirst }: { on: string[]; isFirst: boolean },
  ctx: Context,
): Promise<void> {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  if (isFirst) {
    const message = `waits for a worker that serves ${on.join(' or ')}: none is running`;
    await addEvent(db, id, { at: now, stage: 'pull', message });
  }
  if (now - created_at < PATIENCE * ctx.config.worker.sweep) return;
  await raise(db, { kind: 'unserved', login, feed, reason: { code: 'unserved', run: id, labels: on } }, now);
}

/** Ends the incidents of feeds that a worker serves again, or that anybody may pull by now. */
export async function endUnserved(ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  const open = await openOfKinds(db, ['unserved']);
  if (open.length === 0) return;
  const workers = await atWork(ctx);
  for (const { feed, login } of open) {
    const source = ctx.config.feeds[feed ?? '']?.source;
    if (source !== undefined && !workers.some((worker) => serves(worker.serves, source))) continue;
    const text = source === undefined ? 'the feed is no longer configured' : 'a worker that serves it is running';
    await recover(db, { kind: 'unserved', login, feed, text }, ctx.clock.now());
  }
}

/** True while a run of a feed waits for a worker and none serves it: another run would only wait beside it. */
export async function waitsUnserved(feed: string, ctx: Context): Promise<boolean> {
  const source = ctx.config.feeds[feed]?.source;
  if (source === undefined || serves(ctx.config.worker.serves, source)) return false;
  if ((await atWork(ctx)).some((worker) => serves(worker.serves, source))) return false;
  return (await runsAt(ctx.ledger.db, ['pull'])).some((run) => run.feed === feed);
}
