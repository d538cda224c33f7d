// The checks on top of csv-parse: `node bench/read/csv-parse.ts IN OUT`.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { createChecks } from './checks.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checks = createChecks(output);
const parser = createReadStream(input, { highWaterMark: 1 << 18 }).pipe(
  parse({ delimiter: ';', relax_column_count: true, from_line: 2 }),
);
for await (const cells of parser) checks.take(cells as string[]);
console.log(JSON.stringify(await checks.end()));
