import type { Detection } from '../../model.ts';
import type { Mark, WrittenRow, WrittenSheet } from '../../tables/write-xlsx/sheet-part.ts';
import { placeIn, type Place } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import type { Fault, FaultCause, Faults } from './faults.ts';
import { countedWords, words } from '../../wording/supplier/words.ts';

/** What a workbook with marked rows is made from; `rows` are the supplier's own, found again by their lines. */
export type MarkedInput = {
  /** The name of the supplier's file, and how many rows were read of it. */
  name: string;
  read: number;
  detection: Detection;
  faults: Faults;
  rows: { line: number; cells: string[] }[];
  /** Whether more rows have mistakes than are shown. */
  cut: boolean;
};

const COLUMN_WIDTH = 20;
const FIRST_WIDTHS = [60, 60, 20, 10, 40];

/** The sheets: first what is wrong and what to do, then the rows as the supplier wrote them, those of each sheet on one of their own. */
export function markedSheets(input: MarkedInput): WrittenSheet[] {
  const { detection, faults } = input;
  const inLine = Map.groupBy(faults.faults, ({ line }) => line);
  const parts = detection.parts.length > 0 ? detection.parts : [{ sheet: null, line: 1 }];
  const sheets = parts.map(({ sheet, line }, at): WrittenSheet => {
    const end = parts[at + 1]?.line ?? Infinity;
    const mine = input.rows.filter((row) => row.line >= line && row.line < end);
    return {
      name: sheet ?? stemOf(input.name),
      widths: [COLUMN_WIDTH],
      frozen: detection.header ? 1 : 0,
      commented: true,
      rows: markedRows(mine, inLine, input),
    };
  });
  return [firstSheet(input), ...sheets];
}

function* markedRows(
  rows: MarkedInput['rows'],
  inLine: Map<number, Fault[]>,
  { detection, faults: { causes } }: MarkedInput,
): Generator<WrittenRow> {
  const { header, columns, headerLine } = detection;
  const above = header ? [...inLine].filter(([line]) => line <= headerLine).flatMap(([, found]) => found) : [];
  if (header) {
    // What is wrong with the header is no fault of a row.
    const marks = marksOf(above, causes, placeIn(detection.parts, headerLine)).marks;
    yield { cells: columns, look: 'head', marks };
  }
  for (const { line, cells } of rows) {
    const found = inLine.get(line);
    if (found === undefined || (header && line <= headerLine)) continue;
    const { look, marks } = marksOf(found, causes, placeIn(detection.parts, line));
    yield { cells, look, marks };
  }
}

/** A cell is marked once, with all that is wrong with it; what is wrong with the whole row colours all of it. */
function marksOf(faults: Fault[], causes: FaultCause[], place: Place): Pick<WrittenRow, 'look' | 'marks'> {
  const byColumn = Map.groupBy(faults, ({ column }) => column ?? 0);
  const marks = [...byColumn].map(([column, found]): Mark => {
    const kinds = [...new Set(found.map(({ cause }) => cause))].map((at) => causes[at]!);
    const look = kinds.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
    const said = kinds.map(({ cause, remedy }) => `${cause}\n${remedy}`);
    return { column, look, comment: [...said, placeText(place)].join('\n\n') };
  });
  const whole = faults.filter(({ column }) => column === null).map(({ cause }) => causes[cause]!.severity);
  const look = whole.includes('error') ? 'error' : whole.includes('warning') ? 'warning' : 'plain';
  return { look, marks: marks.sort((a, b) => a.column - b.column) };
}

function placeText({ sheet, line }: Place): string {
  return sheet === null ? words('comment.line', { line }) : words('comment.sheet', { line, sheet: printable(sheet) });
}

function firstSheet({ name, read, faults, cut, detection, rows }: MarkedInput): WrittenSheet {
  const count = faults.rows;
  const missing = Math.max(0, count - rows.length);
  const title = words('first.title', { name: printable(name) });
  const what = count === 0 ? words('first.what.file') : countedWords('first.what', count, { read });
  const sentences = [what, words('first.where'), words('first.send')];
  if (cut) sentences.push(words('first.cut.rows', { count: rows.length }));
  else if (missing > 0) sentences.push(countedWords('first.cut.missing', missing));
  const head = (['cause', 'remedy', 'column', 'rows', 'places'] as const).map((key) => words(`head.${key}`));
  const causes = faults.causes.toSorted(bySeverityThenRows).map((cause) => causeCells(cause, detection));
  return {
    name: words('sheet.first'),
    widths: FIRST_WIDTHS,
    frozen: 0,
    commented: false,
    rows: [
      row([title], 'title'),
      ...sentences.map((sentence) => row([sentence], 'plain')),
      row([], 'plain'),
      row(head, 'head'),
      ...causes.map((cells) => row(cells, 'paragraph')),
    ],
  };
}

function causeCells({ cause, remedy, column, rows, lines }: FaultCause, { parts }: Detection): string[] {
  const places = lines
    .map((line) => placeIn(parts, line))
    .map(({ sheet, line }) =>
      sheet === null ? words('place.line', { line }) : words('place.sheet', { sheet: printable(sheet), line }),
    );
  return [cause, remedy, column ?? '', rows.toLocaleString('en'), places.join('; ')];
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
  return name.replace(/\.\w{1,5}$/, '');
}
