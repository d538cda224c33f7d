// The checks on top of read-excel-file: `node bench/workbooks/read-excel-file.ts IN OUT`.
import { readSheet } from 'read-excel-file/node';
import { takeRow } from './take-row.ts';
import { createChecks } from '../read/checks.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checks = createChecks(output);
const rows = await readSheet(input);
for (const row of rows.slice(1)) takeRow(checks, row);
console.log(JSON.stringify(await checks.end()));
