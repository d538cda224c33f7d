import type { LentFile } from '../../../io/text-writer.ts';
import type { TablePart } from '../../../model.ts';
import type { Reading } from '../../checks/read-rows.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import type { ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import type { EarlyPart } from '../dedup/part-table.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { Sizes } from '../sizes.ts';
import type { DedupMode, MemberFile, Plan } from '../chunk/plan.ts';
import type { Pool } from './pool.ts';
import type { Totals } from '../chunk/parse-chunks.ts';
import { createCoordinator, openCoordinator, type Committed, type StopReason } from '../chunk/coordinator.ts';

/** The rest of a file whose first rows were read, and where rows and issues go. */
export type FastFile = {
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
  /** The table that the text was made of, if it was. */
  tables: TablePart[];
  numbered: boolean;
  onlyUtf8: boolean;
  sizes: Sizes;
  /** Characters that were read a second time so far, after unclosed quotes. */
  reread: number;
  /** The parts that were accepted so far. */
  parts: EarlyPart[];
  /** Where temporary files go. */
  folder: string;
  /** Which of several files it is, and how many parts of those before it are known; absent where the delivery is one file. */
  member?: MemberFile & { known: number };
  /** Is told again and again up to which byte the file is read. */
  onRead: (position: number) => void;
};

/** A file on the fast path, and what reading it needs. */
export type FastWork = {
  file: FastFile;
  reading: Reading;
  layout: Layout;
  module: WebAssembly.Module;
  pool: Pool;
  signal: AbortSignal | undefined;
};

/** The totals of the threads, the state after the last committed chunk, and why the reading stopped early, or null. */
export type Outcome = { totals: Totals[]; committed: Committed; stopped: StopReason | null };

/** Milliseconds between two looks at how much is read. */
const GAUGED_EVERY = 100;

/** Has a pool parse all chunks of a file; the signal stops it. */
export async function runThreads(
  plan: Plan,
  { pool, signal, file }: Pick<FastWork, 'pool' | 'signal' | 'file'>,
): Promise<Outcome> {
  const coordinator = openCoordinator(plan.coordinator);
  const interrupt = () => coordinator.stop('interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  const gauging = setInterval(() => file.onRead(coordinator.committed().end), GAUGED_EVERY);
  try {
    // A thread that dies cannot notify the others, which wait for its chunk.
    const totals = await together(pool.parseChunks(plan), () => coordinator.stop('failed'));
    return { totals, committed: coordinator.committed(), stopped: coordinator.stopped() };
  } finally {
    clearInterval(gauging);
    signal?.removeEventListener('abort', interrupt);
  }
}

/**
 * Awaits all results. When one fails, the others are stopped and awaited too: their files are closed afterwards, and the next
 * file to be opened may get the same descriptor, into which a thread still running would write.
 */
export async function together<T>(works: Promise<T>[], stop: () => void): Promise<T[]> {
  const all = Promise.all(works);
  all.catch(stop);
  await Promise.allSettled(works);
  return all;
}

/** Plans one pass over a file. */
export function planFor({ file, reading, layout, module }: FastWork, dedup: DedupMode): Plan {
  const { source, size, start, line, rows, issues, issuesLayout, tables, dialect, charset, scan, numbered, onlyUtf8 } =
    file;
  const [rowBytes, issueBytes] = [rows?.bytes ?? 0, issues?.bytes ?? 0];
  const isWritten = dedup.kind !== 'collect';
  return {
    module,
    layout,
    dedup,
    coordinator: createCoordinator(
      {
        end: start,
        line,
        rowBytes,
        issueBytes,
        used: file.parts.length + (file.member?.known ?? 0),
        reread: file.reread,
        runLength: reading.run.length,
        runNext: reading.run.next,
      },
      Math.ceil((size - start) / file.sizes.chunk),
    ),
    settings: reading.settings,
    map: reading.map!,
    habits: reading.detection.habits,
    wraps: reading.detection.wraps,
    dialect,
    charset,
    scan,
    source,
    rows: isWritten ? rows : null,
    issues: isWritten ? issues : null,
    issuesLayout: isWritten ? issuesLayout : null,
    tables,
    member: file.member ?? null,
    numbered,
    onlyUtf8,
    sizes: file.sizes,
    start,
    size,
  };
}
