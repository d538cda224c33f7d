import type { LentFile } from '../../../io/text-writer.ts';
import { addToLog, type IssuesLayout } from '../../issues/issue-log.ts';
import { compiledKernel, openKernel } from '../wasm/kernel.ts';
import type { Reading } from '../../read-rows.ts';
import type { ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import { readInto, singleByteCharset } from '../chunk/bytes.ts';
import type { Pool } from './pool.ts';
import { isPlainTable, layOut, type Layout } from '../kernel-io/layout.ts';
import { addTable, forEachEntry, slotsFor, slotsIn, type EarlyPart } from '../dedup/part-table.ts';
import { planFor, runThreads, type Outcome } from './run-threads.ts';
import type { Sizes } from './sizes.ts';
import type { Totals } from '../chunk/parse-chunks.ts';
import type { Settled } from './coordinator.ts';

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
  /** The ends of the files for rows and for issues, or null. */
  rows: LentFile | null;
  issues: LentFile | null;
  issuesLayout: IssuesLayout;
  numbered: boolean;
  onlyUtf8: boolean;
  sizes: Sizes;
  /** The parts that were accepted so far. */
  parts: EarlyPart[];
  /** Where temporary files go. */
  folder: string;
};

/** A file, what is known of it, and what its reading came to. */
export type LargeWork = {
  file: LargeFile;
  reading: Reading;
  layout: Layout;
  module: WebAssembly.Module;
  pool: Pool;
  signal: AbortSignal | undefined;
};

/** What rows are taken for where the middle of the file let expect too few: partitions that stay small cost little. */
const SHORT_ROW_BYTES = 16;

/**
 * Reads a large file with kernels, in several threads where that helps; answers where rows and issues end. Null: the file is not one that they can read, or it
 * turned out to be hostile; it must be read from its beginning with care then.
 */
export async function readLarge(
  file: LargeFile,
  reading: Reading,
  { pool, signal }: Pick<LargeWork, 'pool' | 'signal'>,
): Promise<Pick<Settled, 'rowBytes' | 'issueBytes'> | null> {
  const { settings, map } = reading;
  const charset = file.charset === 'utf-8' ? null : singleByteCharset(file.charset);
  if (map === null || !isPlainTable({ settings, map, dialect: file.dialect })) return null;
  if (file.charset !== 'utf-8' && charset === null) return null;
  const { numbered, issuesLayout, onlyUtf8, sizes } = file;
  const layout = layOut({ settings, map, dialect: file.dialect }, charset, {
    numbered,
    issuesLayout,
    onlyUtf8,
    sizes,
    threads: pool.size,
  });
  const work: LargeWork = { file, reading, layout, module: await compiledKernel(), pool, signal };
  const rows = estimateRows(file) + file.parts.length;
  const once = slotsFor(rows) > slotsIn(sizes.table) ? null : await readWithTable(work, rows);
  const { totals, stopped, settled } =
    once === null || once.stopped === 'crowded'
      ? await dedupInTwoPasses(work, once === null ? rows : (file.size - file.start) / SHORT_ROW_BYTES)
      : once;
  if (stopped === 'restart') return null;
  addTotals(reading, totals);
  return settings.onBadRow === 'drop' || reading.counts.rejectedLocally === 0 ? settled : null;
}

/** Few files have so many parts. */
async function dedupInTwoPasses(work: LargeWork, rows: number): Promise<Outcome> {
  const twice = await import('../dedup/two-pass.ts');
  return twice.dedupInTwoPasses(work, rows);
}

function readWithTable(work: LargeWork, rows: number): Promise<Outcome> {
  const { file, layout, module } = work;
  const slots = slotsFor(rows);
  const table = addTable(layout.memory, slots);
  const kernel = openKernel(module, layout.memory);
  forEachEntry(kernel, layout, file.parts, (room) => {
    kernel.findDuplicates(room.entries, 1, table, slots, room.duplicates);
  });
  return runThreads(planFor(work, { kind: 'table', table, slots }), work);
}

/** By the line ends in some bytes from the middle of the file, with a little to spare. */
function estimateRows({ source, start, size, sizes }: LargeFile): number {
  const bytes = Buffer.allocUnsafe(sizes.chunk);
  const sample = bytes.subarray(0, readInto(source, bytes, 0, bytes.length, Math.floor((start + size) / 2)));
  let lines = 1;
  for (let at = sample.indexOf(10); at !== -1; at = sample.indexOf(10, at + 1)) lines += 1;
  return ((size - start) / Math.max(sample.length, 1)) * lines * 1.04;
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
