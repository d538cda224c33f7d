// DuckDB's filtered copy of a file of offers, with rejects: `node bench/read/duckdb.ts IN OUT`.
import { DuckDBInstance } from '@duckdb/node-api';

const [input, output] = process.argv.slice(2).map((path) => path.replaceAll("'", "''"));
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`
  COPY (
    SELECT "Бренд", "Артикул", "Наименование", "Теги"
    FROM read_csv('${input}', delim = ';', quote = '"', escape = '"', header = true, all_varchar = true,
                  null_padding = false, store_rejects = true)
    WHERE trim(coalesce("Бренд", '')) <> '' AND trim(coalesce("Артикул", '')) <> ''
      AND len(string_split(coalesce("Теги", ''), ',')) <= 20
  ) TO '${output}' (FORMAT csv, DELIMITER '\t', HEADER true)
`);
const rejects = await connection.runAndReadAll('SELECT count(DISTINCT line) FROM reject_errors');
console.log(JSON.stringify({ rejected: Number(rejects.getRows()[0]?.[0]) }));
connection.closeSync();
