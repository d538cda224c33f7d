import { join } from 'node:path';
import { openArchive } from '../../src/archive/folder.ts';
import { openBackupPlace } from '../../src/app/backup/open-place.ts';
import { makeBackup, type BackupOf, type Made } from '../../src/backup/make-backup.ts';
import type { BackupPlace } from '../../src/backup/place.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createRun } from '../../src/ledger/runs/runs.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An installation without a program: a ledger whose runs name so many files of an archive. */
export async function homeWith(files: number): Promise<BackupOf & { add: (more: number) => Promise<void> }> {
  const home = tempFolder();
  const file = join(home, 'ledger.sqlite');
  const archive = await openArchive(join(home, 'archive'));
  let count = 0;
  const add = async (more: number) => {
    const ledger = await openLedger({ file });
    for (const end = count + more; count < end; count += 1) {
      const run = await createRun(ledger.db, {
        feed: 'north',
        login: 'main',
        cause: 'manual',
        options: {},
        sandbox: false,
        now: count,
      });
      const { sha256 } = await archive.put(contentOf(`delivery ${count}`));
      await ledger.db.updateTable('runs').set({ delivery_sha: sha256 }).where('id', '=', run).execute();
    }
    await ledger.close();
  };
  await add(files);
  return { ledger: { file }, archive, config: null, home, add };
}

/** A folder for backups. */
export function placeAt(folder: string): Promise<BackupPlace> {
  return openBackupPlace({ type: 'folder', folder }, {}, { make: true });
}

/** Backs up, without anybody who watches or stops it. */
export function backUp(of: BackupOf, place: BackupPlace, signal = new AbortController().signal): Promise<Made> {
  return makeBackup(of, place, { now: Date.now(), keep: null, meter: new SharedArrayBuffer(16), signal });
}

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
