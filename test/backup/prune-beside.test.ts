import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { alone, whileNoPrune } from '../../src/app/backup/alone.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { backupsIn, readManifest } from '../../src/backup/manifest.ts';
import { unnamedIn } from '../../src/backup/names.ts';
import type { BackupPlace } from '../../src/backup/place.ts';
import { restoreFiles, restoreLedger } from '../../src/backup/restore-backup.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { openArchive } from '../../src/archive/folder.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { acquireLease, lastSighting } from '../../src/ledger/lease.ts';
import { countedOn } from '../../src/ledger/maintenance/retention.ts';
import { atEnd } from '../support/at-end.ts';
import { memoryLog } from '../support/memory-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { backUp, homeWith, placeAt } from './home.ts';

const KEEP = { deliveries: 1e9, datasets: 10, reports: 1e9 };
const NOTHING = { deliveries: [], reports: [], datasets: [] };

const watching = () => ({ meter: new SharedArrayBuffer(16), signal: new AbortController().signal });

/** An installation with five files, its ledger as another process has it open, and one of the files. */
async function world() {
  const of = await homeWith(5);
  const ledger = await openLedger(of.ledger);
  atEnd(() => ledger.close());
  const [run] = await ledger.db.selectFrom('runs').select(['id', 'delivery_sha']).orderBy('id').execute();
  const sha256 = run!.delivery_sha!;
  const path = of.archive.file(sha256).unverifiedPath;
  const place = await placeAt(join(tempFolder(), 'place'));
  const counted = () => countedOn(ledger.db, NOTHING, KEEP, Date.now());
  /** The first time that the backup asks for the file, something is done. */
  const whenAskedFirst = (act: () => void): typeof of => {
    let asked = false;
    const file = (one: string) => {
      if (one === sha256 && !asked) {
        asked = true;
        act();
      }
      return of.archive.file(one);
    };
    return { ...of, archive: { file } };
  };
  return { of, ledger, run: run!.id, sha256, path, place, counted, whenAskedFirst };
}

async function isWhole(place: BackupPlace): Promise<boolean> {
  const manifest = await readManifest(place, null);
  const { broken, unnamed, ledger } = await verifyBackup(manifest, place, { folder: tempFolder(), ...watching() });
  return broken.length + unnamed.length === 0 && ledger === null;
}

test('a file that a prune takes away only to see that it was just brought in is not noted as lost', async () => {
  const { path, place, counted, whenAskedFirst, sha256 } = await world();
  const away = `${path}.away`;
  const { manifest } = await makeBackup(
    whenAskedFirst(() => renameSync(path, away)),
    place,
    {
      ...watching(),
      now: Date.now(),
      keep: null,
      // The prune that is waited for has given it back.
      whileNoPrune: async (work) => {
        renameSync(away, path);
        return work(await counted());
      },
    },
  );
  expect(manifest).toMatchObject({ lost: [], pruned: [], files: 5 });
  expect(await place.files.verify(sha256)).toBe('ok');
  expect(await isWhole(place)).toBe(true);
});

test('a file that a prune removes while a backup is made is not lost: nothing counts on it any more, and the backup is whole without it', async () => {
  const { path, place, counted, whenAskedFirst, sha256, ledger, run } = await world();
  let marked: Promise<unknown> | undefined;
  const { manifest } = await makeBackup(
    whenAskedFirst(() => {
      marked = ledger.db.updateTable('runs').set({ bytes_pruned_at: 1 }).where('id', '=', run).execute();
      rmSync(path);
    }),
    place,
    {
      ...watching(),
      now: Date.now(),
      keep: null,
      whileNoPrune: async (work) => {
        await marked;
        return work(await counted());
      },
    },
  );
  expect(manifest).toMatchObject({ lost: [], pruned: [sha256], files: 4 });
  expect(await isWhole(place)).toBe(true);
  const file = join(tempFolder(), 'ledger.sqlite');
  await restoreLedger(manifest, place, { file }, 1);
  const restored = await openLedger({ file });
  const archive = await openArchive(join(tempFolder(), 'archive'));
  expect(await restoreFiles(manifest, place, { ledger: restored, archive }, watching())).toMatchObject({
    files: 4,
    broken: [],
  });
  await restored.close();
});

