import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse';
import papaparse from 'papaparse';

/** A delimiter and a quote as a detector names them, or null when it does not know. */
export type DialectAnswer = {
  delimiter: string | null;
  quote: string | null;
  /** Of those that look for one: the line of the header (null: none), and the first line below it. */
  start?: { headerLine: number | null; dataLine: number };
} | null;
type DialectPeer = (text: string) => Promise<DialectAnswer>;

/** What else npm has for finding a delimiter. All get the text decoded right, which DuckDB needs as UTF-8. */
export async function dialectPeers(folder: string): Promise<Record<string, DialectPeer>> {
  return { DuckDB: await duckdb(folder), papaparse: papa, 'csv-parse': csvParse };
}

async function duckdb(folder: string): Promise<DialectPeer> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const path = join(folder, 'text.csv');
  return async (text) => {
    writeFileSync(path, text);
    try {
      const reader = await connection.runAndReadAll(
        'SELECT Delimiter, Quote, HasHeader, SkipRows FROM sniff_csv(?, ignore_errors = true)',
        [path],
      );
      const [row] = reader.getRowObjects();
      if (row === undefined) return null;
      const quote = String(row['Quote']);
      const start = Number(row['SkipRows']) + 1;
      const found =
        row['HasHeader'] === true ? { headerLine: start, dataLine: start + 1 } : { headerLine: null, dataLine: start };
      return { delimiter: String(row['Delimiter']), quote: quote === '(empty)' ? '"' : quote, start: found };
    } catch {
      return null;
    }
  };
}

/** It looks for a delimiter only; its quote is the usual one. */
async function papa(text: string): Promise<DialectAnswer> {
  const { meta, errors } = papaparse.parse<string[]>(text, { preview: 500 });
  return errors.some(({ code }) => code === 'UndetectableDelimiter') ? null : { delimiter: meta.delimiter, quote: '"' };
}

async function csvParse(text: string): Promise<DialectAnswer> {
  const parser = parse({ delimiter_auto: true, relax_column_count: true });
  try {
    parser.end(text);
    for await (const _ of parser) break;
    const found = parser.options.delimiter;
    const [first] = Array.isArray(found) ? found : [found];
    return first === undefined ? null : { delimiter: String(first), quote: '"' };
  } catch {
    return null;
  }
}
