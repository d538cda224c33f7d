import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { changeMark } from '../../src/ledger/changes.ts';
import { openReader, type Ledger } from '../../src/ledger/ledger.ts';
import { atEnd } from '../support/at-end.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openAt, type Place } from './conformance/engine.ts';

const newDatabase = postgresForTests();

const keep = ({ db }: Pick<Ledger, 'db'>, key: string) => db.insertInto('meta').values({ key, value: '' }).execute();

async function openReading(place: Place): Promise<Ledger> {
  const reader = await openReader(place);
  atEnd(() => reader.close());
  return reader;
}

test('on SQLite the mark of changes differs after a change of another connection only', async () => {
  const place = { file: `${tempFolder()}/ledger.sqlite` };
  const writer = await openAt(place);
  const reader = await openReading(place);
  const before = await changeMark(reader);
  expect(await changeMark(reader)).toBe(before);
  await keep(writer, 'one');
  expect(await changeMark(reader)).not.toBe(before);
});

describe.skipIf(withoutPostgres)('on Postgres', () => {
  test('the mark differs after a change that began before another one and was kept after it', async () => {
    const place = { file: '', databaseUrl: await newDatabase() };
    const [early, late] = [await openAt(place), await openAt(place)];
    const reader = await openReading(place);
    const [isOpen, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = early.transaction(async (trx) => {
      await sql`insert into meta (key, value) values ('early', '')`.execute(trx);
      isOpen.resolve();
      await go.promise;
    });
    await isOpen.promise;
    await keep(late, 'late');
    const before = await changeMark(reader);
    go.resolve();
    await first;
    expect(await changeMark(reader)).not.toBe(before);
  });
});
