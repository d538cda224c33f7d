import { setImmediate } from 'node:timers/promises';
import type { Issue, LocalCounts } from '../../../model.ts';
import { addToLog, createIssueLog } from '../../issues/issue-log.ts';
import type { BucketIndex } from '../dedup/partitions.ts';
import type { Plan } from '../driver/plan.ts';
import { openStation, type Loaded, type Station } from './slot.ts';
import type { TakenStretch } from './parse-chunk.ts';
import { openTurns, type Turns } from '../driver/coordinator.ts';

export type Share = { plan: Plan; thread: number };

/** What one thread's stretches came to. */
export type Totals = {
  counts: LocalCounts;
  issues: Record<string, number>;
  sample: Issue[];
  /** Where the parts are that it collected, when that is its duty. */
  parts: BucketIndex | null;
};

/** A stretch on its way, and where it is. */
type Work = { station: Station; ticket: number };
type LoadedWork = Work & { loaded: Loaded };
type TakenWork = LoadedWork & { taken: TakenStretch | null };

/** After so many steps, a third of a stretch each, a thread looks whether anything else is to be done: some 20 ms. */
const STEPS_AT_A_TIME = 12;

/** Takes stretches of a file until none is left, or the turns were stopped. */
export async function takeStretches({ plan, thread }: Share): Promise<Totals> {
  const turns = openTurns(plan.turns);
  try {
    return await takeAll(plan, thread, turns);
  } catch (error) {
    turns.stop('failed');
    throw error;
  }
}

/** A stretch that has to wait for those of other threads is left at its station, and another one begun. */
async function takeAll(plan: Plan, thread: number, turns: Turns): Promise<Totals> {
  const counts: LocalCounts = { read: 0, accepted: 0, rejectedLocally: 0, duplicates: 0 };
  const log = createIssueLog({ write: () => undefined }, { layout: null, most: Infinity });
  const stations = await Promise.all(plan.layout.rooms[thread]!.map((room) => openStation(plan, room, log)));
  const collector =
    plan.duty.kind === 'collect'
      ? (await import('../dedup/collect-parts.ts')).createCollector(plan.duty.parts, plan.layout)
      : null;
  const free = [...stations];
  const loaded: LoadedWork[] = [];
  const taken: TakenWork[] = [];
  for (let step = 1; turns.stopped() === null; step += 1) {
    if (step % STEPS_AT_A_TIME === 0) await setImmediate();
    const news = turns.news();
    if (finishNext() || takeNext() || loadNext()) continue;
    if (free.length === stations.length) break;
    turns.awaitNews(news);
    await setImmediate();
  }
  for (const station of stations) station.countIn(log);
  return { counts, issues: log.counts, sample: log.sample, parts: collector?.end() ?? null };

  /** False: there is nothing to load, or no station for it. */
  function loadNext(): boolean {
    const station = free.at(-1);
    const ticket = station === undefined ? null : turns.takeTicket();
    if (station === undefined || ticket === null) return false;
    free.pop();
    const work = station.load(ticket);
    if (work === null) {
      turns.stop('restart');
    } else {
      turns.countLines(ticket, work.lines);
      loaded.push({ station, ticket, loaded: work });
    }
    return true;
  }

  /** False: the line is not known with which the next stretch begins. */
  function takeNext(): boolean {
    const [work] = loaded;
    const line = work === undefined ? null : turns.firstLine(work.ticket);
    if (work === undefined || line === null) return false;
    loaded.shift();
    taken.push({ ...work, taken: work.station.take(work.loaded, line) });
    return true;
  }

  /** False: it is not the turn of the next stretch. */
  function finishNext(): boolean {
    const [work] = taken;
    if (work === undefined || !turns.isTurn(work.ticket)) return false;
    taken.shift();
    const { station } = work;
    const result = station.finish(work.loaded.stretch, work.taken, turns.settled(), turns.settle);
    if (typeof result === 'string') {
      turns.stop(result);
    } else {
      for (const key of Object.keys(counts) as (keyof LocalCounts)[]) counts[key] += result.counts[key];
      if (result.log.sample.length > 0) addToLog(log, [result.log]);
      collector?.take(station.room, result.rows);
    }
    free.push(station);
    return true;
  }
}
