import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from 'node:sqlite';
import type { Offer } from './offers.ts';

/** Finds twenty offers that have every word somewhere, in this process and without HTTP. */
export type Peer = { name: string; find: (words: readonly string[]) => Promise<number>; close: () => void };

const PLACES = "lower(brand || ' ' || oem || ' ' || name)";

/** A table without an index in SQLite, looked through with LIKE. */
export function sqliteLike(offers: readonly Offer[]): Peer {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE offers (text TEXT, brand TEXT, oem TEXT, name TEXT); BEGIN');
  const insert = db.prepare('INSERT INTO offers VALUES (?, ?, ?, ?)');
  for (const { brand, oem, name } of offers) insert.run(`${brand} ${oem} ${name}`.toLowerCase(), brand, oem, name);
  db.exec('COMMIT');
  return {
    name: 'SQLite, LIKE',
    find: (words) => {
      const where = words.map(() => "text LIKE '%' || ? || '%'").join(' AND ');
      const found = db.prepare(`SELECT * FROM offers WHERE ${where} ORDER BY length(name) LIMIT 20`);
      return Promise.resolve(found.all(...words.map((word) => word.toLowerCase())).length);
    },
    close: () => db.close(),
  };
}

/** The same in DuckDB, on all cores. */
export async function duckDb(offers: readonly Offer[], file: string): Promise<Peer> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const path = file.replaceAll("'", "''");
  await connection.run(
    `CREATE TABLE offers AS SELECT *, ${PLACES} AS text FROM read_csv('${path}', delim = '\t', quote = '', all_varchar = true)`,
  );
  const loaded = await connection.runAndReadAll('SELECT count(*) FROM offers');
  if (Number(loaded.getRows()[0]?.[0]) !== offers.length) throw new Error('DuckDB has not read every offer.');
  return {
    name: 'DuckDB, contains',
    find: async (words) => {
      const where = words.map((_, at) => `contains(text, lower($${at + 1}))`).join(' AND ');
      const sql = `SELECT * FROM offers WHERE ${where} ORDER BY length(name) LIMIT 20`;
      return (await connection.runAndReadAll(sql, [...words])).getRows().length;
    },
    close: () => connection.closeSync(),
  };
}
