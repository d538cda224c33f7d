import { constants } from 'node:fs';
import { access, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identityFile } from '../archive/identity.ts';
import type { LoadedConfig } from '../config/load.ts';
import { systemCode } from '../errors.ts';
import { temporaryFolder } from '../io/temporary-folder.ts';
import { copyLedger } from '../ledger/maintenance/copy-ledger.ts';
import type { Log } from '../log.ts';
import { archiveFolder, archiveQuestions } from './archive-place.ts';
import { assertHome } from './assert-home.ts';
import { openContext, type OpenContext } from './open-context.ts';

/**
 * Opens an installation for questions. A home that may not be written is left as it is: its ledger is copied to a folder of this
 * process's own, which is removed at the end, and its archive is only read. Fails with `not-found` where there is no home.
 */
export async function openForReading(loaded: LoadedConfig, log: Log): Promise<OpenContext> {
  await assertHome(loaded);
  const ledger = loaded.databaseUrl === undefined ? ['ledger.sqlite'] : [];
  if (await areWritable(['.', 'archive', ...ledger].map((name) => join(loaded.home, name)))) {
    return openContext(loaded, log);
  }
  const folder = await temporaryFolder('read');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (loaded.databaseUrl === undefined)
      await copyLedger(join(loaded.home, 'ledger.sqlite'), join(folder, 'ledger.sqlite'));
    const archive = archiveFolder(loaded.home);
    await cp(identityFile(archive), identityFile(join(folder, 'archive')), { recursive: true }).catch(unlessMissing);
    const { ctx, close } = await openContext({ ...loaded, home: folder }, log);
    // Copies of a bucket's files cannot be kept in this home.
    const questions = loaded.archive.type === 's3' ? {} : await archiveQuestions(loaded);
    return {
      ctx: { ...ctx, home: loaded.home, archive: { ...ctx.archive, ...questions } },
      close: async () => {
        await close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function areWritable(paths: string[]): Promise<boolean> {
  for (const path of paths) {
    const refused = await access(path, constants.W_OK).then(
      () => false,
      (error: unknown) => systemCode(error) !== 'ENOENT',
    );
    if (refused) return false;
  }
  return true;
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
