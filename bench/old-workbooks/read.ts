import { mkdtempSync } from 'node:fs';
import { openTables } from '../../src/tables/open-tables.ts';

/** Reads all rows of a workbook, and prints how many there are: `FORMAT PATH FOLDER`. */
const [format = '', path = '', folder = ''] = process.argv.slice(2);
const limits = { fileSize: 2e9, cellLength: 10_000, rowLength: 100_000 };
const input = { path, name: path, folder: mkdtempSync(`${folder}/rows-`), limits, records: null, charset: null };
await using file = await openTables(format as 'xls', input);
let rows = 0;
for (const table of file.tables.keys()) for await (const batch of file.rows(table)) rows += batch.length;
process.stdout.write(String(rows));
