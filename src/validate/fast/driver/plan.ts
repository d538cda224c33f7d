import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { IssuesLayout } from '../../issues/issue-log.ts';
import type { ColumnMap } from '../../checks/header.ts';
import type { ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import type { PartitionFile } from '../dedup/partitions.ts';
import type { KnownDuplicates } from '../dedup/known-duplicates.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { Sizes } from './sizes.ts';

/** A file that is written, and its name for messages. */
export type OpenFile = { file: number; path: string };

/**
 * How duplicates are found: by a table of all parts, as large as the file lets expect; or, where it would be too large, by reading
 * twice. The first time parts are collected and nothing is written, the second time it is known which are duplicates.
 */
export type DedupMode =
  | { kind: 'table'; table: number; slots: number }
  | { kind: 'collect'; parts: PartitionFile }
  | { kind: 'known'; duplicates: KnownDuplicates };

/** All that a thread needs to read its share of a file; plain data and shared memory. */
export type Plan = {
  module: WebAssembly.Module;
  layout: Layout;
  duty: DedupMode;
  /** The memory of the coordinator. */
  coordinator: SharedArrayBuffer;
  settings: ReadSettings;
  map: ColumnMap;
  dialect: ScanDialect;
  charset: string;
  scan: ScanOptions;
  /** The open files: the source, and those for rows and for issues or null. */
  source: number;
  rows: OpenFile | null;
  issues: OpenFile | null;
  issuesLayout: IssuesLayout;
  /** Whether rows begin with their line number. */
  numbered: boolean;
  /** Whether the file has to be read in another way when there is a byte in it that is not UTF-8. */
  onlyUtf8: boolean;
  sizes: Sizes;
  /** Where the first chunk begins, and where the file ends. */
  start: number;
  size: number;
};
