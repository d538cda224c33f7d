import { describe, expect, test } from 'vitest';
import {
  lastTaken,
  noteAcknowledged,
  noteTaken,
  openAcknowledgements,
  supersededFiles,
  takenFiles,
} from '../../../src/ledger/runs/taken-files.ts';
import { openAt, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6);
const PLACE = { feed: 'north', origin: 'o1' };

function known(name: string) {
  return { identity: `id of ${name}`, listed: { name, size: 5, mtimeMs: 1_700_000_000_123.5, id: '"e1"' } };
}

/** Files that were taken from a supplier's place. */
export function takenFilesConformance(engine: Engine): void {
  describe(`taken files on ${engine.name}`, () => {
    test('the last one taken and those it superseded are known to their place only', async () => {
      const { db } = await openAt(await engine.place());
      const taking = { ...PLACE, run: 'r1', at: NOW, sha256: 'a1', acknowledge: false };
      await noteTaken(db, { ...taking, taken: [known('a.csv')], superseded: [known('b.csv'), known('c.csv')] });
      await noteTaken(db, {
        ...taking,
        run: 'r2',
        at: NOW + 1,
        taken: [known('d.csv'), known('e.csv')],
        superseded: [],
      });
      expect(await lastTaken(db, PLACE)).toMatchObject({
        run: 'r2',
        acknowledged: null,
      });
      expect((await takenFiles(db, PLACE)).toSorted((a, b) => (a.identity < b.identity ? -1 : 1))).toEqual([
        { identity: 'id of a.csv', run: 'r1' },
        { identity: 'id of d.csv', run: 'r2' },
        { identity: 'id of e.csv', run: 'r2' },
      ]);
      expect(await supersededFiles(db, PLACE)).toEqual(new Set(['id of b.csv', 'id of c.csv']));
      const elsewhere = { ...PLACE, origin: 'o2' };
      expect(await lastTaken(db, elsewhere)).toBeUndefined();
      expect((await supersededFiles(db, elsewhere)).size).toBe(0);
    });

    test('a file that is superseded once more is so by the last run, and one that was taken is not', async () => {
      const { db } = await openAt(await engine.place());
      const taking = { ...PLACE, at: NOW, sha256: 'a1', acknowledge: false };
      const both = [known('a.csv'), known('b.csv')];
      await noteTaken(db, { ...taking, run: 'r1', taken: [known('c.csv')], superseded: both });
      expect(await supersededFiles(db, PLACE, ['r1'])).toEqual(new Set());
      expect((await supersededFiles(db, PLACE, ['r2'])).size).toBe(2);
      await noteTaken(db, { ...taking, run: 'r2', taken: [known('a.csv')], superseded: [] });
      await noteTaken(db, { ...taking, run: 'r3', taken: [known('d.csv')], superseded: both });
      expect(await supersededFiles(db, PLACE, ['r1'])).toEqual(new Set(['id of b.csv']));
      expect(await supersededFiles(db, PLACE, ['r1', 'r3'])).toEqual(new Set());
      expect((await takenFiles(db, PLACE)).map(({ run }) => run).toSorted()).toEqual(['r1', 'r2', 'r3']);
    });

    test('ten thousand superseded files are recorded at once', async () => {
      const { db } = await openAt(await engine.place());
      const superseded = Array.from({ length: 10_000 }, (_, number) => known(`${number}.csv`));
      await noteTaken(db, {
        ...PLACE,
        run: 'r1',
        at: NOW,
        sha256: 'a1',
        acknowledge: false,
        taken: [known('a')],
        superseded,
      });
      expect((await supersededFiles(db, PLACE)).size).toBe(10_000);
    });

    test('a file is to be acknowledged until something became of it; a failed try is counted', async () => {
      const { db } = await openAt(await engine.place());
      const taking = { ...PLACE, run: 'r1', at: NOW, sha256: 'a1', superseded: [], acknowledge: true };
      await noteTaken(db, { ...taking, taken: [known('a.csv')] });
      const [open] = await openAcknowledgements(db, PLACE);
      expect(open).toMatchObject({ sha256: 'a1', acknowledged: 'open', tries: 0 });
      await noteAcknowledged(db, open!, 'open');
      expect(await openAcknowledgements(db, PLACE)).toMatchObject([{ tries: 1 }]);
      await noteAcknowledged(db, open!, 'gone');
      expect(await openAcknowledgements(db, PLACE)).toEqual([]);
      expect(await lastTaken(db, PLACE)).toMatchObject({ acknowledged: 'gone' });
    });

    test('a file that is taken once more is to be acknowledged once more', async () => {
      const { db } = await openAt(await engine.place());
      const taking = { ...PLACE, run: 'r1', at: NOW, sha256: 'a1', superseded: [], acknowledge: true };
      await noteTaken(db, { ...taking, taken: [known('a.csv')] });
      await noteAcknowledged(db, (await openAcknowledgements(db, PLACE))[0]!, 'done');
      await noteTaken(db, { ...taking, run: 'r2', taken: [known('a.csv')] });
      expect(await openAcknowledgements(db, PLACE)).toMatchObject([{ run: 'r2', acknowledged: 'open' }]);
    });
  });
}
