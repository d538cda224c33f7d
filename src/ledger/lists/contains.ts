import { sql, type Expression, type SqlBool } from 'kysely';
import type { Ledger } from '../ledger.ts';

/** Whether a text contains another, without regard to case; on SQLite case counts beyond ASCII. */
export function contains(column: Expression<unknown>, text: string, engine: Ledger['engine']): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const like = engine === 'sqlite' ? sql`like` : sql`ilike`;
  return sql<SqlBool>`${column} ${like} ${pattern} escape ${sql.lit('\\')}`;
}
