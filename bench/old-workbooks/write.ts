import { generateOds, generateXls } from './generate.ts';

/** Writes both workbooks of so many rows: `ROWS XLS ODS`. In a process of its own, because its memory would count as its children's. */
const [rows = '', xls = '', ods = ''] = process.argv.slice(2);
generateXls(xls, Number(rows));
await generateOds(ods, Number(rows));
