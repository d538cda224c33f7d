import { join } from 'node:path';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Hints } from '../../detect/detect.ts';
import type { Format } from '../../model.ts';
import type { Unpacked } from '../../pull/unpack/unpack.ts';
import { openTables } from '../../tables/open-tables.ts';
import type { TableFile } from '../../tables/table-file.ts';
import { writeTables } from '../../tables/write-tables.ts';
import { FORMAT_NAMES } from '../../wording/files/dialect.ts';
import { counted } from '../../wording/words.ts';
import { chooseTables } from './choose-tables.ts';

/** The tables of a file as a text, what detection has to know of it, and why a person has to choose the sheet, or null. */
export type AsText = {
  text: { name: string; path: string; bytes: number };
  table: NonNullable<Hints['table']>;
  undecided: string | null;
};

/** Writes the table that holds offers as a text into the folder: it is read like one. Throws `file-rejected`. */
export async function asText(
  { name, path, format }: Unpacked & { format: Exclude<Format, 'text'> },
  { folder, settings, signal }: { folder: string; settings: ReadSettings; signal?: AbortSignal | undefined },
): Promise<AsText> {
  const { limits } = settings;
  await using file = await openTables(format, { path, name, folder, limits, signal });
  const { tables, others } = await chooseTables(file, { format, name, folder, settings, hints: settings });
  const target = join(folder, 'table.txt');
  const { bytes, parts } = await writeTables(file, tables, { path: target, limits });
  const evidence = [tablesSentence(file, tables, format), ...file.notes()];
  const undecided = others.length === 0 ? null : choiceSentence([file.tables[tables[0]!]!.name ?? '', ...others]);
  return { text: { name, path: target, bytes }, table: { format, parts, evidence }, undecided };
}

function tablesSentence(file: TableFile, tables: number[], format: Format): string {
  const names = tables.map((at) => `"${file.tables[at]!.name}"`).join(', ');
  return `The file is an ${FORMAT_NAMES[format]} with ${counted(file.tables.length, 'sheet')}; ${names} is read.`;
}

function choiceSentence(sheets: string[]): string {
  const names = sheets.map((sheet) => JSON.stringify(sheet)).join(', ');
  return (
    `Several sheets hold offers: ${names}. Set feeds.NAME.sheet to the one that is the price list, to a pattern that fits ` +
    'its name in every delivery, or to "all" to read all of them as one list.'
  );
}
