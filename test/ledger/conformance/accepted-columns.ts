import { describe, expect, test } from 'vitest';
import {
  acceptColumns,
  acceptedColumnsOf,
  acceptedWith,
  asAccepted,
  revokeColumns,
  revokedSince,
} from '../../../src/ledger/runs/accepted-columns.ts';
import { lockFeed } from '../../../src/ledger/runs/feeds.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openAt, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6);
const SHARES = {
  distinct: 4,
  makers: 98,
  vehicles: 2,
  partNumbers: 0,
  barcodes: 0,
  prices: 0,
  phrases: 1,
  lettered: 100,
};
/** The look of the second one was not recorded by earlier versions. */
const MAPPING = [
  { key: 'brand', column: 'Producator', position: 2, look: { values: 400, ...SHARES, digits: 1, isCounter: false } },
  { key: 'oem', column: null, position: 1 },
];

function accept(
  { transaction }: Pick<Ledger, 'transaction'>,
  changes: { run?: string; at?: number; feed?: string } = {},
) {
  const { run = 'r1', at = NOW, feed = 'north' } = changes;
  const header = { feed, fingerprint: 'f1', header_cells: ['Nr', 'Producator'], width: 2 };
  return transaction(async (trx) => {
    await lockFeed(trx, feed, 'main');
    await acceptColumns(trx, { ...header, accepted: MAPPING, run, who: 'ana', reason: 'asked "them"', at });
  });
}

/** Columns that people accept for a feed and a header. */
export function acceptedColumnsConformance(engine: Engine): void {
  describe(`accepted columns on ${engine.name}`, () => {
    test('what was accepted is given to the feed until it is revoked, and stays on record', async () => {
      const ledger = await openAt(await engine.place());
      await accept(ledger);
      await accept(ledger, { feed: 'south' });
      const [row] = await acceptedColumnsOf(ledger.db, 'north');
      expect(row).toMatchObject({ header_cells: ['Nr', 'Producator'], width: 2, revoked_at: null });
      expect(asAccepted(row!)).toEqual({
        fingerprint: 'f1',
        columns: MAPPING,
        run: 'r1',
        who: 'ana',
        reason: 'asked "them"',
        at: NOW,
      });

      const back = { who: 'bo', reason: 'wrong', at: NOW + 1 };
      expect(await revokeColumns(ledger.db, { feed: 'north', fingerprint: 'f2' }, back)).toBe(false);
      expect(await revokeColumns(ledger.db, { feed: 'north', fingerprint: 'f1' }, back)).toBe(true);
      expect(await revokeColumns(ledger.db, { feed: 'north', fingerprint: 'f1' }, back)).toBe(false);
      expect(await acceptedColumnsOf(ledger.db, 'north')).toEqual([]);
      expect(await acceptedColumnsOf(ledger.db, 'south')).toHaveLength(1);
      expect(await acceptedWith(ledger.db, 'r1')).toHaveLength(2);
      const taken = (await acceptedWith(ledger.db, 'r1')).find(({ feed }) => feed === 'north');
      expect(taken).toMatchObject({ revoked_by: 'bo', revoked_reason: 'wrong', revoked_at: NOW + 1 });
    });

    test('the last acceptance of a header counts, also of those that come at once', async () => {
      const place = await engine.place();
      const [one, other] = [await openAt(place), await openAt(place)];
      await accept(one);
      await Promise.all([accept(one, { run: 'r2', at: NOW + 1 }), accept(other, { run: 'r3', at: NOW + 1 })]);
      const [row, ...more] = await acceptedColumnsOf(one.db, 'north');
      expect(more).toEqual([]);
      expect(['r2', 'r3']).toContain(row?.run);
      expect(await acceptedWith(one.db, 'r1')).toMatchObject([{ revoked_reason: 'other columns were accepted' }]);
    });

    test('the database itself refuses a second acceptance of a header', async () => {
      const { db } = await openAt(await engine.place());
      const row = { feed: 'north', fingerprint: 'f1', header_cells: [], width: 2, accepted: MAPPING, run: 'r1' };
      const insert = (id: string) =>
        db
          .insertInto('accepted_columns')
          .values({ id, ...row, who: 'ana', reason: 'x', at: NOW })
          .execute();
      await insert('a');
      await expect(insert('b')).rejects.toThrow(/unique/i);
    });

    test('what was taken back is found by when that was', async () => {
      const ledger = await openAt(await engine.place());
      await accept(ledger);
      const header = { feed: 'north', fingerprint: 'f1' };
      expect(await revokedSince(ledger.db, header, 0)).toEqual([]);
      await revokeColumns(ledger.db, header, { who: 'bo', reason: 'wrong', at: NOW + 1 });
      expect(await revokedSince(ledger.db, header, NOW + 1)).toMatchObject([{ run: 'r1', accepted: MAPPING }]);
      expect(await revokedSince(ledger.db, header, NOW + 2)).toEqual([]);
      expect(await revokedSince(ledger.db, { ...header, fingerprint: 'f2' }, NOW)).toEqual([]);
    });
  });
}
