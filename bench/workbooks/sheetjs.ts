// The checks on top of SheetJS: `node bench/workbooks/sheetjs.ts IN OUT`.
import { readFileSync } from 'node:fs';
import { read, utils } from '@e965/xlsx';
import { takeRow } from './take-row.ts';
import { createChecks } from '../read/checks.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checks = createChecks(output);
const { SheetNames, Sheets } = read(readFileSync(input), { dense: true });
const rows = utils.sheet_to_json<unknown[]>(Sheets[SheetNames[0]!]!, { header: 1, raw: true });
for (const row of rows.slice(1)) takeRow(checks, row);
console.log(JSON.stringify(await checks.end()));
