import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteDialect } from '../../../src/ledger/engines/sqlite-dialect.ts';
import { startChild } from '../../support/child.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Tables = { pairs: { id: string; half: number } };

const CHILD = join(import.meta.dirname, 'sqlite-child.ts');

function openFile(file: string): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  onTestFinished(() => db.destroy());
  return db;
}

async function openPairs(file = join(tempFolder(), 'ledger.db')): Promise<Kysely<Tables>> {
  const db = openFile(file);
  await db.schema
    .createTable('pairs')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('half', 'integer')
    .addUniqueConstraint('pair', ['id', 'half'])
    .execute();
  return db;
}

test('a select answers its rows, and so does an insert that returns', async () => {
  const db = await openPairs();
  const inserted = await db.insertInto('pairs').values({ id: 'a', half: 1 }).returning('id').execute();
  expect(inserted).toEqual([{ id: 'a' }]);
  expect(await db.selectFrom('pairs').selectAll().execute()).toEqual([{ id: 'a', half: 1 }]);
  for await (const row of db.selectFrom('pairs').selectAll().stream()) expect(row).toEqual({ id: 'a', half: 1 });
});

test('an update says how many rows it changed', async () => {
  const db = await openPairs();
  await db
    .insertInto('pairs')
    .values([
      { id: 'a', half: 1 },
      { id: 'b', half: 1 },
    ])
    .execute();
  const { numUpdatedRows } = await db.updateTable('pairs').set({ half: 2 }).executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(2n);
});

test('a commit is on disk before it is answered, foreign keys are checked, and no wait blocks for long', async () => {
  const db = await openPairs();
  const settings =
    await sql`select * from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys, pragma_busy_timeout`.execute(
      db,
    );
  expect(settings.rows).toEqual([{ journal_mode: 'wal', synchronous: 2, foreign_keys: 1, timeout: 25 }]);
});

test.each([
  [true, 'a value of type boolean'],
  [undefined, 'a value of type undefined'],
  [new Date(0), 'a Date'],
  [Number.NaN, 'NaN'],
  [{ id: 'a' }, 'a value of type object'],
])('a parameter that cannot be stored is refused: %s', async (value, kind) => {
  const db = await openPairs();
  const query = sql`select * from pairs where half = ${value}`.execute(db);
  await expect(query).rejects.toThrow(`Parameter 1 is ${kind}, which the ledger cannot store`);
});

test('transactions that run at once do not interleave, and plain queries wait for them', async () => {
  const db = await openPairs();
  await db.insertInto('pairs').values({ id: 'sum', half: 0 }).execute();
  const seen: number[] = [];
  const addOne = () =>
    db.transaction().execute(async (trx) => {
      const { half } = await trx.selectFrom('pairs').select('half').executeTakeFirstOrThrow();
      await nextTurn();
      await trx.updateTable('pairs').set({ half: -1 }).execute();
      await nextTurn();
      await trx
        .updateTable('pairs')
        .set({ half: half + 1 })
        .execute();
    });
  const look = async () => {
    seen.push((await db.selectFrom('pairs').select('half').executeTakeFirstOrThrow()).half);
  };
  await Promise.all(Array.from({ length: 20 }, () => [addOne(), look()]).flat());
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

test('an error inside a transaction takes all of it back and comes out unchanged', async () => {
  const db = await openPairs();
  const failing = db.transaction().execute(async (trx) => {
    await trx.insertInto('pairs').values({ id: 'a', half: 1 }).execute();
    await trx.insertInto('pairs').values({ id: 'a', half: 1 }).execute();
  });
  await expect(failing).rejects.toThrow('UNIQUE constraint failed: pairs.id, pairs.half');
  expect(await db.selectFrom('pairs').selectAll().execute()).toEqual([]);
});

test('a transaction that SQLite ended by itself still shows its cause', async () => {
  const db = await openPairs();
  const failing = db.transaction().execute(async (trx) => {
    await trx.insertInto('pairs').values({ id: 'a', half: 1 }).execute();
    await sql`insert or rollback into pairs values ('a', 1)`.execute(trx);
  });
  await expect(failing).rejects.toThrow('UNIQUE constraint failed');
});

test('a transaction begun by hand and abandoned does not swallow later writes', async () => {
  const db = await openPairs();
  await db.connection().execute(async (one) => {
    await sql`begin`.execute(one);
    await one.insertInto('pairs').values({ id: 'abandoned', half: 1 }).execute();
  });
  await db.insertInto('pairs').values({ id: 'later', half: 1 }).execute();
  expect(await db.selectFrom('pairs').select('id').execute()).toEqual([{ id: 'later' }]);
});

test('a file that another process keeps locked is tried again while the event loop goes on', async () => {
  const file = join(tempFolder(), 'ledger.db');
  const db = await openPairs(file);
  const holder = startChild(CHILD, ['hold', file]);
  expect(await holder.line()).toBe('locked');
  let done = false;
  const insert = db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('pairs').select('id').execute();
    await trx
      .insertInto('pairs')
      .values({ id: `after ${rows.length}`, half: 1 })
      .execute();
    done = true;
  });
  for (const word of ['one', 'two', 'three']) {
    holder.send(word);
    expect(await holder.line()).toBe(`heard ${word}`);
  }
  expect(done).toBe(false);
  holder.send('commit');
  await insert;
  expect(await db.selectFrom('pairs').select('id').execute()).toEqual([{ id: 'held' }, { id: 'after 1' }]);
});

test('processes that create the same file at once all succeed', async () => {
  const file = join(tempFolder(), 'ledger.db');
  const children = [1, 2, 3].map(() => startChild(CHILD, ['create', file]));
  expect(await Promise.all(children.map((child) => child.line()))).toEqual(['created', 'created', 'created']);
});

test('what a killed writer committed is kept, whole', async () => {
  const file = join(tempFolder(), 'ledger.db');
  const db = await openPairs(file);
  const writer = startChild(CHILD, ['write', file]);
  const committed: string[] = [];
  while (committed.length < 20) committed.push(await writer.line());
  await writer.kill('SIGKILL');
  const rows = await db
    .selectFrom('pairs')
    .select(['id', (eb) => eb.fn.countAll<number>().as('halves')])
    .groupBy('id')
    .execute();
  expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(committed));
  expect(new Set(rows.map((row) => row.halves))).toEqual(new Set([2]));
});

test('a file that is no ledger is named, with what to do', async () => {
  const file = join(tempFolder(), 'ledger.db');
  writeFileSync(file, 'brand;oem\n'.repeat(1000));
  await expect(sql`select 1`.execute(openFile(file))).rejects.toMatchObject({
    code: 'ledger',
    message: `The ledger ${file} is damaged or not a ledger. Move it away and restore the last backup.`,
  });
});

test('a folder that is not there is named, with what to do', async () => {
  const file = join(tempFolder(), 'missing', 'ledger.db');
  await expect(sql`select 1`.execute(openFile(file))).rejects.toThrow(
    `The ledger ${file} cannot be opened for writing`,
  );
});
