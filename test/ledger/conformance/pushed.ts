import { describe, expect, test } from 'vitest';
import { referencesTo } from '../../../src/ledger/maintenance/references.ts';
import {
  forgetPushed,
  forgetPushedToOthers,
  insertPushed,
  keepKey,
  keptPushes,
  newestPushed,
  nextPush,
  pushAgain,
  pushedFile,
  pushedTo,
  pushedWithKey,
  waitingPushes,
} from '../../../src/ledger/pushed.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { noteTaken } from '../../../src/ledger/runs/taken-files.ts';
import { openAt, type Engine } from './engine.ts';

const ROW = { login: 'main', bytes: 5_000_000_000, who: 'token supplier', run: 'r1' };

/** Files that were pushed. */
export function pushedConformance(engine: Engine): void {
  describe(`pushed files on ${engine.name}`, () => {
    const open = async () => openAt(await engine.place());
    const add = async (ledger: Ledger, feed: string, name: string, at: number, key: string | null = null) => {
      const id = `${feed}-${at}`;
      await insertPushed(ledger.db, { ...ROW, feed, name, at, id, sha256: `${name} ${at}` });
      if (key !== null) await keepKey(ledger.db, feed, { sender: 'one', text: key }, id);
    };
    const take = (ledger: Ledger, feed: string, ...ats: number[]) =>
      noteTaken(ledger.db, {
        feed,
        origin: 'o',
        run: 'r',
        at: 99,
        sha256: 's',
        superseded: [],
        acknowledge: false,
        taken: ats.map((at) => {
          const listed = { name: 'x', size: 1, mtimeMs: at, id: `${feed}-${at}` };
          return { identity: listed.id, listed };
        }),
      });

    test('of each name the newest counts, and each is found by its key and id', async () => {
      const ledger = await open();
      await add(ledger, 'north', 'a.csv', 1, 'k');
      await add(ledger, 'north', 'b.csv', 2);
      await add(ledger, 'north', 'a.csv', 3);
      await add(ledger, 'south', 'a.csv', 4, 'k');
      expect((await pushedTo(ledger.db, 'north')).map(({ name, at }) => [name, at])).toEqual([
        ['b.csv', 2],
        ['a.csv', 3],
      ]);
      expect(await newestPushed(ledger.db, 'north', 'a.csv')).toMatchObject({ at: 3, bytes: 5_000_000_000 });
      const key = { sender: 'one', text: 'k' };
      expect(await pushedWithKey(ledger.db, 'north', key)).toMatchObject({ at: 1, name: 'a.csv' });
      expect(await pushedWithKey(ledger.db, 'south', key)).toMatchObject({ at: 4 });
      // What another sender calls so is another push.
      expect(await pushedWithKey(ledger.db, 'north', { ...key, sender: 'other' })).toBeUndefined();
      expect(await pushedFile(ledger.db, 'south', 'north-1')).toBeUndefined();
      await pushAgain(ledger.db, 'north-1', 'r2');
      expect(await pushedFile(ledger.db, 'north', 'north-1')).toMatchObject({ run: 'r2' });
    });

    test('a push comes after those before it, also by a clock that was set back; no key is taken twice', async () => {
      const ledger = await open();
      await add(ledger, 'north', 'a.csv', 100, 'k');
      expect(await nextPush(ledger.db, 'north', 50)).toBe(101);
      expect(await nextPush(ledger.db, 'south', 50)).toBe(50);
      await expect(add(ledger, 'north', 'b.csv', 101, 'k')).rejects.toThrow(/unique/iu);
    });

    test('old ones are forgotten but for the newest of each feed, and are named until then', async () => {
      const ledger = await open();
      await add(ledger, 'north', 'a.csv', 1, 'k');
      await add(ledger, 'north', 'b.csv', 2);
      await add(ledger, 'south', 'a.csv', 1);
      await add(ledger, 'south', 'c.csv', 20);
      await take(ledger, 'north', 1, 2);
      await take(ledger, 'south', 1, 20);
      expect((await keptPushes(ledger.db, 10)).toSorted()).toEqual(['b.csv 2', 'c.csv 20']);
      expect(await referencesTo(ledger.db, 'a.csv 1')).toMatchObject([
        { kind: 'pushed', login: 'main', live: false },
        { kind: 'pushed', live: false },
      ]);
      await forgetPushed(ledger.db, 10);
      expect((await pushedTo(ledger.db, 'north')).map(({ name }) => name)).toEqual(['b.csv']);
      expect((await pushedTo(ledger.db, 'south')).map(({ name }) => name)).toEqual(['c.csv']);
      expect(await ledger.db.selectFrom('push_keys').selectAll().execute()).toEqual([]);
    });

    test('what was pushed to a feed that takes no pushes any more goes with its keys, also what waits', async () => {
      const ledger = await open();
      await add(ledger, 'gone', 'a.csv', 1, 'k');
      await add(ledger, 'gone', 'b.csv', 2);
      await add(ledger, 'gone', 'c.csv', 20);
      await add(ledger, 'north', 'a.csv', 1);
      const forgotten = await forgetPushedToOthers(ledger.db, new Set(['north']), 10);
      expect([...forgotten]).toEqual([['gone', 2]]);
      expect((await keptPushes(ledger.db, 30)).toSorted()).toEqual(['a.csv 1', 'c.csv 20']);
      expect(await ledger.db.selectFrom('push_keys').selectAll().execute()).toEqual([]);
    });

    test('what waits until a run takes it is kept, however old it is', async () => {
      const ledger = await open();
      await add(ledger, 'north', 'change.csv', 1);
      await add(ledger, 'north', 'change.csv', 2);
      await add(ledger, 'north', 'change.csv', 3);
      await add(ledger, 'north', 'other.csv', 4);
      await add(ledger, 'north', 'newest.csv', 20);
      await take(ledger, 'north', 2);
      // The first was replaced by the one that was taken.
      expect((await waitingPushes(ledger.db)).map(({ at }) => at)).toEqual([3, 4, 20]);
      await forgetPushed(ledger.db, 10);
      expect((await ledger.db.selectFrom('pushed').select('at').orderBy('at').execute()).map(({ at }) => at)).toEqual([
        3, 4, 20,
      ]);
      await take(ledger, 'north', 3, 4);
      expect(await keptPushes(ledger.db, 10)).toEqual(['newest.csv 20']);
    });
  });
}
