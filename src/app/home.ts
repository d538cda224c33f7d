import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import type { Log } from '../log.ts';

const OTHERS = 0o007;
const NOT_OWNER = 0o077;

/** What versions before this one made with the modes of the umask. Newer entries of a home are private from the start. */
const ENTRIES = [
  'ledger.sqlite',
  'ledger.sqlite-wal',
  'ledger.sqlite-shm',
  'archive',
  'reports',
  'outbox',
  'redis',
  'sandbox',
  'rehearsals',
  'pushes',
];

/**
 * Makes a home that only its user can open, or closes one that everybody can; answers with the umask for what is made in
 * it. A home that is shared only with a group (`chmod 750`) stays so, and what is made in it follows. Beside
 * files that are not ours the folder itself stays as it is. Throws `config` when it cannot be made.
 */
export async function openHome(home: string, log: Log): Promise<number> {
  try {
    await makeFolders(home);
    if (process.platform === 'win32') return NOT_OWNER;
    const { mode } = await stat(home);
    if ((mode & OTHERS) === 0) return NOT_OWNER & ~mode;
    await close(home, mode, log);
    return NOT_OWNER;
  } catch (error) {
    throw new OfferlineError('config', `The folder ${home} (OFFERLINE_HOME) cannot be created: ${messageOf(error)}`);
  }
}

/** As `mkdir` with `recursive`, which never ends where the system refuses new folders as if there were none, as in /proc. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const isParentMissing = systemCode(error) === 'ENOENT' && !(await isThere(dirname(path)));
    if (!isParentMissing || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Who can open a home, in words; `open` says that everybody can. */
export async function examineHome(home: string): Promise<{ open: boolean; detail: string }> {
  const { mode, gid } = await stat(home);
  if (process.platform === 'win32') return { open: false, detail: home };
  if ((mode & OTHERS) !== 0) {
    const detail = `everyone on this machine can read ${home}, which also holds files of other programs; give offerline a folder of its own, or run chmod 700 ${home}`;
    return { open: true, detail };
  }
  const who = (mode & NOT_OWNER) === 0 ? 'only its user' : `its user and the group ${gid}`;
  return { open: false, detail: `${who} can read ${home}` };
}

/** Takes from everybody but its user what lies in a home, and the home itself when all of it is ours. */
async function close(home: string, mode: number, log: Log): Promise<void> {
  const names = await readdir(home);
  const foreign = names.filter((name) => !ENTRIES.includes(name));
  const refused: string[] = [];
  let closed = 0;
  for (const name of names.filter((one) => ENTRIES.includes(one))) {
    if (((await modeOf(join(home, name))) & OTHERS) !== 0) closed += await tighten(join(home, name), refused);
  }
  if (foreign.length === 0) {
    closed += await restrict(home, mode, refused);
  }
  if (refused.length > 0)
    log.warn({ home, refused }, 'part of the home belongs to another user and stays readable by everyone');
  if (closed > 0) {
    log.warn({ home, closed, foreign }, 'the home was readable by everyone and is now restricted to its user');
  }
}

/** Gives the number of files and folders; what belongs to someone else is added to `refused`. */
async function tighten(path: string, refused: string[]): Promise<number> {
  const found = await lstat(path).catch(unlessGone);
  if (found === undefined || found.isSymbolicLink()) return 0;
  let closed = await restrict(path, found.mode, refused);
  const names = found.isDirectory() ? await readdir(path).catch(unlessGone) : [];
  for (const name of names ?? []) closed += await tighten(join(path, name), refused);
  return closed;
}

async function restrict(path: string, mode: number, refused: string[]): Promise<number> {
  try {
    await chmod(path, mode & ~NOT_OWNER);
    return 1;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') refused.push(path);
    return 0;
  }
}

/** A link has no modes of its own: what it leads to is not in the home. */
async function modeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(unlessGone);
  return found === undefined || found.isSymbolicLink() ? 0 : found.mode;
}

function unlessGone(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
