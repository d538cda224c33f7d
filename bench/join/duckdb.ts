// What a user would write instead: `node bench/join/duckdb.ts FOLDER`. Numbers are compared as part keys are. With `count` it says what came of that.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { LIST, STOCK } from './generate.ts';

const [folder = '', what] = process.argv.slice(2);
const quoted = (name: string) => `'${join(folder, name).replaceAll("'", "''")}'`;
const fold = (column: string) => `upper(regexp_replace(${column}, '[\\s.–—-]+', '', 'g'))`;
const read = (name: string) => `read_csv(${quoted(name)}, delim = ';', header = true, all_varchar = true)`;
const connection = await (await DuckDBInstance.create(':memory:')).connect();
if (what === 'count') {
  const counted = await connection.runAndReadAll(`SELECT count(*), count(Bestand) FROM ${read('joined.csv')}`);
  console.log(counted.getRows()[0]?.join(' '));
} else {
  await connection.run(`SET temp_directory = ${quoted('duckdb')}`);
  await connection.run(`
    COPY (
      SELECT list.*, stock.Bestand, stock.Preis
      FROM ${read(LIST)} AS list LEFT JOIN ${read(STOCK)} AS stock ON ${fold('list.oem')} = ${fold('stock.Artikelnummer')}
    ) TO ${quoted('joined.csv')} (FORMAT csv, DELIMITER ';', HEADER true)
  `);
}
connection.closeSync();
