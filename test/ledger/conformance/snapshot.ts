import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markOf, termAfter } from '../../../src/ledger/ids.ts';
import { migrateLedger, openLedger } from '../../../src/ledger/ledger.ts';
import { fillLedger, type Filling } from '../../../src/ledger/maintenance/fill-ledger.ts';
import { fetchingOf } from '../../../src/ledger/maintenance/fetching.ts';
import {
  assertMayWork,
  noteChosen,
  noteComplete,
  successorMark,
  successorOf,
} from '../../../src/ledger/maintenance/restored.ts';
import { readSnapshot, type PlainRow, type Snapshot } from '../../../src/ledger/maintenance/snapshot.ts';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import { fillSmall } from '../../support/filled-ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openAt, type Engine, type Place } from './engine.ts';

type Taken = { migration: string; tables: Filling['tables']; rows: Map<string, PlainRow[]>; id: string };

async function taken(where: Place): Promise<Taken> {
  return readSnapshot(where, async (snapshot) => {
    const rows = new Map<string, PlainRow[]>();
    for (const table of snapshot.tables) rows.set(table.name, await allOf(snapshot, table));
    const tables = snapshot.tables.map((table) => ({ table, rows: () => again(rows.get(table.name) ?? []) }));
    return { migration: snapshot.migration, tables, rows, id: snapshot.id };
  });
}

async function allOf(snapshot: Snapshot, table: Snapshot['tables'][number]): Promise<PlainRow[]> {
  const rows: PlainRow[] = [];
  for await (const some of snapshot.rows(table)) rows.push(...some);
  return rows;
}

async function* again(rows: PlainRow[]): AsyncGenerator<PlainRow[]> {
  for (let from = 0; from < rows.length; from += 700) yield rows.slice(from, from + 700);
}

async function* failing(): AsyncGenerator<PlainRow[]> {
  yield [];
  throw new Error('a damaged piece');
}

const NOTE = {
  place: '/backups',
  backup: 'b1',
  madeAt: 1,
  at: 2,
  original: 'the-first',
  filled: false,
  complete: false,
  chosen: null,
  term: null,
  fetching: {},
};

/** The rows of a ledger but those of the notes, which are its own. */
function comparable({ rows }: Taken): [string, string[]][] {
  return [...rows]
    .filter(([name]) => name !== 'meta')
    .map(([name, some]) => [name, some.map((row) => JSON.stringify(row.map(String))).toSorted()]);
}

