import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/archive/folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { archiveConformance, inFolder, pieces } from './conformance.ts';

const CHILD = join(import.meta.dirname, 'fill-disk-child.ts');
const TWO_DAYS_AGO = Date.now() / 1000 - 2 * 86_400;

archiveConformance('folder', () => inFolder(() => openArchive(join(tempFolder(), 'state', 'archive'))));

test('a folder cannot hold too many files: they lie two levels deep', async () => {
  const folder = tempFolder();
  const archive = await openArchive(folder);
  const { sha256 } = await archive.put(pieces('one'));
  expect(dirname(archive.file(sha256).unverifiedPath)).toBe(join(folder, sha256.slice(0, 2), sha256.slice(2, 4)));
});

test('a file that was cut short is replaced by a whole one', async () => {
  const archive = await openArchive(tempFolder());
  const { sha256 } = await archive.put(pieces('brand;oem\n'));
  truncateSync(archive.file(sha256).unverifiedPath, 3);
  await archive.put(pieces('brand;oem\n'));
  expect(await archive.verify(sha256)).toBe('ok');
});

test('what was set aside is taken back once it is whole, also in the place of damaged bytes', async () => {
  const folder = tempFolder();
  const archive = await openArchive(folder);
  const { sha256 } = await archive.put(pieces('one'));
  const path = archive.file(sha256).unverifiedPath;
  writeFileSync(path, 'two');
  await archive.setAside(sha256);
  expect(await archive.takeBack(sha256)).toBe(false);
  const [aside = ''] = readdirSync(join(folder, 'damaged'));
  writeFileSync(join(folder, 'damaged', aside), 'one');
  writeFileSync(path, 'two');
  expect(await archive.takeBack(sha256)).toBe(true);
  expect(await archive.verify(sha256)).toBe('ok');
  expect(readdirSync(join(folder, 'damaged'))).toEqual([]);
});

test('leftovers older than a day are swept at the start, younger ones are somebody at work', async () => {
  const folder = tempFolder();
  const archive = await openArchive(folder);
  const [left, slow, young] = [await archive.tempFolder(), await archive.tempFolder(), await archive.tempFolder()];
  mkdirSync(join(left, 'deep'));
  writeFileSync(join(left, 'deep', 'rows'), 'x');
  writeFileSync(join(slow, 'rows'), 'still growing');
  for (const path of [join(left, 'deep', 'rows'), join(left, 'deep'), left, slow]) {
    utimesSync(path, TWO_DAYS_AGO, TWO_DAYS_AGO);
  }
  await openArchive(folder);
  expect([existsSync(left), existsSync(slow), existsSync(young)]).toEqual([false, true, true]);
});

test("others that work meanwhile, and clean up after themselves, are in nobody's way", async () => {
  const folder = tempFolder();
  const archive = await openArchive(folder);
  for (let round = 0; round < 20; round++) {
    const busy = await Promise.all(Array.from({ length: 50 }, () => archive.tempFolder()));
    const opened = openArchive(folder);
    await Promise.all(busy.map((path) => rm(path, { recursive: true })));
    await expect(opened).resolves.toBeDefined();
  }
});

test('a folder that cannot be written is named', async () => {
  const file = join(tempFolder(), 'archive');
  writeFileSync(file, 'a file, not a folder');
  await expect(openArchive(file)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining(`The archive ${file} cannot be written`),
  });
});

/** A disk of one megabyte that exists for one program only; not every machine lets a test mount one. */
const SMALL_DISK = [
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"',
  'sh',
];
const canMount = spawnSync('unshare', [...SMALL_DISK, '/mnt', 'true']).status === 0;

test.skipIf(!canMount)('a full disk is said plainly, and leaves nothing behind', async () => {
  const folder = tempFolder();
  const { stdout } = await promisify(execFile)('unshare', [...SMALL_DISK, folder, process.execPath, CHILD, folder]);
  expect(JSON.parse(stdout)).toEqual({
    code: 'disk-full',
    retryable: true,
    message: expect.stringMatching(
      `^No space is left for ${folder} \\(\\d\\.\\d MB free\\)\\. Free some space and try again\\.$`,
    ),
    names: ['tmp'],
    left: [],
  });
  expect(readdirSync(folder)).toEqual([]);
});
