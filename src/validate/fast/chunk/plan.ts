import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { ListFile, TablePart, ValueHabits, Wraps } from '../../../model.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import type { ColumnMap } from '../../header/header.ts';
import type { ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import type { PartitionFile } from '../dedup/partitions.ts';
import type { KnownDuplicates } from '../dedup/known-duplicates.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { Sizes } from '../sizes.ts';

/** An open file, and its name for messages. */
export type OpenFile = { file: number; path: string };

/**
 * How duplicates are found: with a hash table of all parts, or, when that would be too large, in two passes. The first pass
 * collects parts and writes nothing; in the second the duplicates are known.
 */
export type DedupMode =
  | { kind: 'table'; table: number; slots: number }
  | { kind: 'collect'; parts: PartitionFile }
  | { kind: 'known'; duplicates: KnownDuplicates };

/** A file of several: how wide the rows of all are, and what issues about any of them name. `map` of the plan is that of all. */
export type MemberFile = { file: ListFile; width: number; charset: string; delimiter: string | null };

/** Everything that a thread needs to read its share of a file; plain data and shared memory. */
export type Plan = {
  module: WebAssembly.Module;
  layout: Layout;
  dedup: DedupMode;
  /** The memory of the coordinator. */
  coordinator: SharedArrayBuffer;
  settings: ReadSettings;
  map: ColumnMap;
  habits: ValueHabits | null;
  wraps: Wraps;
  dialect: ScanDialect;
  charset: string;
  scan: ScanOptions;
  /** The open files: the source, and the files for rows and for issues, or null. */
  source: number;
  rows: OpenFile | null;
  issues: OpenFile | null;
  issuesLayout: IssuesLayout;
  /** The table that the text was made of, if it was. */
  tables: TablePart[];
  /** Whether rows begin with their line number. */
  numbered: boolean;
  /** Whether a byte that is not UTF-8 ends the fast path. */
  onlyUtf8: boolean;
  sizes: Sizes;
  /** Which of several files it is that are read as one list; null where the delivery is one file. */
  member: MemberFile | null;
  /** Where the first chunk begins, and where the file ends. */
  start: number;
  size: number;
};
