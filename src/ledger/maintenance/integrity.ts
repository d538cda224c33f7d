import { sql } from 'kysely';
import { messageOf } from '../../errors.ts';
import type { Ledger } from '../ledger.ts';

/**
 * What is wrong with the database itself; nothing when it is whole. SQLite checks every page and every reference. Postgres has no
 * such check for its users: every row of every table is read, which finds pages that cannot be.
 */
export async function ledgerProblems(ledger: Ledger): Promise<string[]> {
  try {
    return ledger.engine === 'sqlite' ? await ofSqlite(ledger) : await ofPostgres(ledger);
  } catch (error) {
    return [messageOf(error)];
  }
}

async function ofSqlite({ db }: Ledger): Promise<string[]> {
  const { rows: pages } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const { rows: references } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...pages.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...references.map(({ table, parent }) => `a row of ${table} names one of ${parent} that is not there`),
  ];
}

async function ofPostgres({ db }: Ledger): Promise<string[]> {
  const problems: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    try {
      // As text, so that values that are stored elsewhere are read, too.
      await sql`select sum(length(t::text)) from ${sql.table(name)} as t`.execute(db);
    } catch (error) {
      problems.push(`table ${name}: ${messageOf(error)}`);
    }
  }
  return problems;
}
