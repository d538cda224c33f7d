import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { backupsIn, readManifest } from '../../src/backup/manifest.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { backUp, homeWith, placeAt } from './home.ts';

const meter = new SharedArrayBuffer(16);

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a link to itself', (path: string) => symlinkSync(path, path)],
])('%s in the place of a manifest is that of a damaged backup, and goes when backups are old', async (_, put) => {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const of = await homeWith(1);
  const { id } = (await backUp(of, place)).manifest;
  const path = join(folder, 'backups', `${id}.json`);
  rmSync(path);
  put(path);
  await expect(readManifest(place, null)).rejects.toThrow(
    `The backup ${id} in ${folder} cannot be read: it is damaged, or a newer version of offerline made it. Name another one with --backup`,
  );
  const { signal } = new AbortController();
  const { manifest } = await makeBackup(of, place, { now: Date.now(), keep: 1, meter, signal });
  expect(await backupsIn(place)).toEqual([manifest.id]);
});

test('a damaged piece of a ledger is not said to be of an archive', async () => {
  const folder = join(tempFolder(), 'place');
  const place = await placeAt(folder);
  const { manifest } = await backUp(await homeWith(1), place);
  const piece = manifest.tables.find(({ name }) => name === 'runs')!.pieces[0]!;
  writeFileSync(join(folder, 'files', piece.slice(0, 2), piece), 'other bytes');
  const { ledger } = await verifyBackup(manifest, place, { folder: tempFolder(), meter });
  expect(ledger).toBe(`the file ${piece} is damaged`);
});
