// The checks on top of exceljs, streamed: `node bench/workbooks/exceljs.ts IN OUT`.
import exceljs from 'exceljs';
import { takeRow } from './take-row.ts';
import { createChecks } from '../read/checks.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checks = createChecks(output);
const options = { sharedStrings: 'cache', worksheets: 'emit', styles: 'ignore', hyperlinks: 'ignore' } as const;
for await (const sheet of new exceljs.stream.xlsx.WorkbookReader(input, options)) {
  for await (const row of sheet) if (row.number > 1) takeRow(checks, (row.values as unknown[]).slice(1));
}
console.log(JSON.stringify(await checks.end()));
