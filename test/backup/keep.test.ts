import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { backupsIn, readManifest } from '../../src/backup/manifest.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { backUp, homeWith, placeAt } from './home.ts';

const watching = () => ({ meter: new SharedArrayBuffer(16), signal: new AbortController().signal });

/** A place with two backups, and what keeps the newest one alone. */
async function twoBackups() {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const of = await homeWith(5);
  await backUp(of, place);
  await of.add(1);
  await backUp(of, place);
  const again = (assertAlone?: () => Promise<void>) =>
    makeBackup(of, place, { now: Date.now(), keep: 1, ...watching(), ...(assertAlone && { assertAlone }) });
  return { folder, place, of, again, files: () => readdirSync(join(folder, 'files'), { recursive: true }).length };
}

async function isWhole({ place }: Awaited<ReturnType<typeof twoBackups>>, id: string): Promise<boolean> {
  const manifest = await readManifest(place, id);
  const { broken, unnamed, ledger } = await verifyBackup(manifest, place, { folder: tempFolder(), ...watching() });
  return broken.length + unnamed.length === 0 && ledger === null;
}

test('nothing is removed once somebody else may make backups there', async () => {
  const world = await twoBackups();
  let asked = 0;
  const taken = async () => {
    asked += 1;
    if (asked > 1) throw new Error('somebody else goes on');
  };
  await expect(world.again(taken)).rejects.toThrow('somebody else goes on');
  const all = await backupsIn(world.place);
  expect(all).toHaveLength(3);
  for (const id of all) expect(await isWhole(world, id)).toBe(true);
});

test('no backup is made once somebody else may make backups there', async () => {
  const world = await twoBackups();
  await expect(world.again(() => Promise.reject(new Error('somebody else goes on')))).rejects.toThrow('somebody else');
  expect(await backupsIn(world.place)).toHaveLength(2);
});

test('while there is a backup that cannot be read, new ones are made and no file goes', async () => {
  const world = await twoBackups();
  const [, second = ''] = await backupsIn(world.place);
  truncateSync(join(world.folder, 'backups', `${second}.json`), 10);
  const before = world.files();
  const { manifest, removed } = await makeBackup(world.of, world.place, { now: Date.now(), keep: 2, ...watching() });
  expect(removed).toMatchObject({ backups: [expect.stringMatching(/^000001-/u)], files: 0 });
  expect(world.files()).toBeGreaterThanOrEqual(before);
  expect(await isWhole(world, manifest.id)).toBe(true);
});

test('a number of seven digits comes after those of six, whoever wrote it', async () => {
  const world = await twoBackups();
  writeFileSync(join(world.folder, 'backups', '999999-20260101-000000-abc.json'), 'junk');
  const { manifest } = await backUp(world.of, world.place);
  expect(manifest.id).toMatch(/^1000000-/u);
  expect((await backupsIn(world.place)).at(-1)).toBe(manifest.id);
  expect((await readManifest(world.place, null)).id).toBe(manifest.id);
});
