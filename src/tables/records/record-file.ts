import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from '../../io/refusal.ts';
import { openTextWriter } from '../../io/text-writer.ts';
import { counted } from '../../wording/words.ts';
import { fitCells } from '../fit-row.ts';
import { RowCells } from '../row-cells.ts';
import type { TableFile, TableInput, TableRow } from '../table-file.ts';
import { exhaust } from '../text-pieces.ts';
import { newColumns } from './columns.ts';
import { MOST_NAMED, type PathStyle, type RecordEvents, type RecordPath } from './events.ts';
import { recordReader } from './read-records.ts';
import { survey, type Found } from './survey.ts';

/** A document that can be read again and again. */
export type RecordSource = {
  input: TableInput;
  /** What a path looks like in this format, and what it names from the root on. */
  style: PathStyle;
  holder: string;
  /** Reads the document from its beginning; yields after each piece of it. Throws `file-rejected` when it is broken. */
  walk: (events: RecordEvents) => AsyncGenerator<void, void>;
};

/**
 * Records at a path, the names of their columns, and the file that their rows wait in: the last record may have a column that no other
 * has. `alone`: what is there cannot repeat, so it is no list.
 */
export type Records = {
  path: RecordPath;
  records: number;
  names: string[];
  rows: string;
  alone: boolean;
  /** Some columns were left out, because their names were too many. */
  hasLeftOut: boolean;
};

/** Records that were found by what they look like; `isOnly`: nothing else in the document may be the list. `others` may be it as well. */
type FoundList = { records: Records; isOnly: boolean; others: RecordPath[] };

/** Finds the records of a document by what they look like; null when nothing in it repeats. */
export async function surveyRecords(source: RecordSource): Promise<FoundList | null> {
  const found = await findRecords(source);
  if (found === null) return null;
  const { path, isOnly, others } = found;
  return { records: await recordsAt(source, path), isOnly, others };
}

async function findRecords(source: RecordSource): Promise<Found | null> {
  const walk = survey();
  await exhaust(source.walk(walk));
  return walk.found();
}

/** The records at a path with all their columns; none when nothing is there. */
export async function recordsAt(source: RecordSource, path: RecordPath): Promise<Records> {
  const { name, folder } = source.input;
  const columns = newColumns(name, recordName(path));
  const reader = recordReader(path, columns, source.input);
  const rows = join(folder, `records-${randomUUID()}.jsonl`);
  await using writer = await openTextWriter(rows);
  for await (const _piece of source.walk(reader)) {
    const batch = reader.take();
    if (batch.length > 0) writer.write(`${JSON.stringify(batch)}\n`);
    await writer.flush();
  }
  const hasLeftOut = columns.hasLeftOut();
  return { path, records: reader.records(), names: columns.names, rows, alone: reader.alone(), hasLeftOut };
}

/** The records at a path that a person wrote. Throws `file-rejected` when it is no path, or nothing is there. */
export async function recordsBySetting(source: RecordSource, setting: string): Promise<Records> {
  const { input, style, holder } = source;
  const path = style.parse(setting);
  const written = JSON.stringify(setting);
  if (path === null) {
    const advice = `It begins with a slash and names the ${holder} from the root on.`;
    throw refusal('no-records', `The setting records: ${written} is no path. ${advice}`, { file: input.name });
  }
  const records = await recordsAt(source, path);
  const isList = !records.alone || path.at(-1) === '*';
  if (records.names.length > 0 && isList) return records;
  const found = await findRecords(source);
  const advice = found === null ? '' : ` ${proposal(found, style)}`;
  const what = `${input.name} has no records at ${written} (the setting records).`;
  throw refusal('no-records', what + advice, { file: input.name, found: found && style.format(found.path) });
}

const LEFT_OUT = `Its parameters have more than ${MOST_NAMED} different names; those after the first ${MOST_NAMED} were left out.`;

/** An open file whose tables are lists of records. */
export function recordFile(
  source: RecordSource,
  lists: { name: string | null; records: Records }[],
  columnNames: Record<string, string> = {},
): TableFile {
  return {
    tables: lists.map(({ name }) => ({ name, hidden: false })),
    found: null,
    isHeaded: true,
    columnNames,
    merged: () => [],
    rows: (table) => rowsOf(lists[table]!.records, source.input),
    notes: () => (lists.some(({ records }) => records.hasLeftOut) ? [LEFT_OUT] : []),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** An open file whose records were found by what they look like. */
export function foundFile(source: RecordSource, { records, isOnly, others }: FoundList): TableFile {
  const { format } = source.style;
  const found = {
    path: format(records.path),
    records: records.records,
    names: [...records.names],
    isOnly,
    others: others.map(format),
  };
  const file = recordFile(source, [{ name: null, records }]);
  const read = `${counted(found.records, 'record')} at ${JSON.stringify(found.path)} ${found.records === 1 ? 'is' : 'are'} read.`;
  return { ...file, found, notes: () => [...(isOnly ? [read] : []), ...file.notes()] };
}

async function* rowsOf({ names, rows }: Records, { limits, signal }: TableInput): AsyncGenerator<TableRow[], void> {
  const header = new RowCells();
  for (const [column, name] of names.entries()) header.put(column, name);
  yield [{ line: 1, ...fitCells(header.take(), limits) }];
  await using file = await open(rows);
  for await (const batch of file.readLines({ encoding: 'utf8', signal })) yield JSON.parse(batch) as TableRow[];
}

function proposal(found: Found, style: PathStyle): string {
  return `It has ${counted(found.records, 'record')} at ${JSON.stringify(style.format(found.path))}.`;
}

/** The column of the text that a record has of its own. */
function recordName(path: RecordPath): string {
  const name = path.at(-1) ?? '';
  return name === '' || name === '*' ? 'value' : name;
}
