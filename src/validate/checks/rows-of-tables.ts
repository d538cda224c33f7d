import type { TablePart } from '../../model.ts';
import type { PartSet } from '../../parts/part-set.ts';
import { placeIn } from '../../wording/files/place.ts';
import type { KnownParts, RowCheck } from './check-row.ts';

/**
 * Creates a check of rows that come from several sheets: `create` makes one for rows of a single table. Issues say the sheet and its
 * row, also where they name an earlier row.
 */
export function checkRowsOfTables(
  tables: TablePart[],
  parts: PartSet,
  create: (parts: KnownParts) => RowCheck,
): RowCheck {
  let textLine = 0;
  const check = create({
    firstLine: (key) => {
      const first = parts.firstLine(key, textLine);
      if (first === undefined) return undefined;
      const { sheet, line } = placeIn(tables, first);
      return `${line} of the sheet "${sheet}"`;
    },
  });
  return (row, number) => {
    textLine = row.line;
    const { sheet, line } = placeIn(tables, row.line);
    const checked = check({ ...row, line, lastLine: line + row.lastLine - row.line }, number);
    return { ...checked, issues: checked.issues.map((issue) => Object.assign(issue, { sheet })) };
  };
}
