import { basename } from 'node:path';
import { rm } from 'node:fs/promises';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { readSettings, type ReadSettings } from '../../config/schema/feed-settings.ts';
import { isNameOfAnother } from '../../config/schema/match-names.ts';
import { OfferlineError } from '../../errors.ts';
import { nameFeed } from '../../jobs/feeds/name-feed.ts';
import type { Undecided } from '../../jobs/read/as-text.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import type { ColumnMapping, Detection, JoinedFile } from '../../model.ts';
import { ruleColumnText } from '../../wording/reasons/rule-reasons.ts';
import { unsureCellsText, type UnsureCells } from '../../wording/columns/unsure-cells.ts';
import { unsureColumnsText } from '../../wording/columns/unsure-columns.ts';
import { counted } from '../../wording/words.ts';
import { sayTemporaryFull, temporaryFolder } from '../../io/temporary-folder.ts';
import type { FileGroup } from './group-files.ts';

/** What a feed's configuration will say, and what it rests on. */
export type FeedProposal = FileGroup & {
  /** The text file inside the newest delivery. */
  inner: string;
  detection: Detection;
  /** Why its dialect or its columns are not certain, or why the file cannot be used; null when it would be uploaded. */
  reason: string | null;
  /** Which table of the file a person has to confirm, as the setting that does it. */
  table: Undecided['setting'] | null;
  /** What a person has to say about several values in one cell, if anything. */
  cells: UnsureCells | null;
  rows: { read: number; accepted: number; duplicates: number } | null;
  /** What came of each file that was joined to the list; absent where none was. */
  joined?: JoinedFile[];
  /** Rows of the list with a number that none of these files has. */
  withoutAny?: number;
  /** Which files of an archive are read as one list, or which one is the list; null where it has one, or is none. */
  entries: 'all' | string[] | null;
  entry: string | null;
  /** The files of an archive that are left out; absent where all are read. */
  unread?: string[];
  /** The columns that a person has chosen: header names, or positions where there is no header. */
  columns: Record<string, string | number>;
  /** What a person has said about the dialect. */
  dialect: { charset?: string; delimiter?: string };
};

/** The keys without which a file is of no use, in the order in which they are asked for. */
export function openColumns({ detection, columns }: FeedProposal): string[] {
  return readSettings(READING_DEFAULTS)
    .columns.filter(({ key, required }) => required && columns[key] === undefined && !isSure(detection.mapping, key))
    .map(({ key }) => key);
}

/** The name in the header, or the position where there is none, several columns have it, or it is known of another key. */
export function settingFor(
  { key, column, position }: Pick<ColumnMapping, 'key' | 'column' | 'position'>,
  { columns }: Detection,
): string | number {
  const isUnique = column !== null && columns.filter((name) => name === column).length === 1;
  return isUnique && !isNameOfAnother(readSettings(READING_DEFAULTS).columns, key, column) ? column : position;
}

function isSure(mapping: ColumnMapping[], key: string): boolean {
  return mapping.some((column) => column.key === key && column.sure);
}

/**
 * Reads the newest file of a group with the default settings, and with what a person has chosen. Returns the reason alone when
 * there is no text in it that offerline can read, or no table.
 */
export async function proposeFeed(
  group: FileGroup,
  chosen: Pick<FeedProposal, 'columns' | 'dialect'>,
  signal: AbortSignal,
): Promise<FeedProposal | { reason: string }> {
  const { readGroup } = await import('./read-group.ts');
  const folder = await temporaryFolder('init');
  const [path] = group.files as [string];
  try {
    const { read, entries, entry, unread } = await readGroup(group, settingsWith(chosen, group), folder, signal);
    const { detection, name } = read;
    const rows = read.validation?.counts ?? null;
    if (isNoTable(detection)) return { reason: noTableText(path, read.bytes) };
    const cells = read.unsure === 'cells' ? read.reason : null;
    const table = read.unsure === 'dialect' ? read.setting : null;
    const reason = reasonOf(read, group);
    const { joined, withoutAny } = read;
    const found = { inner: name, detection, reason, table, cells, rows, entries, entry };
    const beside = {
      ...(joined === undefined ? {} : { joined }),
      ...(withoutAny === undefined ? {} : { withoutAny }),
      ...(unread.length === 0 ? {} : { unread }),
    };
    return { ...group, ...chosen, ...found, ...beside };
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'file-rejected') return { reason: error.message };
    throw sayTemporaryFull(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One column of which nothing looks like part numbers: a damaged workbook of a few bytes, a note to the reader. */
function isNoTable({ width, mapping, readings }: Detection): boolean {
  return width < 2 && readings.length < 2 && mapping.every(({ key }) => key !== 'oem');
}

/** Files whose bytes say what they are, so that text under such a name is damage. */
const BINARY_NAME = /\.(xlsx|xlsm|xls|ods|zip|gz|7z|rar|pdf|docx?|mdb|dbf)$/iu;

function noTableText(path: string, bytes: number): string {
  const [, kind] = BINARY_NAME.exec(path) ?? [];
  const what = kind === undefined ? '' : `no ${kind.toLowerCase()} file, but ${counted(bytes, 'byte')} of text, and `;
  return `${basename(path)} is ${what}no table: it has one column, in which nothing looks like part numbers. Ask for the price list as CSV or text.`;
}

function reasonOf(read: ReadResult, { name }: FileGroup): string | null {
  if (read.unsure === 'columns') return unsureColumnsText(read.reason, name);
  if (read.unsure === 'cells') return unsureCellsText(read.reason, name);
  if (read.unsure === 'rules') return ruleColumnText(read.reason, name);
  const reason = read.unsure === null ? read.validation.reason : read.reason;
  return reason === null ? null : nameFeed(reason, name);
}

function settingsWith(
  { columns, dialect }: Pick<FeedProposal, 'columns' | 'dialect'>,
  { join }: FileGroup,
): ReadSettings {
  const settings = { ...readSettings(READING_DEFAULTS), ...dialect, join: join ?? null };
  for (const column of settings.columns) {
    const chosen = columns[column.key];
    if (typeof chosen === 'number') column.position = chosen;
    else if (chosen !== undefined) column.names = [...column.names, chosen];
  }
  return settings;
}
