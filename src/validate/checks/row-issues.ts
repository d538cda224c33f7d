import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { withoutBrought } from '../files/joined-columns.ts';
import type { ColumnMap } from '../header/header.ts';
import { createIssue, type Place } from '../issues/create-issue.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import { quoted, remedy } from './repair.ts';

/** The issue of a row that could not be cut into cells, or null. */
export function scanIssue(
  { problem, cells, line, length = 0 }: ScannedRow,
  delimiter: string | null,
  rowLength: number,
): Issue | null {
  if (problem === null) return null;
  const place = { line, value: cells.join(delimiter ?? '') };
  return problem === 'unclosed-quote'
    ? createIssue(problem, place, {})
    : createIssue(problem, place, { count: length, max: rowLength });
}

/** The issue of a row that has more or fewer cells than the header, or null. */
export function countIssue(
  { cells, line, count: own }: ScannedRow,
  map: ColumnMap,
  delimiter: string | null,
): Issue | null {
  const { leastCells, mostCells, broughtCells } = map;
  const count = cells.length;
  if (own !== undefined) {
    return cellCountIssue({ line, value: cells.slice(0, 100).join(delimiter ?? '') }, own.cells, own.expected);
  }
  if (count >= leastCells && (count <= mostCells || cells.every((cell, at) => at < mostCells || cell.trim() === ''))) {
    return null;
  }
  const { cells: its } = withoutBrought({ cells }, map);
  const value = its.slice(0, 100).join(delimiter ?? '');
  return cellCountIssue({ line, value }, its.length, leastCells - broughtCells);
}

/** The issue of a row with another number of cells than expected. */
export function cellCountIssue(place: Place, count: number | string, expected: number): Issue {
  return createIssue('wrong-cell-count', place, { cells: count === 1 ? '1 cell' : `${count} cells`, expected });
}

/** The issue of a brand or a number with letters of another alphabet, in quotes, and what it becomes without them. */
export function lookalikesIssue(
  place: Place & { value: string },
  { letters, isOne, alphabet, after }: { letters: string; isOne: boolean; alphabet: string; after: string },
  { repair }: Pick<ReadSettings, 'repair'>,
): Issue {
  return createIssue('lookalike-letters', place, {
    letters: `${letters} of ${quoted(place.value)} ${isOne ? 'is' : 'are'} ${alphabet}`,
    remedy: remedy('lookalikes', repair.includes('lookalikes'), place.value, after),
  });
}

/** The issue of a row whose part an earlier row has. */
export function duplicateIssue(line: number, part: string, first: number | string): Issue {
  return createIssue('duplicate', { line, value: part }, { first });
}

/** The issue of a row that a rule leaves out. */
export function leftOutIssue(line: number, part: string, rule: string): Issue {
  return createIssue('left-out', { line, value: part }, { rule });
}

/** The issue of a row of changes whose part an earlier row of them has. */
export function againIssue(line: number, part: string, first: number | string): Issue {
  return createIssue('changed-again', { line, value: part }, { first });
}
