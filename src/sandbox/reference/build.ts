import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { parse } from 'csv-parse/sync';
import { DERIVED_TABLES, FILLED_TABLES } from './tables.ts';

const DATA = fileURLToPath(new URL('data/', import.meta.url));

/** Makes the reference database at `path` from the files in data/; what is there of an earlier version is replaced. */
export function buildReference(path: string, fingerprint: string): void {
  // A thread that indexes may make it at the same time.
  const unfinished = `${path}.part-${threadId}`;
  rmSync(unfinished, { force: true });
  const db = new DatabaseSync(unfinished, { enableForeignKeyConstraints: false });
  try {
    // Nothing here is lost with the file: it is made again.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    db.exec(FILLED_TABLES);
    for (const [table, file] of dataFiles()) fill(db, table, readFileSync(file));
    db.exec(`${DERIVED_TABLES}; CREATE TABLE fingerprint (value TEXT NOT NULL)`);
    db.prepare('INSERT INTO fingerprint VALUES (?)').run(fingerprint);
    db.exec('COMMIT; ANALYZE');
  } finally {
    db.close();
  }
  renameSync(unfinished, path);
}

/** Distinguishes versions of data and tables. */
export function referenceFingerprint(): string {
  const hash = createHash('sha256').update(FILLED_TABLES).update(DERIVED_TABLES);
  for (const [table, file] of dataFiles()) hash.update(table).update(readFileSync(file));
  return hash.digest('hex');
}

/** Each table with the file that fills it, sorted by the table. */
function dataFiles(): [table: string, file: string][] {
  return readdirSync(DATA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.csv'))
    .map(({ parentPath, name }): [string, string] => [basename(name, '.csv'), join(parentPath, name)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An empty cell is NULL where the column allows it. */
function fill(db: DatabaseSync, table: string, csv: Buffer): void {
  const columns = db.prepare(`SELECT name, type, "notnull" AS filled, pk FROM pragma_table_info('${table}')`).all();
  const [header = [], ...rows]: string[][] = parse(csv);
  const readers = header.map((name) => {
    const column = columns.find((candidate) => candidate['name'] === name);
    if (column === undefined) throw new Error(`${table}.csv: the table has no column ${name}.`);
    const isNull = (cell: string) => cell === '' && column['filled'] === 0 && column['pk'] === 0;
    const isNumber = column['type'] === 'INTEGER';
    return (cell: string) => (isNull(cell) ? null : isNumber ? Number(cell) : cell);
  });
  const insert = db.prepare(`INSERT INTO ${table} (${header.join(', ')}) VALUES (${header.map(() => '?').join(', ')})`);
  for (const cells of rows) insert.run(...cells.map((cell, at) => readers[at]!(cell)));
}
