import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArchive } from '../../src/archive/folder.ts';
import { readManifest, type Manifest } from '../../src/backup/manifest.ts';
import type { BackupPlace } from '../../src/backup/place.ts';
import { restoreFiles, restoreLedger } from '../../src/backup/restore-backup.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { messageOf, OfferlineError, STATUS } from '../../src/errors.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { readSnapshot, type PlainRow } from '../../src/ledger/maintenance/snapshot.ts';
import { repetitions } from '../support/repetitions.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { backUp, homeWith, placeAt } from './home.ts';

type Change = (manifest: Manifest) => unknown;

const meter = new SharedArrayBuffer(16);
const { signal } = new AbortController();
let place: BackupPlace;
let folder: string;
let whole: Manifest;
let other: Manifest;
let file: string;
let original: [string, PlainRow[]][];

beforeAll(async () => {
  folder = join(tempFolder(), 'place');
  place = await placeAt(folder);
  const of = await homeWith(3);
  other = (await backUp(of, place)).manifest;
  await of.add(1);
  whole = (await backUp(of, place)).manifest;
  file = join(folder, 'backups', `${whole.id}.json`);
  original = await rowsAt(of.ledger.file);
});

afterAll(() => place.close());

/** The rows of a ledger but those of the notes. */
function rowsAt(ledger: string): Promise<[string, PlainRow[]][]> {
  return readSnapshot({ file: ledger }, async ({ tables, rows }) => {
    const all: [string, PlainRow[]][] = [];
    for (const table of tables.filter(({ name }) => name !== 'meta')) {
      const found: PlainRow[] = [];
      for await (const some of rows(table)) found.push(...some);
      all.push([table.name, found]);
    }
    return all;
  });
}

/** Reads a backup as `backup --verify` does: null when it is found whole, else what is wrong. */
async function verified(): Promise<unknown> {
  try {
    const manifest = await readManifest(place, whole.id);
    const found = await verifyBackup(manifest, place, { folder: tempFolder(), meter });
    const isWhole = found.broken.length === 0 && found.unnamed.length === 0 && found.ledger === null;
    return isWhole ? null : (found.ledger ?? 'not whole');
  } catch (error) {
    return error;
  }
}

/** Restores a backup to an empty home: its rows, or what is wrong. */
async function restored(): Promise<[string, PlainRow[]][] | { error: unknown }> {
  const home = tempFolder();
  const where = { file: join(home, 'ledger.sqlite') };
  try {
    const manifest = await readManifest(place, whole.id);
    await restoreLedger(manifest, place, where, 1);
    const ledger = await openLedger(where);
    const archive = await openArchive(join(home, 'archive'));
    try {
      const { broken } = await restoreFiles(manifest, place, { ledger, archive }, { meter, signal });
      if (broken.length > 0) return { error: 'broken files are named' };
    } finally {
      await ledger.close();
    }
    return await rowsAt(where.file);
  } catch (error) {
    return { error };
  }
}

/** Null for one sentence with status 1 and no stack trace; else what is wrong with it. */
function notASentence(error: unknown): unknown {
  const text = typeof error === 'string' ? error : messageOf(error);
  const isKnown = typeof error === 'string' || (error instanceof OfferlineError && STATUS[error.code].exit === 1);
  return isKnown && !/\n|node:internal/u.test(text) ? null : error;
}

const table = (name: string, change: (one: Manifest['tables'][number]) => unknown): Change => {
  return (manifest) => ({
    ...manifest,
    tables: manifest.tables.map((one) => (one.name === name ? { ...one, ...(change(one) as object) } : one)),
  });
};
const piecesOf = (manifest: Manifest, name: string) => manifest.tables.find((one) => one.name === name)!.pieces;

