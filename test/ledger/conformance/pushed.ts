import { describe, expect, test } from 'vitest';
import { referencesTo } from '../../../src/ledger/maintenance/references.ts';
import {
  forgetPushed,
  insertPushed,
  keptPushes,
  newestPushed,
  nextPush,
  pushAgain,
  pushedFile,
  pushedTo,
  pushedWithKey,
} from '../../../src/ledger/pushed.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openAt, type Engine } from './engine.ts';

const ROW = { login: 'main', bytes: 5_000_000_000, who: 'token supplier', run: 'r1' };

/** Files that were pushed. */
export function pushedConformance(engine: Engine): void {
  describe(`pushed files on ${engine.name}`, () => {
    const open = async () => openAt(await engine.place());
    const add = (ledger: Ledger, feed: string, name: string, at: number, key: string | null = null) => {
      const facts = { feed, name, at, id: `${feed}-${at}`, sha256: `${name} ${at}`, idempotency_key: key };
      return insertPushed(ledger.db, { ...ROW, ...facts });
    };

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
      expect(await pushedWithKey(ledger.db, 'north', 'k')).toMatchObject({ at: 1 });
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
      await add(ledger, 'north', 'a.csv', 1);
      await add(ledger, 'north', 'b.csv', 2);
      await add(ledger, 'south', 'a.csv', 1);
      await add(ledger, 'south', 'c.csv', 20);
      expect((await keptPushes(ledger.db, 10)).toSorted()).toEqual(['b.csv 2', 'c.csv 20']);
      expect(await referencesTo(ledger.db, 'a.csv 1')).toMatchObject([
        { kind: 'pushed', login: 'main', live: false },
        { kind: 'pushed', live: false },
      ]);
      await forgetPushed(ledger.db, 10);
      expect((await pushedTo(ledger.db, 'north')).map(({ name }) => name)).toEqual(['b.csv']);
      expect((await pushedTo(ledger.db, 'south')).map(({ name }) => name)).toEqual(['c.csv']);
    });
  });
}