/** A ledger as it is at one moment, and another one that is filled with it. */
export function snapshotConformance(engine: Engine): void {
  describe(`snapshots on ${engine.name}`, () => {
    test('every row comes once, in order of its key, while others write', async () => {
      const where = await engine.place();
      const ledger = await openAt(where);
      await fillSmall(ledger);
      const { count } = await ledger.db
        .selectFrom('events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(count).toBeGreaterThan(1500);
      await readSnapshot(where, async (snapshot) => {
        const [first] = snapshot.tables;
        expect(first?.name).toBe('meta');
        const audit = snapshot.tables.find(({ name }) => name === 'audit')!;
        const before = await allOf(snapshot, audit);
        await recordDecision(ledger.db, {
          at: 1,
          who: 'x',
          action: 'pause',
          subject: 'feed a',
          reason: 'meanwhile',
          via: 'cli',
          origin: null,
        });
        expect(await allOf(snapshot, audit)).toEqual(before);
        const events = snapshot.tables.find(({ name }) => name === 'events')!;
        const found = await allOf(snapshot, events);
        const keys = found.map((row) => events.key.map((column) => row[events.columns.indexOf(column)]).join(' '));
        expect(new Set(keys).size).toBe(count);
      });
    });

    test('a ledger that is filled with one has its rows, also on the other engine, and an id of its own', async () => {
      const where = await engine.place();
      await fillSmall(await openAt(where));
      const original = await taken(where);
      for (const place of [await engine.place(), { file: join(tempFolder(), 'other', 'ledger.sqlite') }]) {
        await fillLedger(place, { ...original, restored: NOTE });
        const filled = await taken(place);
        expect(comparable(filled)).toEqual(comparable(original));
        expect(filled.id).not.toBe(original.id);
        await expect(fillLedger(place, { ...original, restored: NOTE })).rejects.toMatchObject({ code: 'conflict' });
      }
    });

    test('nothing works on a filled ledger before it is whole and somebody has chosen', async () => {
      const where = await engine.place();
      await openAt(where);
      const place = await engine.place();
      await fillLedger(place, { ...(await taken(where)), restored: NOTE });
      const ledger = await openAt(place);
      await expect(assertMayWork(ledger)).rejects.toMatchObject({
        message: expect.stringContaining('has not ended') as string,
      });
      await noteComplete(ledger.db);
      await expect(assertMayWork(ledger)).rejects.toMatchObject({
        message: expect.stringContaining('--resume live') as string,
      });
      await noteChosen(ledger.db, { chosen: 'live', term: 't', fetching: { main: ['gone'] } });
      await assertMayWork(ledger);
      // A run that is not there any more is not waited for.
      expect(await fetchingOf(ledger.db, 'main', {})).toBeNull();
      expect(await fetchingOf(ledger.db, '__proto__', {})).toBeNull();
    });

    test('one that is filled from a restored one goes on in place of both, and its tokens have the mark of the first', async () => {
      const places = [await engine.place(), await engine.place(), await engine.place()] as const;
      await openAt(places[0]);
      await fillLedger(places[1], { ...(await taken(places[0])), restored: NOTE });
      const second = await openAt(places[1]);
      const term = termAfter([], 1);
      await noteChosen(second.db, { chosen: 'live', term, fetching: {} });
      await fillLedger(places[2], { ...(await taken(places[1])), restored: { ...NOTE, original: second.id } });
      const third = await openAt(places[2]);
      expect(await successorOf(third.db)).toBeNull();
      const later = termAfter([term], 1);
      await noteChosen(third.db, { chosen: 'live', term: later, fetching: {} });
      expect(await successorOf(third.db)).toEqual({ originals: [NOTE.original, second.id], term: later });
      expect(await successorMark(third.db)).toBe(markOf(NOTE.original) + later);
    });

    test('tables that were only made are filled, those of another version are not', async () => {
      const where = await engine.place();
      await openAt(where);
      const original = await taken(where);
      const made = await engine.place();
      await migrateLedger(made, { check: false });
      await expect(fillLedger(made, { ...original, migration: '019-traces', restored: NOTE })).rejects.toMatchObject({
        code: 'ledger',
        message: expect.stringContaining('tables of another version than the backup') as string,
      });
      await fillLedger(made, { ...original, restored: NOTE });
      await expect(fillLedger(made, { ...original, restored: NOTE })).rejects.toThrow('has a ledger already');
    });

    test('one that a newer version wrote is refused, and nothing is kept of it', async () => {
      const where = await engine.place();
      await openAt(where);
      const original = await taken(where);
      const place = await engine.place();
      await expect(fillLedger(place, { ...original, migration: '999-later', restored: NOTE })).rejects.toMatchObject({
        code: 'ledger',
        message: expect.stringContaining('newer version') as string,
      });
      await fillLedger(place, { ...original, restored: NOTE });
    });

    test('one whose filling fails is none that anybody works with, and is filled again', async () => {
      const where = await engine.place();
      await fillSmall(await openAt(where));
      const original = await taken(where);
      const place = await engine.place();
      const broken = original.tables.map(({ table, rows }) => ({
        table,
        rows: table.name === 'runs' ? () => failing() : rows,
      }));
      await expect(fillLedger(place, { ...original, tables: broken, restored: NOTE })).rejects.toThrow(
        'a damaged piece',
      );
      const ledger = await openAt(place);
      await expect(assertMayWork(ledger)).rejects.toMatchObject({ code: 'conflict' });
      await fillLedger(place, { ...original, restored: NOTE });
      expect(comparable(await taken(place))).toEqual(comparable(original));
    });

    test('one of an older version is brought to this one', async () => {
      const where = await engine.place();
      await openAt(where);
      const { tables } = await taken(where);
      const NEWER = [
        'findability',
        'absences',
        'results',
        'hook_events',
        'hook_messages',
        'hook_failures',
        'hook_counts',
        'pushed',
        'push_keys',
        'calls',
        'upload_steps',
        'requests',
        'supplier_links',
      ];
      // Before 020 runs had no time at which their file was taken, before 025 nobody knew changes; before 027 nobody worked on incidents; later ones brought tables.
      const known = tables.filter(({ table }) => !NEWER.includes(table.name));
      const later: Record<string, RegExp> = {
        runs: /^(?:taken_at|base)$/,
        feeds: /^head$/,
        incidents: /^(?:taken_|quiet_|holder_told_at$|worked_at$)/,
        // Before 032 nobody signed in with more than a password.
        tokens: /^former_/,
        users: /^(?:subject|feeds|role_lost_at|totp|totp_step|recovery)$/,
        sessions: /^(?:refresh|check_at|stage)$/,
      };
      const older = known.map(({ table, rows }) => ({
        table: { ...table, columns: table.columns.filter((column) => later[table.name]?.test(column) !== true) },
        rows: table.name === 'meta' ? rows : () => again([]),
      }));
      const place = await engine.place();
      await fillLedger(place, { migration: '019-traces', tables: older, restored: NOTE });
      const ledger = await openLedger(place);
      expect(await ledger.db.selectFrom('runs').select('taken_at').execute()).toEqual([]);
      await ledger.close();
    });
  });
}