describe('a manifest that is wrong ends verify and restore with one sentence', () => {
  test.each<[string, Change | string]>([
    ['is empty', ''],
    ['is cut', '{"format":1,"id":"'],
    ['is null', 'null'],
    ['is of a later format', (one) => ({ ...one, format: 2 })],
    ['has another id than its file', (one) => ({ ...one, id: other.id })],
    ['counts rows below zero', table('runs', () => ({ rows: -1 }))],
    ['counts half a row', table('runs', () => ({ rows: 3.5 }))],
    ['counts more rows', table('runs', ({ rows }) => ({ rows: rows + 1 }))],
    ['counts fewer rows', table('runs', ({ rows }) => ({ rows: rows - 1 }))],
    ['counts files below zero', (one) => ({ ...one, files: -1 })],
    ['counts other files', (one) => ({ ...one, files: one.files + 1 })],
    ['lacks a table', (one) => ({ ...one, tables: one.tables.filter(({ name }) => name !== 'events') })],
    ['has a table twice', (one) => ({ ...one, tables: [...one.tables, one.tables.at(-1)] })],
    ['has a table that no ledger has', table('events', () => ({ name: 'nothing' }))],
    ['has a table of the database', table('events', () => ({ name: 'sqlite_master' }))],
    ['has a statement for a table', table('events', () => ({ name: 'events"; drop table runs; --' }))],
    ['has a statement for a column', table('runs', ({ columns }) => ({ columns: [...columns, 'x) values (1); --'] }))],
    [
      'has a column that no ledger has',
      table('runs', ({ columns }) => ({ columns: [...columns.slice(1), 'nothing'] })),
    ],
    ['lacks a column', table('runs', ({ columns }) => ({ columns: columns.filter((one) => one !== 'feed') }))],
    ['has two columns changed round', table('runs', ({ columns: [a, b, ...more] }) => ({ columns: [b, a, ...more] }))],
    ['has a key that is no column', table('runs', () => ({ key: ['nothing'] }))],
    ['has no key', table('runs', () => ({ key: [] }))],
    ['has pieces of another table', (one) => table('runs', () => ({ pieces: piecesOf(one, 'meta') }))(one)],
    ['has a piece twice', table('runs', ({ pieces }) => ({ pieces: [...pieces, ...pieces] }))],
    ['has a delivery for a piece', (one) => table('runs', () => ({ pieces: [one.names] }))(one)],
    ['has a piece that is not there', table('runs', () => ({ pieces: ['0'.repeat(64)] }))],
    ['has a path for a piece', table('runs', () => ({ pieces: ['../../../../etc/passwd'] }))],
    ['has a piece for the list of files', (one) => ({ ...one, names: piecesOf(one, 'runs')[0] })],
    ['has the list of another backup', (one) => ({ ...one, names: other.names, files: other.files })],
    ['has a configuration with a NUL in its path', (one) => ({ ...one, config: { path: '/a\0b', sha256: one.names } })],
    ['has a home that is no path', (one) => ({ ...one, home: 'home' })],
    ['has a migration that nobody knows', (one) => ({ ...one, ledger: { ...one.ledger, migration: '0' } })],
    ['has a later migration', (one) => ({ ...one, ledger: { ...one.ledger, migration: '999-later' } })],
    ['has lost files that are none', (one) => ({ ...one, lost: [{ sha256: 'x', kind: '', owner: '', damage: '' }] })],
    ['has a text for a table', (one) => ({ ...one, tables: ['runs'] })],
  ])('it %s', async (_, change) => {
    writeFileSync(file, typeof change === 'string' ? change : JSON.stringify(change(whole)));
    const found = await verified();
    expect(found).not.toBeNull();
    expect(notASentence(found)).toBeNull();
    const made = await restored();
    expect(made).toHaveProperty('error');
    expect(notASentence((made as { error: unknown }).error)).toBeNull();
  });

  test('numbers that are too large are none', async () => {
    const text = JSON.stringify(whole);
    for (const [from, to] of [
      [/"rows":\d+/u, '"rows":1e400'],
      [/"files":\d+/u, '"files":1e400'],
      [/"bytes":\d+/u, '"bytes":1e300'],
      [/"at":\d+/u, '"at":1e400'],
    ] as const) {
      writeFileSync(file, text.replace(from, to));
      const found = await verified();
      expect(found).not.toBeNull();
      expect(notASentence(found)).toBeNull();
      expect(await restored()).toHaveProperty('error');
    }
  });
});

/** Every place in a value where another value can be put. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

test('whatever is put anywhere in a manifest: it is refused in one sentence, or the ledger is the same', async () => {
  const paths = pathsOf(whole);
  const strange = fc.oneof(
    fc.constantFrom<unknown>(null, -1, 0, 1e21, '', '"', 'runs', 'meta', "'; drop table runs; --", '\0', '__proto__'),
    fc.constantFrom<unknown>([], {}, [[]], { length: 3 }, true, other.names, whole.names),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), strange, async (path, value) => {
      const copy = structuredClone(whole) as unknown;
      const holder = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy);
      (holder as Record<string, unknown>)[path.at(-1)!] = value;
      writeFileSync(file, JSON.stringify(copy));
      const found = await verified();
      const made = await restored();
      expect(found === null ? null : notASentence(found)).toBeNull();
      expect('error' in made ? notASentence(made.error) : null).toBeNull();
      expect('error' in made ? original : made).toEqual(original);
      // What a verification finds whole can be restored.
      expect(found === null ? made : original).toEqual(original);
    }),
    { numRuns: repetitions(60) },
  );
  writeFileSync(file, JSON.stringify(whole));
  expect(await restored()).toEqual(original);
  expect(readFileSync(file, 'utf8')).toContain(whole.id);
}, 120_000);
