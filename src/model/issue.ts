/** How bad a finding is: an `error` costs the row (or the file), a `warning` does not, an `info` says what was done and asks for nothing. */
export type Severity = 'error' | 'warning' | 'info';

/** Something found about a file, a column or a row. */
export type Issue = {
  code: string;
  severity: Severity;
  /** Which of several files that are read as one list it is in; absent where the delivery is one file. */
  file?: string | undefined;
  /** The sheet of a workbook in which it is, else null. */
  sheet: string | null;
  /** Physical line of a text, row of a sheet, or null when the issue is about the whole file. */
  line: number | null;
  column: string | null;
  value: string | null;
  message: string;
};
