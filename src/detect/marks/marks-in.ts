import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import type { CellMarks, ColumnMapping, Wraps } from '../../model.ts';
import { markName } from '../../wording/columns/unsure-cells.ts';
import type { Makers } from '../columns/judge/makers-in.ts';
import type { Header } from '../header/find-header.ts';
import type { DetectedTable } from '../table/best-table.ts';
import { unwrapRow } from '../table/wraps.ts';
import { cellMarks } from './cell-marks.ts';

/** What is known in advance of cells that hold several values. */
export type MarkHints = {
  /** The columns of the offer file. */
  columns?: ColumnSettings[];
  /** What stands between the tags of the uploaded file, and how many a row may have; without them no marks are looked for. */
  tagSeparator?: string;
  maxTags?: number;
  /** What the settings say stands between the tags of the file. */
  tagMark?: string | null;
};

/** A table whose cells may hold several values: `further` are rows of other places, of which the wraps were taken off already. */
type Marked = { further: string[][][]; mapping: ColumnMapping[]; header: string[]; wraps: Wraps };

/** What stands between several values of one cell, by the rows below the header and those further down. */
export function marksIn(
  { names, line: first }: Header,
  { table, width }: DetectedTable,
  { further, mapping, header, wraps }: Marked,
  { columns = [], tagSeparator, maxTags }: MarkHints,
  known: Makers,
): CellMarks | null {
  if (tagSeparator === undefined || maxTags === undefined || columns.length === 0) return null;
  const below = table.rows.filter(({ line }) => (names === null ? line >= first : line > first));
  const rows = below.map(({ line, cells }) => ({
    line,
    cells: unwrapRow(
      cells.map(({ text }) => text),
      wraps,
    ),
  }));
  const others = further.flat().map((cells) => ({ line: null, cells }));
  return cellMarks([...rows, ...others], mapping, { columns, header, width, makers: known, tagSeparator, maxTags });
}

/** The columns, of which those of tags say what stands between these where it is not the mark of the uploaded file. */
export function withTagMark(
  mapping: ColumnMapping[],
  marks: CellMarks | null,
  { columns = [], tagSeparator, tagMark = null }: MarkHints,
): ColumnMapping[] {
  const tags = marks?.tags ?? null;
  if (tags === null || tags.rival !== null || tagMark !== null || tags.separator === tagSeparator) return mapping;
  const lists = columns.filter(({ list }) => list).map(({ key }) => key);
  const found = `${markName(tags.separator)} stands between tags: ${tags.evidence}`;
  return mapping.map((one) =>
    one.sure && lists.includes(one.key) ? { ...one, evidence: `${one.evidence}; ${found}` } : one,
  );
}
