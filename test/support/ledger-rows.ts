import { DatabaseSync } from 'node:sqlite';

/** Every row of every table of a ledger, as text. */
export function ledgerRows(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const content = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${String(name)}" ORDER BY 1, 2`).all()]);
  db.close();
  return JSON.stringify(content);
}
