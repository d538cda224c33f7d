import type { TablePart } from '../../../model.ts';
import { addUnwrapped } from '../../issues/unwrap-issues.ts';
import { addRuled } from '../../rules/row-rules.ts';
import { addToSkipLog } from '../../checks/skipped-rows.ts';
import { addToLog } from '../../issues/issue-log.ts';
import { compiledKernel, openKernel } from '../wasm/kernel.ts';
import type { Reading } from '../../checks/read-rows.ts';
import { readInto } from '../../../io/read-pieces.ts';
import { singleByteCharset } from '../chunk/bytes.ts';
import { isPlainName } from '../kernel-io/finding-templates.ts';
import { isPlainTable, layOut } from '../kernel-io/layout.ts';
import { addTable, forEachEntry, slotsFor, slotsIn } from '../dedup/part-table.ts';
import { planFor, runThreads, type FastFile, type FastWork, type Outcome } from './run-threads.ts';
import type { Totals } from '../chunk/parse-chunks.ts';
import type { Committed } from '../chunk/coordinator.ts';

/** The assumed length of rows once the estimate proved too low: partitions that stay small cost little. */
const SHORT_ROW_BYTES = 16;

/**
 * Reads the rest of a large file with kernels, in several threads where that helps; returns where rows and issues end.
 * Returns null when kernels cannot read the file, or it turned out to be hostile: then the slow path must read all of it.
 */
export async function readFast(
  file: FastFile,
  reading: Reading,
  { pool, signal }: Pick<FastWork, 'pool' | 'signal'>,
): Promise<Pick<Committed, 'rowBytes' | 'issueBytes'> | null> {
  const { settings, map } = reading;
  const { habits, wraps } = reading.detection;
  const charset = file.charset === 'utf-8' ? null : singleByteCharset(file.charset);
  if (map === null || !isPlainTable({ settings, map, dialect: file.dialect })) return null;
  if (file.charset !== 'utf-8' && charset === null) return null;
  const named: Pick<TablePart, 'file' | 'sheet'> = file.tables[0] ?? { sheet: null };
  if (![named.file, named.sheet].every((name) => name == null || isPlainName(name))) return null;
  const { numbered, issuesLayout, onlyUtf8, sizes } = file;
  const table = { settings, map, habits, wraps, dialect: file.dialect, charset: file.charset };
  const module = await compiledKernel();
  const layout = layOut(table, charset, {
    numbered,
    issuesLayout,
    table: named,
    ofSeveral: false,
    onlyUtf8,
    sizes,
    threads: pool.size,
    module,
  });
  const work: FastWork = { file, reading, layout, module, pool, signal };
  const rows = estimateRows(file) + file.parts.length;
  // The second of two passes finds a duplicate by its line, and lines with several numbers have several parts.
  const hasOnePass = settings.numbers?.take === 'each';
  if (hasOnePass && slotsFor(rows) > slotsIn(sizes.table)) return null;
  const onePass = slotsFor(rows) > slotsIn(sizes.table) ? null : await readWithTable(work, rows);
  if (hasOnePass && onePass?.stopped === 'table-full') return null;
  const { totals, stopped, committed } =
    onePass === null || onePass.stopped === 'table-full'
      ? await dedupInTwoPasses(work, onePass === null ? rows : (file.size - file.start) / SHORT_ROW_BYTES)
      : onePass;
  if (stopped === 'slow-path') return null;
  addTotals(reading, totals);
  return settings.onBadRow === 'drop' || reading.counts.rejectedLocally === 0 ? committed : null;
}

/** Loaded on demand: few files have so many parts. */
async function dedupInTwoPasses(work: FastWork, rows: number): Promise<Outcome> {
  const twoPass = await import('./two-pass.ts');
  return twoPass.dedupInTwoPasses(work, rows);
}

function readWithTable(work: FastWork, rows: number): Promise<Outcome> {
  const { file, layout, module } = work;
  const slots = slotsFor(rows);
  const table = addTable(layout.memory, slots);
  const kernel = openKernel(module, layout.memory);
  forEachEntry(kernel, layout, file.parts, (buffers) => {
    kernel.findDuplicates(buffers.entries, 1, table, slots, buffers.duplicates);
  });
  return runThreads(planFor(work, { kind: 'table', table, slots }), work);
}

/** Bytes of a sample, and into how many of them a file is parted at most. */
const LEAST_SAMPLE = 64 * 1024;
const PARTS = 64;

/** Estimates the rows from the line ends in a sample of the middle of the file, with a small margin. */
export function estimateRows({
  source,
  start,
  size,
  sizes,
}: Pick<FastFile, 'source' | 'start' | 'size' | 'sizes'>): number {
  const bytes = Buffer.allocUnsafe(Math.min(sizes.chunk, Math.max(LEAST_SAMPLE, Math.ceil(size / PARTS))));
  const sample = bytes.subarray(0, readInto(source, bytes, 0, bytes.length, Math.floor((start + size) / 2)));
  let lines = 1;
  for (let at = sample.indexOf(10); at !== -1; at = sample.indexOf(10, at + 1)) lines += 1;
  return ((size - start) / Math.max(sample.length, 1)) * lines * 1.04;
}

/** Adds what the threads have counted to what was counted before. */
export function addTotals(reading: Reading, totals: Totals[]): void {
  for (const { counts, unwrapped, ruled } of totals) {
    addUnwrapped(reading.unwrapped, unwrapped);
    addRuled(reading.ruled, ruled);
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) reading.counts[key] += counts[key];
  }
  addToSkipLog(
    reading.skipped,
    totals.map(({ skipped }) => skipped),
  );
  addToLog(
    reading.issues,
    totals.map(({ issues, sample }) => ({ counts: issues, sample })),
  );
}
