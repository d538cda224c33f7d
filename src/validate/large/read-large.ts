import { availableParallelism } from 'node:os';
import { runInThread } from '../../thread.ts';
import { addToLog, type IssuesLayout } from '../issue-log.ts';
import { compiledKernel, openKernel, type Kernel } from '../kernel/kernel.ts';
import type { Reading } from '../read-rows.ts';
import type { ScanOptions } from '../scan-rows.ts';
import type { ScanDialect } from '../text-view.ts';
import { readLines, singleByteCharset } from './bytes.ts';
import { isPlainTable, layOut, type Layout } from './layout.ts';
import type { OpenFile, Plan } from './plan.ts';
import { addTable, slotsFor } from './settle-stretch.ts';
import type { Sizes } from './sizes.ts';
import { takeStretches, type Totals } from './take-stretches.ts';
import { createTurns, openTurns } from './turns.ts';

/** The rest of a file whose first rows were read, and where what is found goes. */
export type LargeFile = {
  source: number;
  size: number;
  dialect: ScanDialect;
  charset: string;
  scan: ScanOptions;
  /** Where the rows so far end, and the line that comes next. */
  start: number;
  line: number;
  /** The open files for rows and for issues with the bytes that are in them, or null. */
  rows: (OpenFile & { bytes: number }) | null;
  issues: (OpenFile & { bytes: number }) | null;
  issuesLayout: IssuesLayout;
  numbered: boolean;
  onlyUtf8: boolean;
  sizes: Sizes;
  /** The parts that were accepted so far, with their lines. */
  parts: { key: string; line: number }[];
};

/** More threads gain nothing: the duplicates are found by one at a time. */
const MOST_THREADS = 4;

/**
 * Reads a large file with kernels, in several threads where that helps. False: the file is not one that they can read, or it
 * turned out to be hostile; it must be read from its beginning with care then.
 */
export async function readLarge(file: LargeFile, reading: Reading, signal?: AbortSignal): Promise<boolean> {
  const { settings, map } = reading;
  const charset = file.charset === 'utf-8' ? null : singleByteCharset(file.charset);
  if (map === null || !isPlainTable({ settings, map, dialect: file.dialect })) return false;
  if (file.charset !== 'utf-8' && charset === null) return false;
  const bytes = file.size - file.start;
  const threads = Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.floor(bytes / file.sizes.thread)));
  const layout = layOut({ settings, map, dialect: file.dialect }, charset, {
    numbered: file.numbered,
    sizes: file.sizes,
    threads,
  });
  const plan = await planFor(file, reading, layout);
  const turns = openTurns(plan.turns);
  const interrupt = () => turns.stop('interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const totals = await Promise.all(layout.threads.map((_, thread) => startThread(plan, thread)));
    if (turns.stopped() === 'restart') return false;
    addTotals(reading, totals);
    return settings.onBadRow === 'drop' || reading.counts.rejectedLocally === 0;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** The first share is taken by this thread. */
function startThread(plan: Plan, thread: number): Promise<Totals> {
  if (thread === 0) return takeStretches({ plan, thread });
  return runInThread(
    { module: new URL('./take-stretches.ts', import.meta.url), name: 'takeStretches' },
    { plan, thread },
  );
}

async function planFor(file: LargeFile, { settings, map }: Reading, layout: Layout): Promise<Plan> {
  const module = await compiledKernel();
  const slots = slotsFor(estimateRows(file) + file.parts.length);
  const table = addTable(layout.memory, slots);
  addParts(openKernel(module, layout.memory), layout, { table, slots }, file.parts);
  const { source, size, start, line, rows, issues, issuesLayout, dialect, charset, scan, numbered, onlyUtf8, parts } =
    file;
  const state = {
    end: start,
    line,
    rowBytes: rows?.bytes ?? 0,
    issueBytes: issues?.bytes ?? 0,
    table,
    slots,
    used: parts.length,
    reread: 0,
  };
  return {
    module,
    layout,
    turns: createTurns(state),
    settings,
    map: map!,
    dialect,
    charset,
    scan,
    source,
    rows,
    issues,
    issuesLayout,
    numbered,
    onlyUtf8,
    sizes: file.sizes,
    start,
    size,
    stretches: Math.ceil((size - start) / file.sizes.stretch),
  };
}

/** By the lines of some bytes from the middle of the file, with a little to spare. */
function estimateRows({ source, start, size, sizes }: LargeFile): number {
  const sample = readLines(source, Math.floor((start + size) / 2), sizes.stretch);
  let lines = 1;
  for (let at = sample.indexOf(10); at !== -1; at = sample.indexOf(10, at + 1)) lines += 1;
  return ((size - start) / Math.max(sample.length, 1)) * lines * 1.04;
}

function addParts(
  kernel: Kernel,
  { memory, threads }: Layout,
  { table, slots }: { table: number; slots: number },
  parts: LargeFile['parts'],
): void {
  const [room] = threads as [Layout['threads'][number]];
  const bytes = Buffer.from(memory.buffer);
  const entry = new Uint32Array(memory.buffer, room.entries, 3);
  for (const { key, line } of parts) {
    const length = bytes.write(key, room.duplicates);
    kernel.hashKey(room.duplicates, room.duplicates + length);
    entry.set([kernel.hashLow.value, kernel.hashHigh.value, line]);
    kernel.findDuplicates(room.entries, 1, table, slots, room.duplicates);
  }
}

function addTotals(reading: Reading, totals: Totals[]): void {
  for (const { counts } of totals) {
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) reading.counts[key] += counts[key];
  }
  addToLog(
    reading.issues,
    totals.map(({ issues, sample }) => ({ counts: issues, sample })),
  );
}
