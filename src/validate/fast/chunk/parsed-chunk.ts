import type { CountedRows } from '../../../model.ts';
import type { LoneRun, SkipLog } from '../../checks/skipped-rows.ts';
import type { IssueLog } from '../../issues/issue-log.ts';
import type { RuleCounts } from '../../rules/row-rules.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import type { Finding } from '../kernel-io/kernel-findings.ts';
import type { Chunk } from './load-chunk.ts';

/** The rows of a chunk, normalised in the slot's buffers, with an entry for each; duplicates are not known yet. */
export type ParsedChunk = {
  chunk: Chunk;
  /** Where the last row ends in the file, and the line that comes next. */
  end: number;
  nextLine: number;
  rows: number;
  outEnd: number;
  counts: CountedRows;
  skipped: SkipLog;
  /** What was taken off its values, as `unwrapIssues` counts it. */
  unwrapped: number[];
  /** What rules did. */
  ruled: RuleCounts;
  /** The run of lone cells with which it ends, and whether one may go on into it from the chunk before. */
  run: LoneRun;
  beginsWithRun: boolean;
  log: IssueLog;
  /** The log for issues that are found later, about the row at this line. */
  logAt: (line: number) => IssueLog;
  /** Issues that the slow path found. */
  findings: Finding[];
  /** How many positions its index has. */
  indexed: number;
  /** Rows that the slow path scanned, by the number of their entry. */
  slowPathRows: Map<number, ScannedRow>;
  reread: number;
};
