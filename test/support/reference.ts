import { createReference } from '../../src/sandbox/reference/open.ts';
import { atEnd } from './at-end.ts';

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
