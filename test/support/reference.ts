import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReference } from '../../src/sandbox/reference/open.ts';
import { atEnd } from './at-end.ts';

let made: Buffer | undefined;

/** Puts the reference database into a sandbox's data folder, as it would make it there itself; it is made once for all tests. */
export function bringReference(dataDir: string): void {
  const file = join(dataDir, 'reference.sqlite');
  if (!existsSync(dataDir) || existsSync(file)) return;
  writeFileSync(file, (made ??= make()));
}

function make(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'offerline-reference-'));
  try {
    const reference = createReference(folder);
    reference.db();
    reference.close();
    return readFileSync(reference.path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A row of the sandbox's reference database. */
export type Row = Record<string, string | number | null>;

/** The reference database of a folder, made when it is not there, and how tests ask it. */
export function referenceAt(folder: string) {
  const reference = createReference(folder);
  atEnd(() => reference.close());
  const rows = (sql: string, ...values: (string | number)[]) =>
    reference
      .db()
      .prepare(sql)
      .all(...values) as Row[];
  /** The one row that a query is about. */
  const row = (sql: string, ...values: (string | number)[]): Row => {
    const [first] = rows(sql, ...values);
    if (first === undefined) throw new Error(`Nothing is found by ${sql}`);
    return first;
  };
  return { reference, rows, row };
}
