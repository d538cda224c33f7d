import { createInterface } from 'node:readline';
import { Kysely } from 'kysely';
import { sqliteDialect } from '../../../src/ledger/engines/sqlite-dialect.ts';

/** A second process on the file: `hold` keeps it locked and answers lines, `write` commits pairs of rows without end. */
const [task, file] = process.argv.slice(2) as ['hold' | 'write' | 'create', string];
const db = new Kysely<{ pairs: { id: string; half: number } }>({ dialect: sqliteDialect(file) });
const say = (text: string) => new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));

if (task === 'create') {
  const table = db.schema.createTable('pairs').ifNotExists().addColumn('id', 'text').addColumn('half', 'integer');
  await table.execute();
  await say('created');
}

if (task === 'hold') {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('pairs').values({ id: 'held', half: 1 }).execute();
    await say('locked');
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'commit') break;
      await say(`heard ${line}`);
    }
  });
}

if (task === 'write') {
  for (let n = 1; ; n += 1) {
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('pairs')
        .values({ id: `pair-${n}`, half: 1 })
        .execute();
      await trx
        .insertInto('pairs')
        .values({ id: `pair-${n}`, half: 2 })
        .execute();
    });
    await say(`pair-${n}`);
  }
}
await db.destroy();
