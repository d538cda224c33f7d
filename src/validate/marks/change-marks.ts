import { createUnwrap } from '../../columns/unwrap.ts';
import { foldMark, type ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue, Wraps } from '../../model.ts';
import { withLineBreaks } from '../../values/line-breaks.ts';
import { createIssue } from '../issues/create-issue.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import { cleanCell } from '../checks/clean-cell.ts';

/** What the mark of a row of changes says: whether the row removes its part, and what is wrong with the mark. */
export type ReadMark = { removes: boolean; issue: Issue | null };

const SETS: ReadMark = { removes: false, issue: null };

/** Creates what reads the marks of rows as the supplier wrote them; where nothing is marked, all rows set their parts. */
export function createMarkReader(
  { changes }: Pick<ReadSettings, 'changes'>,
  wraps: Wraps,
): (row: ScannedRow) => ReadMark {
  const { place = null, marks = null } = changes ?? {};
  if (place === null || marks === null) return () => SETS;
  const unwrap = createUnwrap(wraps, place);
  const removed = new Set(marks.removed);
  const set = marks.set === null ? null : new Set(marks.set);
  return ({ cells, line }) => {
    const cell = cells[place] ?? '';
    const mark = foldMark(cleanCell(withLineBreaks(unwrap(cell)?.text ?? cell)).text);
    if (removed.has(mark)) return { removes: true, issue: null };
    if (set === null || set.has(mark)) return SETS;
    return { removes: false, issue: createIssue('mark-unknown', { line, value: cell }, { column: marks.column }) };
  };
}
