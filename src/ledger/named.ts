import { sql } from 'kysely';

/** A table of names, called `named`, to ask about all of them at once; its only column is `column1`, as both engines call it. */
export function named(names: readonly string[]) {
  const rows = sql.join(names.map((name) => sql`(${name})`));
  return sql<{ column1: string }>`(values ${rows})`.as('named');
}
