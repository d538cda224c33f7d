import { setImmediate } from 'node:timers/promises';
import type { Issue, LocalCounts } from '../../../model.ts';
import { addToLog, createIssueLog } from '../../issues/issue-log.ts';
import type { PartitionIndex } from '../dedup/partitions.ts';
import type { Plan } from '../driver/plan.ts';
import { openSlot, type Loaded, type Slot } from './slot.ts';
import type { ParsedChunk } from './parse-chunk.ts';
import { openCoordinator, type Coordinator } from '../driver/coordinator.ts';

export type Share = { plan: Plan; thread: number };

/** What one thread's chunks came to. */
export type Totals = {
  counts: LocalCounts;
  issues: Record<string, number>;
  sample: Issue[];
  /** Where the parts are that it collected, when that is its duty. */
  parts: PartitionIndex | null;
};

/** A chunk on its way, and where it is. */
type Work = { slot: Slot; chunkIndex: number };
type LoadedWork = Work & { loaded: Loaded };
type TakenWork = LoadedWork & { taken: ParsedChunk | null };

/** After so many steps, a third of a chunk each, a thread looks whether anything else is to be done: some 20 ms. */
const STEPS_AT_A_TIME = 12;

/** Takes chunks of a file until none is left, or the turns were stopped. */
export async function parseChunks({ plan, thread }: Share): Promise<Totals> {
  const coordinator = openCoordinator(plan.coordinator);
  try {
    return await takeAll(plan, thread, coordinator);
  } catch (error) {
    coordinator.stop('failed');
    throw error;
  }
}

/** A chunk that has to wait for those of other threads is left at its slot, and another one begun. */
async function takeAll(plan: Plan, thread: number, coordinator: Coordinator): Promise<Totals> {
  const counts: LocalCounts = { read: 0, accepted: 0, rejectedLocally: 0, duplicates: 0 };
  const log = createIssueLog({ write: () => undefined }, { layout: null, most: Infinity });
  const slots = await Promise.all(plan.layout.rooms[thread]!.map((room) => openSlot(plan, room, log)));
  const collector =
    plan.duty.kind === 'collect'
      ? (await import('../dedup/collect-parts.ts')).createCollector(plan.duty.parts, plan.layout)
      : null;
  const free = [...slots];
  const loaded: LoadedWork[] = [];
  const taken: TakenWork[] = [];
  for (let step = 1; coordinator.stopped() === null; step += 1) {
    if (step % STEPS_AT_A_TIME === 0) await setImmediate();
    const news = coordinator.news();
    if (finishNext() || takeNext() || loadNext()) continue;
    if (free.length === slots.length) break;
    coordinator.awaitNews(news);
    await setImmediate();
  }
  for (const slot of slots) slot.countIn(log);
  return { counts, issues: log.counts, sample: log.sample, parts: collector?.end() ?? null };

  /** False: there is nothing to load, or no slot for it. */
  function loadNext(): boolean {
    const slot = free.at(-1);
    const chunkIndex = slot === undefined ? null : coordinator.nextChunk();
    if (slot === undefined || chunkIndex === null) return false;
    free.pop();
    const work = slot.load(chunkIndex);
    if (work === null) {
      coordinator.stop('restart');
    } else {
      coordinator.countLines(chunkIndex, work.lines);
      loaded.push({ slot, chunkIndex, loaded: work });
    }
    return true;
  }

  /** False: the line is not known with which the next chunk begins. */
  function takeNext(): boolean {
    const [work] = loaded;
    const line = work === undefined ? null : coordinator.firstLine(work.chunkIndex);
    if (work === undefined || line === null) return false;
    loaded.shift();
    taken.push({ ...work, taken: work.slot.take(work.loaded, line) });
    return true;
  }

  /** False: it is not the turn of the next chunk. */
  function finishNext(): boolean {
    const [work] = taken;
    if (work === undefined || !coordinator.isTurn(work.chunkIndex)) return false;
    taken.shift();
    const { slot } = work;
    const result = slot.finish(work.loaded.chunk, work.taken, coordinator.settled(), coordinator.settle);
    if (typeof result === 'string') {
      coordinator.stop(result);
    } else {
      for (const key of Object.keys(counts) as (keyof LocalCounts)[]) counts[key] += result.counts[key];
      if (result.log.sample.length > 0) addToLog(log, [result.log]);
      collector?.take(slot.room, result.rows);
    }
    free.push(slot);
    return true;
  }
}
