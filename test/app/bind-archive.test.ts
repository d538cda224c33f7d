import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openArchive } from '../../src/archive/folder.ts';
import { folderIdentity, type ArchiveIdentity, type IdentityPlace } from '../../src/archive/identity.ts';
import { assertLedgerThere, bindArchive } from '../../src/app/bind-archive.ts';
import { createRun } from '../../src/ledger/runs/runs.ts';
import { leaveNote } from '../../src/ledger/alerts/notes.ts';
import { allowArchive, archiveIdOf, keepArchiveId, workMark } from '../../src/ledger/maintenance/archive-id.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { noteChosen } from '../../src/ledger/maintenance/restored.ts';
import { endWorker, showWorker } from '../../src/ledger/workers/workers.ts';
import { ledgerProblems } from '../../src/ledger/maintenance/integrity.ts';
import { atEnd } from '../support/at-end.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const newDatabase = postgresForTests();

/** A home with its archive, on a ledger of its own or on one that it shares. */
async function home(databaseUrl?: string) {
  const folder = tempFolder();
  const archive = join(folder, 'archive');
  await openArchive(archive);
  const place = folderIdentity(archive);
  const ledger = await openLedger({ file: join(folder, 'ledger.sqlite'), databaseUrl });
  atEnd(() => ledger.close());
  return { archive, place, ledger, file: join(folder, 'ledger.sqlite') };
}

test('an archive and a ledger that meet for the first time know each other from then on', async () => {
  const { archive, place, ledger, file } = await home();
  await bindArchive(place, ledger);
  await bindArchive(place, ledger);
  expect(await folderIdentity(archive).read()).toMatchObject({ ledger: ledger.id });
  expect(readdirSync(join(archive, 'tmp'))).toEqual([]);
  await assertLedgerThere(file, place);
});

test('processes that start together agree on one identity', async () => {
  const { archive, place, ledger } = await home();
  await Promise.all(Array.from({ length: 20 }, () => bindArchive(place, ledger)));
  expect((await folderIdentity(archive).read())?.archive).toBe(await archiveIdOf(ledger.db));
});

test('processes that start together agree, too, where a store takes what several of them write "unless it is there"', async () => {
  const { place, ledger } = await home();
  let written: ArchiveIdentity | null = null;
  const careless: IdentityPlace = {
    ...place,
    read: async () => written,
    claim: async (identity) => {
      // Each looks before it writes, and nobody has written by then.
      await setImmediate();
      return (written = identity);
    },
  };
  await Promise.all(Array.from({ length: 5 }, () => bindArchive(careless, ledger)));
  expect((await careless.read())?.archive).toBe(await archiveIdOf(ledger.db));
});

test('a home that was moved, and one whose ledger is a backup from before it was bound, go on', async () => {
  const { archive, place, ledger } = await home();
  await bindArchive(place, ledger);
  const moved = join(tempFolder(), 'archive');
  cpSync(archive, moved, { recursive: true });
  await bindArchive(folderIdentity(moved), ledger);
  await ledger.db.deleteFrom('meta').where('key', '=', 'archive-id').execute();
  await bindArchive(folderIdentity(moved), ledger);
  expect((await folderIdentity(archive).read())?.archive).toBe(await archiveIdOf(ledger.db));
});

test('a ledger does not move to a copy of its archive while a worker is alive, which would go on writing to the old one', async () => {
  const { place, ledger } = await home();
  await bindArchive(place, ledger);
  const copy = folderIdentity(join(tempFolder(), 'copy'));
  await openArchive(copy.where);
  await copy.claim({ ledger: ledger.id, archive: 'a copy' });
  await allowArchive(ledger.db, 'a copy', await workMark(ledger.db));
  const worker = { id: 'one', name: 'cellar', host: 'nas', version: '1.0.0', migration: '001', serves: [] };
  await showWorker(ledger, { ...worker, state: 'works', stays: 1 }, 60_000);
  const refused = { code: 'conflict', message: expect.stringContaining('cellar on nas') as string };
  await expect(bindArchive(copy, ledger)).rejects.toMatchObject(refused);
  await bindArchive(place, ledger);
  await endWorker(ledger, 'one');
  await bindArchive(copy, ledger);
  expect(await archiveIdOf(ledger.db)).toBe('a copy');
  await expect(bindArchive(place, ledger)).rejects.toMatchObject({ code: 'conflict' });
});

