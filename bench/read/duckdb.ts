// DuckDB's filtered copy of a file of offers, with rejects: `node bench/read/duckdb.ts IN OUT [DELIMITER BRAND NUMBER NAME TAGS]`.
import { DuckDBInstance } from '@duckdb/node-api';

const escaped = process.argv.slice(2).map((word) => word.replaceAll("'", "''"));
const [input, output, delimiter = ';', ...named] = escaped;
const [brand, number, name, tags] = named.length === 0 ? ['Бренд', 'Артикул', 'Наименование', 'Теги'] : named;
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`
  COPY (
    SELECT "${brand}", "${number}", "${name}", "${tags}"
    FROM read_csv('${input}', delim = '${delimiter}', quote = '"', escape = '"', header = true, all_varchar = true,
                  null_padding = false, store_rejects = true)
    WHERE trim(coalesce("${brand}", '')) <> '' AND trim(coalesce("${number}", '')) <> ''
      AND len(string_split(coalesce("${tags}", ''), ',')) <= 20
  ) TO '${output}' (FORMAT csv, DELIMITER '\t', HEADER true)
`);
const rejects = await connection.runAndReadAll('SELECT count(DISTINCT line) FROM reject_errors');
console.log(JSON.stringify({ rejected: Number(rejects.getRows()[0]?.[0]) }));
connection.closeSync();
