import type { Detection, ListFile } from '../../model.ts';
import type { Mark, WrittenRow, WrittenSheet } from '../../tables/write-xlsx/sheet-part.ts';
import { inFile, placeIn, type Place } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import type { Fault, FaultCause, Faults } from './faults.ts';
import { openLanguage, type Language } from '../../wording/language/language.ts';

/** A row as the supplier wrote it, by its line in the text that the file was read as. */
type OriginalRow = { line: number; cells: string[] };

/** What a workbook with marked rows is made from; `rows` are the supplier's own, in the order of the file. */
export type MarkedInput = {
  /** The name of the supplier's file, and how many rows were read of it. */
  name: string;
  read: number;
  /** Whether the run was a trial, and nothing of it is real. */
  sandbox: boolean;
  /** What the supplier reads. */
  language: string;
  detection: Detection;
  faults: Faults;
  rows: AsyncIterable<OriginalRow>;
  /** Answers, when all rows are read, whether there are more. */
  cut: () => boolean;
};

const COLUMN_WIDTH = 20;
const FIRST_WIDTHS = [60, 60, 20, 10, 40];

/**
 * The sheets: first what is wrong and what to do, then the rows as the supplier wrote them, those of each of its files and sheets on one of
 * their own. The rows are read once, so the sheets must be written in this order, and the first one last.
 */
export function markedSheets(given: MarkedInput): WrittenSheet[] {
  const own = given.detection.parts.filter(({ of }) => of === undefined);
  const input = {
    ...given,
    detection: { ...given.detection, parts: own },
    isChanges: own.length < given.detection.parts.length,
  };
  const { detection, faults } = input;
  const inLine = Map.groupBy(faults.faults, ({ line }) => line);
  const source = { rows: input.rows[Symbol.asyncIterator](), ahead: null, shown: 0 };
  const parts = detection.parts.length > 0 ? detection.parts : [{ sheet: null, line: 1 }];
  const sheets = parts.map(({ file: name, sheet }, at): WrittenSheet => {
    const file = detection.files?.find((one) => one.name === name) ?? null;
    const end = parts[at + 1]?.line ?? Infinity;
    return {
      name:
        [...(name === undefined ? [] : [stemOf(name)]), ...(sheet === null ? [] : [sheet])].join(' ') ||
        stemOf(input.name),
      widths: [COLUMN_WIDTH],
      frozen: (file?.written ?? detection.joined?.written ?? detection).header ? 1 : 0,
      commented: true,
      rows: markedRows(rowsUntil(end, source), inLine, file, input),
    };
  });
  return [firstSheet(input, () => source.shown), ...sheets];
}

/** The rows of the file, one of which may be read already that belongs to the next sheet. */
type Source = { rows: AsyncIterator<OriginalRow>; ahead: OriginalRow | null; shown: number };

async function* rowsUntil(end: number, source: Source): AsyncGenerator<OriginalRow> {
  for (;;) {
    if (source.ahead === null) {
      const next = await source.rows.next();
      if (next.done === true) return;
      source.ahead = next.value;
    }
    if (source.ahead.line >= end) return;
    const row = source.ahead;
    source.ahead = null;
    source.shown += 1;
    yield row;
  }
}

async function* markedRows(
  rows: AsyncIterable<OriginalRow>,
  inLine: Map<number, Fault[]>,
  file: ListFile | null,
  { detection, faults: { causes }, language: name }: MarkedInput,
): AsyncGenerator<WrittenRow> {
  const { headerLine, parts } = detection;
  const { header, columns } = file?.written ?? detection.joined?.written ?? detection;
  const language = openLanguage(name);
  const isOfAnother = file !== null && file.line > 1;
  if (header && isOfAnother) yield { cells: columns, look: 'head', marks: [] };
  else if (header) {
    // What is wrong with the header is no fault of a row.
    const above = [...inLine].filter(([line]) => line <= headerLine).flatMap(([, found]) => found);
    yield { cells: columns, look: 'head', marks: marksOf(above, causes, placeIn(parts, headerLine), language).marks };
  }
  for await (const { line, cells } of rows) {
    const found = inLine.get(line);
    if (found === undefined || (header && line <= headerLine)) continue;
    const { look, marks } = marksOf(found, causes, placeIn(parts, line), language);
    yield file === null ? { cells, look, marks } : { look, ...inOwnColumns(cells, marks, file, detection) };
  }
}

/** The cells of a row that stand under the columns of several files, and their marks, in the columns of its own file. */
function inOwnColumns(
  cells: string[],
  marks: Mark[],
  { places }: ListFile,
  { columns, width }: Detection,
): Pick<WrittenRow, 'cells' | 'marks'> {
  const beyond = cells.slice(Math.max(columns.length, width));
  const own = marks.map((mark) => ({ ...mark, column: Math.max(0, places.indexOf(mark.column)) }));
  return { cells: [...places.map((place) => cells[place] ?? ''), ...beyond], marks: own };
}

