import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { messageOf, OfferlineError } from '../../errors.ts';
import { noteIn, readNote, type RestoreNote } from '../alerts/notes.ts';
import { connect, type Db } from '../ledger.ts';
import { migrate } from '../migrate.ts';
import { noteFilled, noteRestored } from './restored.ts';
import { newestMigration, tablesOf, type PlainRow, type SnapshotTable } from './snapshot.ts';

/** What a ledger is filled with: tables as a snapshot has them, and the migration that they were at. */
export type Filling = {
  migration: string;
  tables: { table: SnapshotTable; rows: () => AsyncIterable<PlainRow[]> }[];
  /** Where it comes from. It gets an id of its own; null leaves it as it was, to be looked at only. */
  restored: RestoreNote | null;
};

/** Keys of `meta` that are about the ledger that a copy comes from. */
const OF_THE_ORIGINAL = /^(?:ledger-id|archive-id|archive-copy-.*|archive-shared|restored|taken-over)$/u;

/** SQLite takes no more parameters in a statement. */
const MOST_PARAMETERS = 30_000;

/**
 * Fills an empty ledger, and brings it to this version. All of it, or nothing: fails with `conflict` where there is a ledger already, with
 * `ledger` for one of a newer version, and for tables of another one.
 */
export async function fillLedger(
  where: { file: string; databaseUrl?: string | undefined },
  filling: Filling,
): Promise<void> {
  const engine = where.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const { restored } = filling;
  const db = await connect(where);
  try {
    await assertEmpty(db, where, filling.migration);
    await migrate(db, engine, filling.migration);
    // What stops this from now on leaves a ledger that nobody works with.
    if (restored !== null) await noteRestored(db, restored, randomUUID());
    await sayWrongRows(() =>
      db.transaction().execute(async (trx) => {
        const plain = trx.withoutPlugins();
        await assertFits(plain, engine, filling);
        let ofOriginal: RestoreNote | null = null;
        for (const { table, rows } of filling.tables) {
          // A migration may have written rows of its own.
          if (table.name !== 'meta') await sql`delete from ${sql.table(table.name)}`.execute(plain);
          for await (const some of rows()) {
            ofOriginal ??= restoreNoteIn(table, some);
            await insert(plain, table, restored === null ? some : ours(table, some));
          }
        }
        if (restored !== null) await noteFilled(trx, ofOriginal);
      }),
    );
    await migrate(db, engine);
  } finally {
    await db.destroy();
  }
}

/** A database without a ledger, with one that was about to be filled, or with tables alone, as `offerline migrate` makes them. */
async function assertEmpty(
  db: Db,
  { databaseUrl, file }: { file: string; databaseUrl?: string | undefined },
  migration: string,
): Promise<void> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'meta')) return;
  const known = (await db.selectFrom('meta').select('key').execute()).map(({ key }) => key);
  if (known.length === 0 || (await readNote(db, 'restored'))?.filled === false) return;
  const place = databaseUrl === undefined ? file : 'The database of DATABASE_URL';
  // Whatever has worked on it has bound an archive to it.
  if (known.every((key) => key === 'ledger-id')) {
    if ((await newestMigration(db)) === migration) return;
    throw new OfferlineError(
      'ledger',
      `${place} has tables of another version than the backup, which was made at ${migration}. Restore to a database without tables: a role that may make tables restores, and every other role works with it then.`,
    );
  }
  throw new OfferlineError(
    'conflict',
    `${place} has a ledger already. Restore to an empty home and an empty database, or move this one away first.`,
  );
}

async function assertFits(db: Db, engine: 'sqlite' | 'postgres', { tables }: Filling): Promise<void> {
  const all = await tablesOf(db, engine);
  const here = new Map(all.map(({ name, columns }) => [name, columns]));
  const given = new Map(tables.map(({ table }) => [table.name, table.columns]));
  const lacks = all.find(({ name, columns }) => columns.some((column) => given.get(name)?.includes(column) !== true));
  if (lacks !== undefined) {
    throw new OfferlineError(
      'archive',
      `The backup is damaged: it lacks the table ${lacks.name}, or a column of it. Name another one.`,
    );
  }
  for (const { table } of tables) {
    const strange = table.columns.find((column) => here.get(table.name)?.includes(column) !== true);
    if (strange === undefined) continue;
    throw new OfferlineError(
      'ledger',
      `The backup has a column ${table.name}.${strange} that this version does not know. Restore it with the version that made it.`,
    );
  }
}

/** What a database says of rows that do not fit it: codes of SQLite (error, constraint, mismatch, range), classes of Postgres (data, integrity, syntax). */
const WRONG_ROWS = { sqlite: new Set([1, 19, 20, 25]), postgres: /^(?:22|23|42)[0-9A-Z]{3}$/u };

/** Rows that do not fit were not written by a ledger. */
async function sayWrongRows(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { errcode, code } = error as { errcode?: unknown; code?: unknown };
    const isWrong =
      (typeof errcode === 'number' && WRONG_ROWS.sqlite.has(errcode & 0xff)) ||
      (typeof code === 'string' && WRONG_ROWS.postgres.test(code));
    if (!isWrong || error instanceof OfferlineError) throw error;
    const message = `The backup is damaged: its rows do not fit a ledger (${messageOf(error)}). Name another one.`;
    throw new OfferlineError('archive', message, { cause: error });
  }
}

/** What the original has noted of its own restore; null where it was not restored, or the rows are others. */
function restoreNoteIn({ name, columns }: SnapshotTable, rows: PlainRow[]): RestoreNote | null {
  if (name !== 'meta') return null;
  const [key, value] = [columns.indexOf('key'), columns.indexOf('value')];
  const row = rows.find((one) => one[key] === 'restored');
  if (row === undefined) return null;
  try {
    return noteIn('restored', String(row[value]));
  } catch (error) {
    const message = 'The backup is damaged: what it says of an earlier restore cannot be read. Name another one.';
    throw new OfferlineError('archive', message, { cause: error });
  }
}

/** The rows of a table without what is about the original alone. */
function ours({ name, columns }: SnapshotTable, rows: PlainRow[]): PlainRow[] {
  if (name !== 'meta') return rows;
  const at = columns.indexOf('key');
  return rows.filter((row) => !OF_THE_ORIGINAL.test(String(row[at])));
}

async function insert(db: Db, { name, columns }: SnapshotTable, rows: PlainRow[]): Promise<void> {
  const atOnce = Math.max(1, Math.floor(MOST_PARAMETERS / columns.length));
  const list = sql.join(columns.map((column) => sql.ref(column)));
  for (let from = 0; from < rows.length; from += atOnce) {
    const values = rows.slice(from, from + atOnce).map((row) => sql`(${sql.join(row)})`);
    await sql`insert into ${sql.table(name)} (${list}) values ${sql.join(values)}`.execute(db);
  }
}
