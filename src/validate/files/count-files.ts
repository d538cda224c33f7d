import type { FileCounts, ListFile, CountedRows } from '../../model.ts';

/** The counts of all files so far, and the lone cells among the skipped ones. */
type Seen = CountedRows & { lone: number };

/** What had been counted when each file of a delivery of several began. */
export type FileTally = { files: ListFile[]; before: Seen[] };

/** Counts the rows of each of several files; null where the delivery is one file. */
export function tallyOf(files: ListFile[] | undefined): FileTally | null {
  return files === undefined ? null : { files, before: [] };
}

/** Notes that a row is next, which may be the first of its file. */
export function noteLine(tally: FileTally | null, line: number, counts: CountedRows, lone: number): void {
  if (tally === null) return;
  const { files, before } = tally;
  while (before.length < files.length && line >= files[before.length]!.line) before.push({ ...counts, lone });
}

/**
 * The account of each file: their sum is that of all. `unskipped`: lone cells were no headings after all, and count as read and rejected.
 */
export function countsByFile({ files, before }: FileTally, counts: CountedRows, unskipped: number): FileCounts[] {
  const skipped = counts.skipped + unskipped;
  const [read, rejectedLocally] = [counts.read - unskipped, counts.rejectedLocally - unskipped];
  const end: Seen = { ...counts, read, rejectedLocally, skipped, lone: unskipped };
  return files.map(({ name }, at) => {
    const [from, to] = [before[at] ?? end, before[at + 1] ?? end];
    const moved = unskipped === 0 ? 0 : to.lone - from.lone;
    return {
      file: name,
      read: to.read - from.read + moved,
      expanded: to.expanded - from.expanded,
      accepted: to.accepted - from.accepted,
      rejectedLocally: to.rejectedLocally - from.rejectedLocally + moved,
      duplicates: to.duplicates - from.duplicates,
      leftOut: to.leftOut - from.leftOut,
      skipped: to.skipped - from.skipped - moved,
    };
  });
}