/** A cell is marked once, with all that is wrong with it; what is wrong with the whole row colours all of it. */
function marksOf(
  faults: Fault[],
  causes: FaultCause[],
  place: Place,
  language: Language,
): Pick<WrittenRow, 'look' | 'marks'> {
  const byColumn = Map.groupBy(faults, ({ column }) => column ?? 0);
  const marks = [...byColumn].map(([column, found]): Mark => {
    const kinds = [...new Set(found.map(({ cause }) => cause))].map((at) => causes[at]!);
    const look = kinds.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
    const said = kinds.map(({ cause, remedy }) => `${cause}\n${remedy}`);
    return { column, look, comment: [...said, placeText(place, language)].join('\n\n') };
  });
  const whole = faults.filter(({ column }) => column === null).map(({ cause }) => causes[cause]!.severity);
  const look = whole.includes('error') ? 'error' : whole.includes('warning') ? 'warning' : 'plain';
  return { look, marks: marks.sort((a, b) => a.column - b.column) };
}

/** A place of the supplier's own file, as a sentence names it. */
export function placeText({ file, sheet, line }: Place, { say }: Language): string {
  if (sheet === null) {
    return file === undefined
      ? say('supplier.comment.line', { line })
      : say('supplier.comment.file', { line, file: printable(file) });
  }
  return say('supplier.comment.sheet', { line, sheet: printable(file === undefined ? sheet : `${sheet} (${file})`) });
}

/** `isChanges`: the file has changes, which were put upon rows of earlier files. */
type OwnInput = MarkedInput & { isChanges: boolean };

function firstSheet(input: OwnInput, shown: () => number): WrittenSheet {
  return {
    name: openLanguage(input.language).say('supplier.sheet'),
    widths: FIRST_WIDTHS,
    frozen: 0,
    commented: false,
    rows: firstRows(input, shown),
  };
}

/** Made when the other sheets are written: it says what is missing in them. */
function* firstRows(
  { name, read, sandbox, faults, cut, detection, isChanges, ...input }: OwnInput,
  shown: () => number,
): Generator<WrittenRow> {
  const language = openLanguage(input.language);
  const { say } = language;
  const count = faults.rows;
  yield row([say('supplier.title', { name: printable(name) })], 'title');
  if (sandbox) yield row([say('supplier.sandbox')], 'plain');
  yield row([count === 0 ? say('supplier.what.file') : say('supplier.what', { count, read })], 'plain');
  yield row([say('supplier.where', { count: Math.max(1, detection.parts.length) })], 'plain');
  yield row([say(isChanges ? 'supplier.sendChanges' : 'supplier.send')], 'plain');
  const missing = Math.max(0, count - shown());
  if (cut()) yield row([say('supplier.cut.rows', { count: shown() })], 'plain');
  else if (missing > 0) yield row([say('supplier.cut.missing', { count: missing })], 'plain');
  yield row([], 'plain');
  const head = (['cause', 'remedy', 'column', 'rows', 'places'] as const).map((key) => say(`supplier.head.${key}`));
  yield row(head, 'head');
  for (const cells of causeRows(faults, detection, language)) yield row(cells, 'paragraph');
}

/** What is wrong with a file, what to do, in which column, in how many rows and where; what costs rows first. */
export function causeRows({ causes }: Faults, detection: Detection, language: Language): string[][] {
  return causes.toSorted(bySeverityThenRows).map((cause) => causeCells(cause, detection, language));
}

function causeCells(
  { cause, remedy, column, rows, lines }: FaultCause,
  { parts }: Detection,
  { say, number }: Language,
): string[] {
  const places = lines
    .map((line) => placeIn(parts, line))
    .map(({ file, sheet, line }) => {
      const place =
        sheet === null
          ? say('supplier.place.line', { line })
          : say('supplier.place.sheet', { sheet: printable(sheet), line });
      return inFile(file === undefined ? undefined : printable(file), place);
    });
  return [cause, remedy, column ?? '', number(rows), places.join('; ')];
}

function bySeverityThenRows(a: FaultCause, b: FaultCause): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  return b.rows - a.rows;
}

function row(cells: string[], look: WrittenRow['look']): WrittenRow {
  return { cells, look, marks: [] };
}

/** A file's name without its ending. */
function stemOf(name: string): string {
  return name.replace(/^.*\//, '').replace(/\.\w{1,5}$/, '');
}

/** The one sheet of a workbook about a file with nothing to correct, or of which no row could be read. `read`: how many were. */
export function cleanSheet({ name, read, language }: Pick<MarkedInput, 'name' | 'read' | 'language'>): WrittenSheet {
  const { say } = openLanguage(language);
  const file = printable(name);
  const title =
    read > 0 ? say('supplier.clean.title', { name: file }) : say('supplier.mail.subject.file', { name: file });
  const said = read > 0 ? say('supplier.clean', { count: read }) : say('supplier.what.file');
  return {
    name: say('supplier.sheet'),
    widths: FIRST_WIDTHS,
    frozen: 0,
    commented: false,
    rows: [row([title], 'title'), row([said], 'plain')],
  };
}
