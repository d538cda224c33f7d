import type { Issue, TablePart } from '../../model.ts';
import type { PartSet } from '../../parts/part-set.ts';
import { placeIn, type Place } from '../../wording/files/place.ts';
import type { KnownParts, RowCheck } from './check-row.ts';
import { againIssue, duplicateIssue } from './row-issues.ts';

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
  return placed(tables, line, (own) => duplicateIssue(own, part, lineInWords(placeIn(tables, first))));
}

/** The issue of a row of changes whose part a later row of them has, by their lines in the text; `tables`: those it was made of, if any. */
export function againOfTables(
  tables: TablePart[],
  { line, part, last }: { line: number; part: string; last: number },
): Issue {
  return placed(tables, line, (own) => againIssue(own, part, lineInWords(placeIn(tables, last))));
}

/** An issue with the file, the sheet and the row there of a line of the text. */
function placed(tables: TablePart[], line: number, create: (own: number) => Issue): Issue {
  const { file, sheet, line: own } = placeIn(tables, line);
  return Object.assign(create(own), file === undefined ? { sheet } : { file, sheet });
}

/** A line behind the word `line`: `12 of "ate.csv"`. */
function lineInWords({ file, sheet, line }: Place): string {
  const inSheet = sheet === null ? '' : ` of the sheet "${sheet}"`;
  return `${line}${inSheet}${file === undefined ? '' : ` of "${file}"`}`;
}
