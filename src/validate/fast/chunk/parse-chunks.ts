import { setImmediate } from 'node:timers/promises';
import type { Issue, CountedRows } from '../../../model.ts';
import { nothingRead } from '../../../wording/account.ts';
import { addToLog, createIssueLog } from '../../issues/issue-log.ts';
import { addUnwrapped } from '../../issues/unwrap-issues.ts';
import { addToSkipLog, type SkipLog } from '../../checks/skipped-rows.ts';
import { addRuled, type RuleCounts } from '../../rules/row-rules.ts';
import type { PartitionIndex } from '../dedup/partitions.ts';
import type { Plan } from './plan.ts';
import { openSlot, type Loaded, type Slot } from './slot.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import { openCoordinator, type Coordinator } from './coordinator.ts';

export type Share = { plan: Plan; thread: number };

/** What one thread's chunks came to. */
export type Totals = {
  counts: CountedRows;
  skipped: SkipLog;
  unwrapped: number[];
  ruled: RuleCounts;
  issues: Record<string, number>;
  sample: Issue[];
  /** Where the parts are that this thread collected; null unless it collects parts. */
  parts: PartitionIndex | null;
};

/** A chunk and the slot that holds it. */
type Work = { slot: Slot; chunkIndex: number };
type LoadedWork = Work & { loaded: Loaded };
type ParsedWork = LoadedWork & { parsed: ParsedChunk | null };

/** Steps between returns to the event loop. A step is about a third of a chunk, so this is about 20 ms. */
const STEPS_AT_A_TIME = 12;

/** Parses chunks of a file until none is left or the coordinator stops the reading. */
export async function parseChunks({ plan, thread }: Share): Promise<Totals> {
  const coordinator = openCoordinator(plan.coordinator);
  try {
    return await parseAll(plan, thread, coordinator);
  } catch (error) {
    coordinator.stop('failed');
    throw error;
  }
}

/** While a chunk waits in its slot for chunks of other threads, the thread goes on with the next one. */
async function parseAll(plan: Plan, thread: number, coordinator: Coordinator): Promise<Totals> {
  const counts = nothingRead();
  const skipped: SkipLog = {};
  const unwrapped: number[] = [];
  const ruled: RuleCounts = [];
  const log = createIssueLog({ write: () => undefined }, { layout: null, tables: [], most: Infinity });
  const slots = await Promise.all(plan.layout.buffers[thread]!.map((buffers) => openSlot(plan, buffers, log)));
  const collector =
    plan.dedup.kind === 'collect'
      ? (await import('../dedup/collect-parts.ts')).createCollector(plan.dedup.parts, plan.layout)
      : null;
  const free = [...slots];
  const loaded: LoadedWork[] = [];
  const parsed: ParsedWork[] = [];
  for (let step = 1; coordinator.stopped() === null; step += 1) {
    if (step % STEPS_AT_A_TIME === 0) await setImmediate();
    const changes = coordinator.changes();
    if (commitNext() || parseNext() || loadNext()) continue;
    if (free.length === slots.length) break;
    coordinator.awaitChange(changes);
    await setImmediate();
  }
  for (const slot of slots) slot.countIn(log);
  return { counts, skipped, unwrapped, ruled, issues: log.counts, sample: log.sample, parts: collector?.end() ?? null };

  /** Returns false when no chunk is left to load, or no slot is free. */
  function loadNext(): boolean {
    const slot = free.at(-1);
    const chunkIndex = slot === undefined ? null : coordinator.nextChunk();
    if (slot === undefined || chunkIndex === null) return false;
    free.pop();
    const work = slot.load(chunkIndex);
    if (work === null) {
      coordinator.stop('slow-path');
    } else {
      coordinator.countLines(chunkIndex, work.lines);
      loaded.push({ slot, chunkIndex, loaded: work });
    }
    return true;
  }

  /** Returns false while the first line of the next chunk is unknown. */
  function parseNext(): boolean {
    const [work] = loaded;
    const line = work === undefined ? null : coordinator.firstLine(work.chunkIndex);
    if (work === undefined || line === null) return false;
    loaded.shift();
    parsed.push({ ...work, parsed: work.slot.parse(work.loaded, line) });
    return true;
  }

  /** Returns false while an earlier chunk is not committed. */
  function commitNext(): boolean {
    const [work] = parsed;
    if (work === undefined || !coordinator.isTurn(work.chunkIndex)) return false;
    parsed.shift();
    const { slot } = work;
    const result = slot.commit(work.loaded.chunk, work.parsed, coordinator.committed(), coordinator.commit);
    if (typeof result === 'string') {
      coordinator.stop(result);
    } else {
      for (const key of Object.keys(counts) as (keyof CountedRows)[]) counts[key] += result.counts[key];
      addToSkipLog(skipped, [result.skipped]);
      addUnwrapped(unwrapped, result.unwrapped);
      addRuled(ruled, result.ruled);
      if (result.log.sample.length > 0) addToLog(log, [result.log]);
      collector?.add(slot.buffers, result.rows);
    }
    free.push(slot);
    return true;
  }
}
