/** What was met in a sheet that whoever reads the list should know. */
export type SheetFindings = {
  hiddenRows: number;
  hiddenColumns: Set<number>;
  /** Formulas whose results the file lacks, and the cell of the first. */
  formulas: number;
  firstFormula: string;
};

/** Findings of a sheet of which nothing was read yet. */
export function noFindings(): SheetFindings {
  return { hiddenRows: 0, hiddenColumns: new Set(), formulas: 0, firstFormula: '' };
}

/** The findings as sentences. */
export function sheetNotes(name: string, isHidden: boolean, findings: SheetFindings): string[] {
  const { hiddenRows, hiddenColumns, formulas, firstFormula } = findings;
  const notes: string[] = [];
  if (isHidden) notes.push(`The sheet "${name}" is hidden; it was read.`);
  const hidden = [count(hiddenRows, 'hidden row'), count(hiddenColumns.size, 'hidden column')].filter((part) => part);
  const columns = [...hiddenColumns].toSorted((a, b) => a - b).map(columnName);
  if (hidden.length > 0) {
    const which = columns.length === 0 || columns.length > 10 ? '' : ` (${columns.join(', ')})`;
    notes.push(`The sheet "${name}" has ${hidden.join(' and ')}${which} with cells; they were read.`);
  }
  if (formulas > 0) {
    const which =
      formulas === 1 ? `a formula (${firstFormula})` : `${formulas} formulas (the first in ${firstFormula})`;
    notes.push(
      `The sheet "${name}" has ${which} without a saved result; such cells are empty. Open the workbook, save it and send it again.`,
    );
  }
  return notes;
}

/** The letters of a column, numbered from 0. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (column % 26))}`;
}

function count(number: number, noun: string): string {
  if (number === 0) return '';
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
