import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreInstallation } from '../../src/app/backup/restore-installation.ts';
import { readManifest } from '../../src/backup/manifest.ts';
import { loadConfig } from '../../src/config/load.ts';
import { backUp, homeWith, placeAt } from '../backup/home.ts';
import { memoryLog } from '../support/memory-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('where the ledger was restored to is noted before the restore is whole, so that one that is killed cannot lack it', async () => {
  const place = await placeAt(join(tempFolder(), 'place'));
  await backUp(await homeWith(1), place);
  const manifest = await readManifest(place, null);
  const folder = tempFolder();
  const [file, home] = [join(folder, 'offerline.yaml'), join(folder, 'home')];
  writeFileSync(file, 'logins: {}\nfeeds: {}\n');
  const loaded = await loadConfig({ file, home, env: {}, restores: true });
  const restoring = { log: memoryLog().log, now: Date.now(), meter: new SharedArrayBuffer(16) };
  const cut = restoreInstallation(manifest, place, loaded, { ...restoring, signal: AbortSignal.abort() });
  await expect(cut).rejects.toMatchObject({ code: 'interrupted' });
  expect(readFileSync(`${file}.restored`, 'utf8')).toBe(`${home}\n`);
});
