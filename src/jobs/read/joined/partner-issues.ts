import type { Detection, Issue, TablePart } from '../../../model.ts';
import { invisibleIssue } from '../../../validate/checks/check-cell.ts';
import { cleanCell, withoutBlanks } from '../../../validate/checks/clean-cell.ts';
import { createIssue } from '../../../validate/issues/create-issue.ts';
import { placeIn } from '../../../wording/files/place.ts';
import type { KeyPlaces } from './row-keys.ts';

/** A file that is joined, its tables, and where the cells are that are compared. */
type Source = { file: string; detection: Pick<Detection, 'passedOver'>; parts: TablePart[]; places: KeyPlaces };

/** What is found in a file that is joined while its rows are read. */
export type PartnerIssues = {
  /** Looks at the cells of a row that are compared. */
  look: (cells: readonly string[], line: number) => void;
  all: () => Issue[];
};

/** What most cells are made of. */
const PLAIN = /^[ -~]*$/;

/**
 * Collects the issues of a file that is joined: what was passed over around its content, and that cells which are compared had invisible
 * characters, with the first of them. Its other cells are those of the list once they stand there.
 */
export function collectIssues({ file, detection, parts, places }: Source): PartnerIssues {
  const columns = [
    { key: 'oem', place: places.oem },
    ...(typeof places.brand === 'number' ? [{ key: 'brand', place: places.brand }] : []),
  ];
  const found = new Map<string, { first: { value: string; line: number }; count: number }>();
  return {
    look: (cells, line) => {
      for (const { key, place } of columns) {
        const value = cells[place] ?? '';
        const removed = PLAIN.test(value) ? 0 : cleanCell(value).removed;
        if (removed === 0) continue;
        const known = found.get(key) ?? { first: { value, line }, count: 0 };
        found.set(key, { ...known, count: known.count + removed });
      }
    },
    all: () => {
      const around = detection.passedOver.map((what) => createIssue('bytes-passed-over', { line: null }, { what }));
      const inCells = [...found].map(([column, { first, count }]) => invisible(column, first, count));
      return [...around, ...inCells].map((issue) => Object.assign(issue, { file }));
    },
  };

  function invisible(column: string, { value, line: at }: { value: string; line: number }, count: number): Issue {
    const { sheet, line } = placeIn(parts, at);
    const facts = { count, before: withoutBlanks(value), after: cleanCell(value).text };
    return { ...invisibleIssue({ line, column, value }, facts), sheet };
  }
}