test('a file that is really lost is, although no prune is at work', async () => {
  const { path, place, counted, of, sha256 } = await world();
  rmSync(path);
  const { manifest } = await makeBackup(of, place, {
    ...watching(),
    now: Date.now(),
    keep: null,
    whileNoPrune: async (work) => work(await counted()),
  });
  expect(manifest).toMatchObject({ lost: [{ sha256, damage: 'missing' }], pruned: [], files: 4 });
});

test('a prune that is at work is waited for, and one that begins meanwhile finds its place taken', async () => {
  const { of } = await world();
  const [pruning, backing] = [await openLedger(of.ledger), await openLedger(of.ledger)];
  const { log } = memoryLog();
  const { signal } = watching();
  const taken = await acquireLease(pruning, 'prune', 'a prune', 60_000);
  if ('heldFor' in taken) throw new Error('nobody else prunes');
  const order: string[] = [];
  const looked = alone(
    backing,
    () =>
      whileNoPrune(backing, { log, signal }, async () => {
        order.push('looked');
        return acquireLease(pruning, 'prune', 'another prune', 60_000);
      }),
    { log, signal },
  );
  await until(() => lastSighting(backing, 'prune'));
  order.push('pruned');
  await taken.lease.release();
  expect(await looked).toHaveProperty('heldFor');
  expect(order).toEqual(['pruned', 'looked']);
  await Promise.all([pruning.close(), backing.close()]);
});

test('a backup that `--keep` removes while somebody reads it is not called damaged', async () => {
  const { of, place } = await world();
  const { manifest: older } = await backUp(of, place);
  await of.add(1);
  await makeBackup(of, place, { ...watching(), now: Date.now(), keep: 1 });
  expect(await backupsIn(place)).toHaveLength(1);
  const removed = { code: 'archive', message: expect.stringContaining('was removed while it was read') as string };
  await expect(verifyBackup(older, place, { folder: tempFolder(), ...watching() })).rejects.toMatchObject(removed);
  await expect(restoreLedger(older, place, { file: join(tempFolder(), 'l.sqlite') }, 1)).rejects.toMatchObject(removed);
});

test('a process that was stopped while it removes old files asks whether it still may, before it goes on', async () => {
  const { of, place } = await world();
  await backUp(of, place);
  await of.add(1);
  await backUp(of, place);
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  atEnd(() => clock.mockRestore());
  let removed = 0;
  let asked = 0;
  const stopping: BackupPlace = {
    ...place,
    removeFile: async (sha256) => {
      await place.removeFile(sha256);
      removed += 1;
      // It was stopped for an hour in between.
      now += 3_600_000;
    },
  };
  const assertAlone = () => {
    asked += 1;
    return removed === 0 ? Promise.resolve() : Promise.reject(new Error('somebody else goes on'));
  };
  await of.add(1);
  const made = makeBackup(of, stopping, { ...watching(), now: 5, keep: 1, assertAlone });
  await expect(made).rejects.toThrow('somebody else goes on');
  expect(removed).toBe(1);
  expect(asked).toBeGreaterThan(2);
});

test('a backup of an earlier version, which did not bring the rejected rows of feeds that delivered nothing, is restored', () => {
  const standing = { sha256: 'a', kind: 'standing', owner: 'i', login: 'main', feed: 'north', live: true } as const;
  expect(unnamedIn({ lost: [] }, new Set(), [standing])).toEqual([]);
  expect(unnamedIn({ lost: [], pruned: [] }, new Set(), [standing])).toEqual([standing]);
  expect(unnamedIn({ lost: [], pruned: ['a'] }, new Set(), [standing])).toEqual([]);
});
