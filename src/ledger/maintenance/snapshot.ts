import { sql } from 'kysely';
import { untilDone } from '../engines/postgres-reconnect.ts';
import { connect, openReader, type Db, type Ledger } from '../ledger.ts';
import { archiveIdOf } from './archive-id.ts';

/** A row as the database has it: text, numbers and null, in the order of the table's columns. */
export type PlainRow = (string | number | null)[];

/** A table of a ledger: its columns, and those of its key, by which its rows are in order. */
export type SnapshotTable = { name: string; columns: string[]; key: string[] };

/** A ledger as it is at one moment, whatever others write meanwhile. */
export type Snapshot = {
  engine: Ledger['engine'];
  id: string;
  archive: string | null;
  /** The newest migration of its tables. */
  migration: string;
  tables: SnapshotTable[];
  /** The rows of a table in the order of its key, some at a time. */
  rows: (table: SnapshotTable) => AsyncGenerator<PlainRow[]>;
  /** For questions that see the same moment. */
  db: Db;
};

/** What is left out: who works on what just now, and what is where in one bucket. */
const OF_THE_MOMENT = ['leases', 'workers', 'looks', 'archived_objects'];

/** Tables that others refer to, in an order in which they can be filled. */
const FIRST = ['meta', 'runs', 'datasets', 'intents', 'uploads'];

const PAGE = 1000;

/** Lets `work` read a ledger of this version as it is at one moment, over a connection of its own that delays nobody. */
export async function readSnapshot<T>(
  where: { file: string; databaseUrl?: string | undefined },
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const engine = where.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const reader = await openReader(where);
  const { id } = reader;
  await reader.close();
  const db = await connect(where, { readOnly: true });
  try {
    return await untilDone(() =>
      inOneMoment(db, engine, async (trx) => {
        const tables = await tablesOf(trx.withoutPlugins(), engine);
        return work({
          engine,
          id,
          archive: await archiveIdOf(trx),
          migration: await newestMigration(trx),
          tables,
          rows: (table) => rowsOf(trx.withoutPlugins(), table),
          db: trx,
        });
      }),
    );
  } finally {
    await db.destroy();
  }
}

function inOneMoment<T>(db: Db, engine: Ledger['engine'], work: (trx: Db) => Promise<T>): Promise<T> {
  // Read only, SQLite's transactions see one moment as they are.
  if (engine === 'sqlite') return db.transaction().execute(work);
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** The newest migration of the tables of a ledger. */
export async function newestMigration(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}

/** The tables of a ledger of any version, in an order in which they can be filled. */
export async function tablesOf(db: Db, engine: Ledger['engine']): Promise<SnapshotTable[]> {
  const found = await db.introspection.getTables();
  const { rows } =
    engine === 'sqlite' ? { rows: [] } : await sql<{ at: string }>`select current_schema() as at`.execute(db);
  const here = rows[0]?.at;
  const tables: SnapshotTable[] = [];
  for (const { name, columns, schema, isView } of found) {
    if (isView || OF_THE_MOMENT.includes(name) || (here !== undefined && schema !== here)) continue;
    tables.push({ name, columns: columns.map((column) => column.name), key: await keyOf(db, name, engine) });
  }
  const rank = ({ name }: SnapshotTable) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return tables.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

async function keyOf(db: Db, table: string, engine: Ledger['engine']): Promise<string[]> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`
      : sql<{ name: string }>`select a.attname as name from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
          where i.indrelid = to_regclass(${table}) and i.indisprimary
          order by array_position(i.indkey::int2[], a.attnum)`;
  const names = (await query.execute(db)).rows.map(({ name }) => name);
  if (names.length === 0) throw new Error(`the table ${table} has no key`);
  return names;
}

async function* rowsOf(db: Db, { name, columns, key }: SnapshotTable): AsyncGenerator<PlainRow[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(key.map((column) => sql.ref(column)));
  const places = key.map((column) => columns.indexOf(column));
  let after = sql``;
  for (;;) {
    const query = sql<Record<string, string | number | null>>`select ${list} from ${sql.table(name)} ${after}
      order by ${order} limit ${sql.lit(PAGE)}`;
    const rows = (await query.execute(db)).rows.map((row) => columns.map((column) => row[column] ?? null));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = sql`where (${order}) > (${sql.join(places.map((at) => last[at]))})`;
  }
}
