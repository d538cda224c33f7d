import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/backup/manifest.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { backUp, homeWith, placeAt } from './home.ts';

/** Brings the files of a place to where earlier versions had them: below two folders each. */
function asEarlier(folder: string): void {
  const files = join(folder, 'files');
  for (const first of readdirSync(files).filter((name) => name.length === 2)) {
    for (const sha256 of readdirSync(join(files, first))) {
      const inner = join(files, first, sha256.slice(2, 4));
      mkdirSync(inner);
      renameSync(join(files, first, sha256), join(inner, sha256));
    }
  }
}

test('a place that an earlier version began goes on as it is', async () => {
  const folder = join(tempFolder(), 'place');
  const of = await homeWith(10);
  await backUp(of, await placeAt(folder));
  asEarlier(folder);
  await of.add(2);
  const place = await placeAt(folder);
  expect(await backUp(of, place)).toMatchObject({ copied: { files: 2 } });
  for (const id of [null, '000001']) {
    const all = readdirSync(join(folder, 'backups')).map((name) => name.replace('.json', ''));
    const manifest = await readManifest(place, id === null ? null : all.find((one) => one.startsWith(id))!);
    const meter = new SharedArrayBuffer(16);
    expect(await verifyBackup(manifest, place, { folder: tempFolder(), meter })).toMatchObject({
      broken: [],
      unnamed: [],
      ledger: null,
    });
  }
});

/** A folder with an old draft and another file; `names`: what is in it now. */
function withDraft(folder: string) {
  const draft = '0b9ad0f5-2c1f-4d9e-9a55-6f0c0f0a7f11';
  mkdirSync(folder, { recursive: true });
  for (const name of [draft, 'letter.txt']) {
    writeFileSync(join(folder, name), 'kept');
    utimesSync(join(folder, name), 0, 0);
  }
  return { draft, names: () => readdirSync(folder) };
}

test('of the folder for drafts only old drafts go', async () => {
  const folder = join(tempFolder(), 'place');
  const { names } = withDraft(join(folder, 'files', 'tmp'));
  await placeAt(folder);
  expect(names()).toEqual(['letter.txt']);
});

test('of a place whose folder for drafts leads elsewhere, nothing goes', async () => {
  const [elsewhere, folder] = [tempFolder(), join(tempFolder(), 'place')];
  const { draft, names } = withDraft(elsewhere);
  mkdirSync(join(folder, 'files'), { recursive: true });
  symlinkSync(elsewhere, join(folder, 'files', 'tmp'));
  await placeAt(folder);
  expect(names().toSorted()).toEqual([draft, 'letter.txt']);
});
