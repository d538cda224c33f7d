/** Cells of suppliers that would be something else in a spreadsheet, or break the table, if they were written as they are. */
export const POISONED_CELLS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  "x\n=cmd|' /C calc'!A0",
  'x\r=cmd',
  'x\r\n=cmd',
  'x\n\n+1',
  'x,=1',
  'x";=1',
  '"=1"',
  '""\n=1',
  '"',
  '",',
  ',"\n=HYPERLINK("http://x.test")',
  '＝1',
  '＋1\n－1',
  'x\u2028=1',
  'x\u0085=1',
  'x\u000b=1',
  "'=1",
  ' =1',
  "=cmd|'/C calc'!A0\n\"",
];

/** What a spreadsheet would run. */
export const RUNS = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
