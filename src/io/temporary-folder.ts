import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';

/** What temporary folders are for. */
type Purpose = 'backup' | 'check' | 'detect' | 'dossier' | 'init' | 'read';

/** A temporary folder that its process has left behind. */
export type LeftFolder = { path: string; at: number };

/** `offerline-PURPOSE-HOST-PID-RANDOM`: who has made it says whether it is still used. */
const NAME = /^offerline-(?:backup|check|detect|dossier|init|read)-(?<host>.+)-(?<pid>\d+)-[A-Za-z0-9]{6}$/;

/** Makes a folder for temporary files, whose caller removes it. Throws `usage` when there is no place for it. */
export async function temporaryFolder(purpose: Purpose): Promise<string> {
  const place = tmpdir();
  return mkdtemp(join(place, `offerline-${purpose}-${hostname()}-${process.pid}-`)).catch((error: unknown) => {
    const message = `Cannot keep temporary files in ${place}: ${messageOf(error)}. Name another folder with TMPDIR.`;
    throw new OfferlineError('usage', message, { cause: error });
  });
}

/** The error for a command that has no installation when its temporary files do not fit: that disk is the user's. Others stay as they are. */
export function sayTemporaryFull(error: unknown): unknown {
  if (!(error instanceof OfferlineError) || error.code !== 'disk-full') return error;
  const message = `There is no space left for temporary files in ${tmpdir()}. Free some, or name another folder with TMPDIR.`;
  return new OfferlineError('usage', message, { cause: error });
}

/**
 * The temporary folders of this user and machine whose processes were killed, and that were made before a time. A number that
 * another process has by now keeps a folder.
 */
export async function leftFolders(before: number): Promise<LeftFolder[]> {
  const place = tmpdir();
  const left: LeftFolder[] = [];
  for (const name of await readdir(place).catch(() => [])) {
    const { host, pid } = NAME.exec(name)?.groups ?? {};
    if (host !== hostname() || pid === undefined || isRunning(Number(pid))) continue;
    const path = join(place, name);
    const found = await lstat(path).catch(() => null);
    const isMine = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (isMine && found.mtimeMs < before) left.push({ path, at: found.mtimeMs });
  }
  return left;
}

/** True while a process of this number runs, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
