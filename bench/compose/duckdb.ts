// What a user would write instead: `node bench/compose/duckdb.ts FOLDER`. One row per part, the first feed's.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { FEEDS } from './generate.ts';

const [folder = ''] = process.argv.slice(2);
const quoted = (name: string) => `'${join(folder, name).replaceAll("'", "''")}'`;
const fold = (column: string) => `upper(regexp_replace(${column}, '[\\s.–—-]+', '', 'g'))`;
const format = `delim = '\t', header = false, quote = '', escape = '', all_varchar = true`;
const names = `names = ['line', 'brand', 'oem', 'name', 'tags']`;
const feeds = Array.from(
  { length: FEEDS },
  (_, at) => `SELECT ${at} AS feed, * FROM read_csv(${quoted(`feed-${at}.tsv`)}, ${format}, ${names})`,
).join(' UNION ALL ');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`SET temp_directory = ${quoted('duckdb')}`);
await connection.run(`
  COPY (
    SELECT feed, line, brand, oem, name, tags FROM (
      SELECT *, row_number() OVER (PARTITION BY ${fold('brand')}, ${fold('oem')} ORDER BY feed) AS place FROM (${feeds})
    ) WHERE place = 1
  ) TO ${quoted('upload')} (FORMAT csv, DELIMITER '\t', HEADER true)
`);
const counted = await connection.runAndReadAll(
  `SELECT count(*) FROM read_csv(${quoted('upload')}, delim = '\t', header = true, all_varchar = true)`,
);
console.log(String(counted.getRows()[0]?.[0]));
connection.closeSync();
