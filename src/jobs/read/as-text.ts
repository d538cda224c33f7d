import { join } from 'node:path';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Hints } from '../../detect/hints.ts';
import { own } from '../../io/dictionary.ts';
import type { TableFormat } from '../../model.ts';
import type { Unpacked } from '../../pull/unpack/unpack.ts';
import { openTables } from '../../tables/open-tables.ts';
import { NEAR_COLUMNS, type FoundRecords, type TableFile } from '../../tables/table-file.ts';
import { writeTables, type WrittenTables } from '../../tables/write-tables.ts';
import { FORMAT_NAMES } from '../../wording/files/dialect.ts';
import { counted } from '../../wording/words.ts';
import { chooseTables } from './choose-tables.ts';
import { tableCharset } from './table-charset.ts';

/**
 * The tables of a file as a text, what detection has to know of it, the settings with the names that the format has for columns,
 * and what a person has to choose or confirm, or null.
 */
export type AsText = {
  settings: ReadSettings;
  text: { name: string; path: string; bytes: number };
  table: NonNullable<Hints['table']>;
  undecided: Undecided | null;
  /** What of the tables is empty or was left out: it may be why no row is an offer. */
  notes: string[];
};

/** Why a person has to say which table of a file holds offers, and the setting that does it with what is most likely. */
export type Undecided = {
  reason: string;
  /** The reason without what the setting has to say: a file that is joined has none. */
  what: string;
  setting: { sheet: string } | { records: string };
  /** No other list could be the one: nothing is left to decide when its columns are found. */
  isOnly: boolean;
};

/** Writes the table that holds offers as a text into the folder: it is read like one. Throws `file-rejected`. */
export async function asText(
  { name, path, format }: Pick<Unpacked, 'name' | 'path'> & { format: TableFormat },
  { folder, settings: set, signal }: { folder: string; settings: ReadSettings; signal?: AbortSignal | undefined },
): Promise<AsText> {
  const { limits, records } = set;
  const charset = await tableCharset(path, format, set);
  await using file = await openTables(format, { path, name, folder, limits, records, charset, signal });
  const settings = withNames(set, file.columnNames);
  const { tables, others, leftOut } = await chooseTables(file, { format, name, folder, settings, hints: settings });
  const target = join(folder, 'table.txt');
  const { bytes, parts, emptyColumns, ...written } = await writeTables(file, tables, { path: target, limits });
  const notes = [...changeNotes(written), ...leftOutNotes(leftOut), ...file.notes(), ...emptyNotes(emptyColumns)];
  const evidence = [tablesSentence(file, tables, format), ...notes];
  const undecided = severalSheets(file, tables, others) ?? foundRecords(file.found);
  return {
    text: { name, path: target, bytes },
    table: { format, parts, isHeaded: file.isHeaded, evidence },
    settings,
    undecided,
    notes,
  };
}

function emptyNotes(columns: number): string[] {
  if (columns === 0) return [];
  return [
    `${counted(columns, 'empty column')} behind column ${NEAR_COLUMNS} ${columns === 1 ? 'was' : 'were'} left out.`,
  ];
}

/** What a format calls a column is known, unless the configuration says what the supplier calls it. */
function withNames(settings: ReadSettings, columnNames: Record<string, string>): ReadSettings {
  const columns = settings.columns.map((column) => {
    const name = own(columnNames, column.key);
    const isSet = column.configured.length > 0 || column.position !== null;
    return name === undefined || isSet ? column : { ...column, names: [...new Set([...column.names, name])] };
  });
  return { ...settings, columns };
}

/** What stands otherwise in the text than in the cells of the table. */
function changeNotes({ filled, delimiter }: Pick<WrittenTables, 'filled' | 'delimiter'>): string[] {
  if (delimiter !== null) {
    return [`Each cell holds a whole line of a CSV file; the lines were split at ${JSON.stringify(delimiter)}.`];
  }
  const it = filled === 1 ? 'it' : 'them';
  return filled === 0 ? [] : [`${counted(filled, 'cell')} got the value of the merged cell that covers ${it}.`];
}

/** Sheets that were looked at and are not read. */
function leftOutNotes(sheets: string[]): string[] {
  if (sheets.length === 0) return [];
  const shown = sheets.slice(0, MOST_NAMES).map((sheet) => JSON.stringify(sheet));
  const more = sheets.length > shown.length ? `, and ${sheets.length - shown.length} more` : '';
  return [
    `${counted(sheets.length, 'sheet')} ${sheets.length === 1 ? 'was' : 'were'} left out: ${shown.join(', ')}${more}.`,
  ];
}

function tablesSentence(file: TableFile, tables: number[], format: TableFormat): string {
  const what = `The file is ${/^[AEOX]/.test(FORMAT_NAMES[format]) ? 'an' : 'a'} ${FORMAT_NAMES[format]}`;
  const names = tables.flatMap((at) => file.tables[at]!.name ?? []).map((name) => `"${name}"`);
  if (names.length === 0) return `${what}.`;
  return `${what} with ${counted(file.tables.length, 'sheet')}; ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} read.`;
}

/** What a person has to confirm of records that were found by what they look like. */
function foundRecords(found: FoundRecords | null): Undecided | null {
  if (found === null) return null;
  const names = found.names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const more = found.names.length > names.length ? `, and ${found.names.length - names.length} more` : '';
  const what =
    `It is not certain which part of the file is the list of offers. ${counted(found.records, 'record')} at ` +
    `${JSON.stringify(found.path)} may be it, with ${names.join(', ')}${more}${otherLists(found)}.`;
  const reason = `${what} To confirm it, set feeds.NAME.records to ${JSON.stringify(found.path)}.`;
  return { reason, what, setting: { records: found.path }, isOnly: found.isOnly };
}

/** Lists in the records that may be meant, or the list around them. */
function otherLists({ others }: FoundRecords): string {
  const paths = others.slice(0, MOST_NAMES).map((path) => JSON.stringify(path));
  return paths.length === 0 ? '' : `; so may those at ${paths.join(', ')}`;
}

/** Names of columns that are shown of records. */
const MOST_NAMES = 20;

function severalSheets(file: TableFile, tables: number[], others: string[]): Undecided | null {
  if (others.length === 0) return null;
  const first = file.tables[tables[0]!]!.name ?? '';
  const names = [first, ...others].map((sheet) => JSON.stringify(sheet)).join(', ');
  const what = `Several sheets hold offers: ${names}.`;
  const reason =
    `${what} Set feeds.NAME.sheet to the one that is the price list, to a pattern that fits ` +
    'its name in every delivery, or to "all" to read all of them as one list.';
  return { reason, what, setting: { sheet: first }, isOnly: false };
}
