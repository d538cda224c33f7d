import { join } from 'node:path';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { detect } from '../../../detect/detect.ts';
import { openTextWriter } from '../../../io/text-writer.ts';
import { refusal } from '../../../io/refusal.ts';
import { setTotal } from '../../../gauge.ts';
import type { Detection, Format, ListFile, TablePart, WrittenFile } from '../../../model.ts';
import type { UnpackedAll } from '../../../pull/unpack/unpack-all.ts';
import { writtenCell } from '../../../tables/written-cell.ts';
import { listFilePath, scanFiles } from '../../../validate/scan/scan-files.ts';
import { counted } from '../../../wording/words.ts';
import { hintsOf, readDetected, type ReadResult, type Text, type Work } from '../read-text.ts';
import { detectFiles, type DetectedFile } from './detect-files.ts';
import { listText, mostLines, placeTexts, type ListText } from './list-texts.ts';
import { planColumns, type DifferentFile, type PlannedColumns } from './plan-columns.ts';

/** Rows that show what the columns of all files mean; so many of a file at least. */
const SAMPLE_ROWS = 360;
const LEAST_ROWS = 5;
const LONGEST_CELL = 2_000;

/**
 * Reads several files as one list: each by its own charset, delimiter and header, their columns put under each other by what they mean and
 * by name. All or nothing: a file that cannot be read, or lacks a column that each row needs, is named, and no row is read. Throws
 * `file-rejected`.
 */