test('a ledger does not move to a copy that misses what was kept since, and says how to bring it', async () => {
  const { place, ledger } = await home();
  await bindArchive(place, ledger);
  const copy = folderIdentity(join(tempFolder(), 'copy'));
  await openArchive(copy.where);
  await copy.claim({ ledger: ledger.id, archive: 'a copy' });
  await allowArchive(ledger.db, 'a copy', await workMark(ledger.db));
  const run = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false, now: 1 } as const;
  await createRun(ledger.db, run);
  await expect(bindArchive(copy, ledger)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('`offerline archive copy --size-only` once more') as string,
  });
  await bindArchive(place, ledger);
  await allowArchive(ledger.db, 'a copy', await workMark(ledger.db));
  await bindArchive(copy, ledger);
  expect(await archiveIdOf(ledger.db)).toBe('a copy');
});

test('a ledger that is gone is not made anew beside an archive that belongs to it', async () => {
  const { archive, place, ledger, file } = await home();
  await bindArchive(place, ledger);
  const gone = join(tempFolder(), 'ledger.sqlite');
  await expect(assertLedgerThere(gone, place)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`remove ${join(archive, 'id.json')}`) as string,
  });
  // One that was emptied, or made by hand, is another ledger.
  const other = await home();
  await expect(bindArchive(place, other.ledger)).rejects.toThrow(`belongs to the ledger ${ledger.id}`);
  await assertLedgerThere(file, place);
  await assertLedgerThere(gone, folderIdentity(join(tempFolder(), 'archive')));
});

test('an identity that cannot be read is said, not taken for none', async () => {
  const { archive, place, ledger } = await home();
  await bindArchive(place, ledger);
  writeFileSync(join(archive, 'id.json'), '{"archive":');
  await expect(bindArchive(place, ledger)).rejects.toMatchObject({ code: 'archive' });
  rmSync(join(archive, 'id.json'));
  await expect(bindArchive(place, ledger)).rejects.toThrow('is new or has been emptied');
});

test('a ledger is whole, or its damaged pages and references are named', async () => {
  const { ledger, file } = await home();
  expect(await ledgerProblems(ledger)).toEqual([]);
  const other = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const columns = "(run, seq, at, stage, message) values ('nobody', 1, 1, 'pull', 'x')";
  other.exec(`insert into events ${columns}`);
  other.close();
  expect(await ledgerProblems(ledger)).toContain('a row of events names one of runs that is not there');
});

describe.skipIf(withoutPostgres)('two homes on one Postgres', () => {
  test('with an archive each are refused, whichever comes second', async () => {
    const url = await newDatabase();
    const [first, second] = [await home(url), await home(url)];
    await bindArchive(first.place, first.ledger);
    await expect(bindArchive(second.place, second.ledger)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /The ledger of DATABASE_URL keeps its files in the archive .* share one archive/,
      ) as string,
    });
    await bindArchive(first.place, first.ledger);
    expect(await ledgerProblems(first.ledger)).toEqual([]);
  });

  test('that start at the same moment: one is refused', async () => {
    const url = await newDatabase();
    const homes = [await home(url), await home(url)];
    const bound = await Promise.allSettled(homes.map(({ place, ledger }) => bindArchive(place, ledger)));
    expect(bound.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('with one archive, on a shared disk, go together', async () => {
    const url = await newDatabase();
    const [first, second] = [await home(url), await home(url)];
    await bindArchive(first.place, first.ledger);
    await expect(bindArchive(first.place, second.ledger)).resolves.toBeUndefined();
  });
});

test('a choice after a restore that was stopped gets the archive of the original when the two are opened next, and no copy of that', async () => {
  const { place, ledger: original } = await home();
  await bindArchive(place, original);
  const before = (await place.read())!;
  const { ledger } = await home();
  const { db } = ledger;
  await leaveNote(db, 'restored', {
    place: '/backups',
    backup: 'x',
    madeAt: 1,
    at: 1,
    original: original.id,
    filled: true,
    complete: true,
    chosen: null,
    term: null,
    fetching: {},
  });
  await leaveNote(db, 'archive-shared', { archive: before.archive });
  await keepArchiveId(db, before.archive);
  await bindArchive(place, ledger);
  expect(await place.read()).toEqual(before);
  await noteChosen(db, { chosen: 'live', term: 't', fetching: {} });
  await Promise.all([bindArchive(place, ledger), bindArchive(place, ledger)]);
  expect(await place.read()).toEqual({ archive: await archiveIdOf(db), ledger: ledger.id });
  await expect(bindArchive(place, original)).rejects.toThrow('it goes on in its place');
  await place.replace(before);
  await expect(bindArchive(place, ledger)).rejects.toMatchObject({ code: 'conflict' });
});

test('whoever names another archive is told where that of the ledger was seen last', async () => {
  const { place, ledger } = await home();
  await bindArchive(place, ledger);
  const other = await home();
  await other.place.claim({ ledger: ledger.id, archive: 'another one' });
  const id = await archiveIdOf(ledger.db);
  await expect(bindArchive(other.place, ledger)).rejects.toThrow(
    `keeps its files in the archive ${place.where} (${id}), and the archive ${other.place.where} is another one`,
  );
});
