import { isNumbering } from '../../columns/numbering.ts';
import type { ColumnMapping, Wraps } from '../../model.ts';
import { isSpecification } from '../../values/specification.ts';
import type { FoundTable } from '../columns/column-profile.ts';
import type { Header } from '../header/find-header.ts';
import type { DetectedTable } from './best-table.ts';
import { commonDecimals, findWraps, unwrapHeader, unwrapRow, withDecimals } from './wraps.ts';

/** The header and the rows below it. A row with one filled cell is a heading, and says nothing of columns. */
export function tableBelow({ names, line }: Header, { table, width }: DetectedTable): FoundTable {
  const below = table.rows.filter((row) => (names === null ? row.line >= line : row.line > line));
  const texts = below.map(({ cells }) => cells.map(({ text }) => text));
  const [first = []] = texts;
  const rows = names !== null && (isNumbering(first) || isSpecification(first)) ? texts.slice(1) : texts;
  const isFull = (cells: string[]) => width < 2 || cells.filter((cell) => cell.trim() !== '').length > 1;
  return { header: (names ?? []).map(inOneLine), width, rows: rows.filter(isFull) };
}

/** A name of a column with blanks for line breaks and tabs. */
function inOneLine(name: string): string {
  return name.replaceAll(/[\t\r\n\v\f]+/g, ' ');
}

/** So many rows of each place further down say what is written around values. */
const ROWS_OF_A_PLACE = 60;

/** A table without what stands around its values, as these rows and those of other places show. */
export function unwrapTable(table: FoundTable, further: string[][][]): { table: FoundTable; wraps: Wraps } {
  const wraps = findWraps([...table.rows, ...further.flatMap((place) => place.slice(0, ROWS_OF_A_PLACE))]);
  const rows = table.rows.map((row) => unwrapRow(row, wraps));
  return { table: { ...table, header: unwrapHeader(table.header, wraps), rows }, wraps };
}

/** What the article numbers of an export end in is judged when it is known which column they are. */
export function wrapsWithDecimals(wraps: Wraps, mapping: ColumnMapping[], places: string[][][]): Wraps {
  const number = mapping.find(({ key }) => key === 'oem');
  if (number === undefined) return wraps;
  const { position } = number;
  const decimals = commonDecimals(places.flat().map((row) => row[position - 1] ?? ''));
  return decimals === null ? wraps : withDecimals(wraps, position, decimals);
}
