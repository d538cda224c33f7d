import type { Issue, TablePart } from '../../model.ts';
import type { PartSet } from '../../parts/part-set.ts';
import { placeIn, type Place } from '../../wording/files/place.ts';
import type { KnownParts, RowCheck } from './check-row.ts';
import { duplicateIssue } from './row-issues.ts';

/**
 * Creates a check of rows that come from several sheets or files: `create` makes one for rows of a single file. Issues say the file, the
 * sheet and its row, also where they name an earlier row.
 */
export function checkRowsOfTables(
  tables: TablePart[],
  parts: PartSet,
  create: (parts: KnownParts) => RowCheck,
): RowCheck {
  let textLine = 0;
  const known: KnownParts = {
    firstLine: (key) => {
      const first = parts.firstLine(key, textLine);
      return first === undefined ? undefined : lineInWords(placeIn(tables, first));
    },
  };
  let check = create(known);
  let inFile: string | undefined;
  return (row, number) => {
    textLine = row.line;
    const { file, sheet, line } = placeIn(tables, row.line);
    // What stands above the rows of a file, such as a brand, is not that of another file.
    if (file !== inFile) check = create(known);
    inFile = file;
    const checked = check({ ...row, line, lastLine: line + row.lastLine - row.line }, number);
    const place = file === undefined ? { sheet } : { file, sheet };
    return { ...checked, issues: checked.issues.map((issue) => Object.assign(issue, place)) };
  };
}

/** The issue of a row whose part an earlier row has, by their lines in the text that was made of all tables. */
export function duplicateOfTables(
  tables: TablePart[],
  { line, part, first }: { line: number; part: string; first: number },
): Issue {
  const { file, sheet, line: own } = placeIn(tables, line);
  const issue = duplicateIssue(own, part, lineInWords(placeIn(tables, first)));
  return Object.assign(issue, file === undefined ? { sheet } : { file, sheet });
}

/** A line behind the word `line`: `12 of "ate.csv"`. */
function lineInWords({ file, sheet, line }: Place): string {
  const inSheet = sheet === null ? '' : ` of the sheet "${sheet}"`;
  return `${line}${inSheet}${file === undefined ? '' : ` of "${file}"`}`;
}
