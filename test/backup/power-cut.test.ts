import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/backup/manifest.ts';
import type { BackupPlace } from '../../src/backup/place.ts';
import { settleFiles } from '../../src/backup/settle.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { backUp, homeWith, placeAt } from './home.ts';

function filesIn(folder: string): string[] {
  return readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /[0-9a-f]{64}$/u.test(name))
    .map((name) => join(folder, 'files', name));
}

/** A backup that reads the archive to a point and is cut there: no manifest, and names of files in the place. */
async function cut(of: Awaited<ReturnType<typeof homeWith>>, place: BackupPlace): Promise<void> {
  let left = 20;
  const file: typeof of.archive.file = (sha256) => {
    left -= 1;
    if (left < 0) throw new Error('cut');
    return of.archive.file(sha256);
  };
  await expect(backUp({ ...of, archive: { file } }, place)).rejects.toThrow('cut');
}

async function isWhole(place: BackupPlace): Promise<boolean> {
  const manifest = await readManifest(place, null);
  const { broken, unnamed, ledger } = await verifyBackup(manifest, place, {
    folder: tempFolder(),
    meter: new SharedArrayBuffer(16),
  });
  return broken.length === 0 && unnamed.length === 0 && ledger === null;
}

test('a power cut takes the bytes of files that a cut backup left: the next one counts on none of them', async () => {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const of = await homeWith(30);
  await cut(of, place);
  expect(existsSync(join(folder, 'begun.txt'))).toBe(true);
  const left = filesIn(folder);
  expect(left.length).toBeGreaterThan(10);
  for (const [at, file] of left.entries()) {
    const { size } = statSync(file);
    if (at % 4 === 0) truncateSync(file, 0);
    if (at % 4 === 1) truncateSync(file, size - 1);
    if (at % 4 === 2) writeFileSync(file, Buffer.alloc(size));
  }
  const { copied } = await backUp(of, place);
  expect(copied.files).toBeLessThan(30);
  expect(existsSync(join(folder, 'begun.txt'))).toBe(false);
  expect(await isWhole(place)).toBe(true);
});

test('after a backup that was cut, files of those before it are not read again', async () => {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const of = await homeWith(20);
  await backUp(of, place);
  const before = new Set(filesIn(folder));
  await of.add(30);
  await cut(of, place);
  const read: string[] = [];
  const verify = (sha256: string) => {
    read.push(sha256);
    return place.files.verify(sha256);
  };
  await backUp(of, { ...place, files: { ...place.files, verify } });
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((sha256) => [...before].some((file) => file.endsWith(sha256)))).toEqual([]);
  expect(await isWhole(place)).toBe(true);
});

test('every file is on the disk before the manifest is, and the manifest before the place is out of doubt', async () => {
  const place = await placeAt(join(tempFolder(), 'place'));
  const order: string[] = [];
  const note =
    <Args extends unknown[], T>(what: string, work: (...args: Args) => Promise<T>) =>
    async (...args: Args) => {
      const done = await work(...args);
      if (order.at(-1) !== what) order.push(what);
      return done;
    };
  await backUp(await homeWith(100), {
    ...place,
    files: { ...place.files, put: note('put', place.files.put) },
    begin: note('begin', place.begin),
    settle: note('settle', place.settle),
    writeText: note('manifest', place.writeText),
    end: note('end', place.end),
  });
  expect(order).toEqual(['begin', 'put', 'settle', 'manifest', 'end']);
});

test('a file that is whole gives way to no copy that may be lost', async () => {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const of = await homeWith(3);
  await backUp(of, place);
  const before = filesIn(folder).map((file) => statSync(file).ino);
  await backUp(of, place);
  expect(filesIn(folder).map((file) => statSync(file).ino)).toEqual(before);
  const [damaged = ''] = filesIn(folder);
  const { size } = statSync(damaged);
  const content = readFileSync(damaged);
  writeFileSync(damaged, Buffer.alloc(size));
  await place.files.put(damaged);
  await place.files.put(
    (async function* () {
      yield content;
    })(),
  );
  expect(readFileSync(damaged)).toEqual(content);
});

test.each([10, 200])('where a file system cannot be synced as a whole, each file is: %d of them', async (count) => {
  const folder = tempFolder();
  const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)));
  for (const path of paths) writeFileSync(path, 'x');
  await settleFiles(folder, paths, () => Promise.resolve(false));
  rmSync(paths[7]!);
  await expect(settleFiles(folder, paths, () => Promise.resolve(false))).rejects.toThrow('ENOENT');
  const asked: string[] = [];
  const all = (at: string) => Promise.resolve(asked.push(at) > 0);
  if (count > 100) await settleFiles(folder, paths, all);
  expect(asked).toEqual(count > 100 ? [folder] : []);
});
