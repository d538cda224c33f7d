import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import type { CellMarks, ColumnMapping } from '../../model.ts';
import { withLineBreaks } from '../../values/line-breaks.ts';
import type { Makers } from '../columns/judge/makers-in.ts';
import { findSplit } from './find-split.ts';
import { findNumberMarks } from './number-marks.ts';
import type { MarkedCell, MarkedRow } from './pieces.ts';
import { findTagMark } from './tag-mark.ts';

/** What is known of the table, and set about cells that hold several values. */
type Given = {
  columns: ColumnSettings[];
  header: string[];
  width: number;
  makers: Makers;
  tagSeparator: string;
  maxTags: number;
};

/**
 * What stands between several values of one cell, in the columns of which it is certain what they hold. `rows`: some rows of the
 * file. Pure.
 */
export function cellMarks(rows: MarkedRow[], mapping: ColumnMapping[], given: Given): CellMarks {
  const { columns, tagSeparator, maxTags, makers } = given;
  const cellsOf = (keys: string[]): MarkedCell[] => {
    const places = mapping.filter(({ key, sure }) => sure && keys.includes(key)).map(({ position }) => position - 1);
    return rows.flatMap(({ line, cells }) =>
      places
        .map((place) => ({ line, text: withLineBreaks(cells[place] ?? '').trim() }))
        .filter(({ text }) => text !== ''),
    );
  };
  const lists = columns.filter(({ list }) => list).map(({ key }) => key);
  const numbers = cellsOf(['oem']);
  return {
    tags: findTagMark(cellsOf(lists), { uploaded: tagSeparator, most: maxTags }),
    numbers: numbers.length === 0 ? null : findNumberMarks(numbers),
    split: findSplit({ ...given, rows, mapping }, makers),
  };
}