export async function readSeveral(work: Work, text: Text, { files, passedOver }: UnpackedAll): Promise<ReadResult> {
  const texts: ListText[] = [];
  for (const [at, file] of files.entries()) texts.push(await listText(file, at, { ...work, folder: text.path }));
  const detected = await detectFiles(texts, work);
  if ('reason' in detected) {
    const { name, detection, reason, table } = detected;
    const setting = table?.setting ?? null;
    return { ...text, name, detection, unsure: 'dialect', reason: `In ${name}: ${reason}`, setting, validation: null };
  }
  const found = headedFirst(detected);
  await placeTexts(
    found.map(({ path }) => path),
    text.path,
  );
  setTotal(
    work.meter,
    found.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const planned = planColumns(found.map(({ file, detection }) => ({ ...detection, name: file.name })));
  if ('different' in planned) throw withoutHeader(planned.different, text.name);
  const settings = withNames(work.settings, planned);
  const detection = await detectAll(found, planned, { work: { ...work, settings }, folder: text.path, passedOver });
  refuseLacking(detection, found, planned, { settings, delivery: text.name });
  const notes = [...passedOver, ...found.flatMap(notesOf)];
  return { ...(await readDetected({ ...work, settings }, text, detection)), notes };
}

/** The columns of all are those that the first file names. */
function headedFirst(files: DetectedFile[]): DetectedFile[] {
  const first = files.find(({ detection }) => detection.header);
  return first === undefined ? files : [first, ...files.filter((file) => file !== first)];
}

/** What a column is called that is sure to mean something in one file is its name in all. */
function withNames(settings: ReadSettings, { keys, columns }: PlannedColumns): ReadSettings {
  const named = settings.columns.map((column) => {
    const place = keys.find(({ key }) => key === column.key)?.place;
    const name = place === undefined ? '' : (columns[place] ?? '');
    return name === '' || column.position !== null
      ? column
      : { ...column, names: [...new Set([...column.names, name])] };
  });
  return { ...settings, columns: named };
}

type Asked = { work: Work; folder: string; passedOver: string[] };

/** What the columns of all files mean, by some rows of each, and where each file begins. */
async function detectAll(found: DetectedFile[], planned: PlannedColumns, asked: Asked): Promise<Detection> {
  const { work, folder, passedOver } = asked;
  const { header, columns, width } = planned;
  const files = await listFiles(found, planned, folder);
  const sample = join(folder, 'sample.txt');
  const list = { path: folder, detection: { columns, width, files }, settings: work.settings };
  const lines = await writeSample(sample, list, header);
  const formats = found.map(({ detection: { format } }) => format);
  const format: Format = formats.find((one) => one !== 'text' && one !== 'files') ?? 'text';
  const evidence = [filesSentence(found)];
  const table = { format, parts: [], isHeaded: false, evidence };
  const seen = await detect(sample, { ...hintsOf(work), header: header ? 1 : false, table });
  const { written } = files[0]!;
  const { openEnd: _openEnd, ...rest } = seen;
  return {
    ...rest,
    format: 'files',
    parts: files.flatMap(partsOf),
    files,
    header,
    columns,
    width,
    headerLine: written.headerLine,
    delimiter: written.delimiter,
    charset: written.charset,
    passedOver: [
      ...passedOver,
      ...found.flatMap(({ file, detection }) => detection.passedOver.map((what) => `${file.name}: ${what}`)),
    ],
    ...(seen.marks === undefined ? {} : { marks: linesOf(seen.marks, lines) }),
    evidence: [
      ...evidence,
      ...seen.evidence.filter((sentence) => !evidence.includes(sentence) && !/header/i.test(sentence)),
    ],
  };
}

function filesSentence(found: DetectedFile[]): string {
  const names = found.slice(0, SHOWN).map(({ file }) => JSON.stringify(file.name));
  const more = found.length > names.length ? `, and ${found.length - names.length} more` : '';
  return `The delivery has ${counted(found.length, 'file')} that are read as one list: ${names.join(', ')}${more}.`;
}

const SHOWN = 20;

async function listFiles(found: DetectedFile[], { places }: PlannedColumns, folder: string): Promise<ListFile[]> {
  const files: ListFile[] = [];
  let line = 1;
  for (const [at, { file, detection }] of found.entries()) {
    files.push({ name: file.name, line, written: writtenFile(detection), places: places[at]! });
    line += await mostLines(listFilePath(folder, at));
  }
  return files;
}

function writtenFile(detection: Detection): WrittenFile {
  const { format, parts, charset, bom, delimiter, quote, escape, newline, spacedQuotes, wholeLines } = detection;
  const { header, headerLine, columns, width, openEnd } = detection;
  const dialect = { charset, bom, delimiter, quote, escape, newline, spacedQuotes, wholeLines };
  const table = { header, headerLine, columns, width };
  return { format, parts, ...dialect, ...table, ...(openEnd === undefined ? {} : { openEnd }) };
}

/** The sheets of a file, or the file, with the lines of all at which they begin. */
function partsOf({ name, line, written: { parts } }: ListFile): TablePart[] {
  const sheets = parts.length > 0 ? parts : [{ sheet: null, line: 1 }];
  return sheets.map((part) => ({ file: name, sheet: part.sheet, line: line + part.line - 1 }));
}

/** Writes the first rows of each file below the columns of all; returns which line of all each line of it is. */
async function writeSample(
  path: string,
  list: Omit<Parameters<typeof scanFiles>[0], 'most'>,
  header: boolean,
): Promise<number[]> {
  await using writer = await openTextWriter(path);
  const { files, columns } = list.detection;
  const lines: number[] = [];
  const write = (cells: string[], line: number) => {
    writer.write(`${cells.map((cell) => writtenCell(cell.slice(0, LONGEST_CELL))).join('\t')}\n`);
    lines.push(line);
  };
  if (header) write(columns, 1);
  let isHeader = header;
  const most = Math.max(LEAST_ROWS, Math.ceil(SAMPLE_ROWS / files.length));
  for await (const rows of scanFiles({ ...list, most })) {
    for (const { cells, line, gap, problem } of rows) {
      if (gap !== undefined) continue;
      if (!isHeader && problem === null) write(cells, line);
      isHeader = false;
    }
    await writer.flush();
  }
  return lines;
}

/** What was seen in the sample, with the lines of all files. */
function linesOf(marks: NonNullable<Detection['marks']>, lines: number[]): NonNullable<Detection['marks']> {
  const placed = <Shown extends { line: number | null }>(shown: Shown): Shown => ({
    ...shown,
    line: shown.line === null ? null : (lines[shown.line - 1] ?? null),
  });
  const { tags, numbers, split } = marks;
  return {
    tags: tags === null ? null : { ...tags, example: placed(tags.example) },
    numbers:
      numbers === null ? null : { ...numbers, example: numbers.example === null ? null : placed(numbers.example) },
    split: split === null ? null : { ...split, example: placed(split.example) },
  };
}

/** Nothing is taken of a delivery in which a file lacks a column that each row needs. */
function refuseLacking({ mapping }: Detection, found: DetectedFile[], planned: PlannedColumns, asked: Lacking): void {
  const needed = asked.settings.columns.filter(({ required, fallback }) => required && fallback === null);
  for (const { key } of needed) {
    const column = mapping.find((one) => one.key === key && one.position > 0);
    if (column === undefined) continue;
    const at = planned.places.findIndex((places) => !places.includes(column.position - 1));
    if (at !== -1) throw withoutColumn(key, found[at]!, asked.delivery);
  }
}

type Lacking = { settings: ReadSettings; delivery: string };

function withoutColumn(
  key: string,
  { file: { name }, detection: { columns, mapping } }: DetectedFile,
  delivery: string,
) {
  const shown = (title: string) => JSON.stringify(title.trim().slice(0, 60));
  const names = columns.filter((title) => title.trim() !== '').slice(0, SHOWN);
  const its = names.length === 0 ? 'it has no header' : `its columns: ${names.map(shown).join(', ')}`;
  const guess = mapping.find((one) => one.key === key)?.column ?? null;
  const message =
    `In ${delivery}: ${name} has no column for ${key}, which other files of the delivery have (${its}` +
    `${guess === null ? '' : `; ${shown(guess)} may be it`}), so nothing of it was taken. ` +
    `Name its column under feeds.NAME.columns.${key}, or ask the supplier for this file again.`;
  return refusal('files-differ', message, { file: name, column: key });
}

function withoutHeader({ name, width, first }: DifferentFile, delivery: string): Error {
  const message =
    `In ${delivery}: ${name} has no header and ${width} columns, while ${first.name} has ${first.width}, so nothing of it was ` +
    'taken. Ask the supplier for this file with a header.';
  return refusal('files-differ', message, { file: name });
}

function notesOf({ file, table }: DetectedFile): string[] {
  return (table?.notes ?? []).map((note) => `${file.name}: ${note}`);
}
