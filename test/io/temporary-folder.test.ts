import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftFolders, temporaryFolder } from '../../src/io/temporary-folder.ts';
import { atEnd } from '../support/at-end.ts';

const LONG_AGO = new Date(Date.now() - 1e9);
const YESTERDAY = Date.now() - 86_400_000;

/** A folder among those for temporary files, made long ago. */
function folderNamed(name: string): string {
  const path = join(tmpdir(), name);
  mkdirSync(path);
  atEnd(() => rm(path, { recursive: true, force: true }));
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

test('a folder is left behind once its process is gone, if it is of this machine and old enough', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const gone = folderNamed(`offerline-check-${hostname()}-${pid}-abcdef`);
  const elsewhere = folderNamed(`offerline-check-elsewhere-${pid}-abcdef`);
  const other = folderNamed(`something-${hostname()}-${pid}-abcdef`);
  const mine = await temporaryFolder('check');
  atEnd(() => rm(mine, { recursive: true, force: true }));
  utimesSync(mine, LONG_AGO, LONG_AGO);
  const left = (await leftFolders(YESTERDAY)).map(({ path }) => path);
  expect(left).toContain(gone);
  for (const path of [elsewhere, other, mine]) expect(left).not.toContain(path);
  expect((await leftFolders(0)).map(({ path }) => path)).not.toContain(gone);
});
