import type { Stats } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import picomatch from 'picomatch';
import type { DirectorySource } from '../config/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { copyFile, isSame, type RawPath } from './file.ts';
import { interrupted } from './save.ts';
import { type Checkpoint, cleanName, originOf, type Pulled, type PullInput } from './source.ts';

type Candidate = { name: string; path: RawPath; stats: Stats };

/** Names under which programs write files that are not complete yet. */
const PARTIAL = /^\.|\.(part|partial|filepart|tmp|temp|crdownload|download)$|~$/iu;

/** How often a file is given `settle` to come to rest before the pull gives up. */
const PATIENCE = 12;

/**
 * Pulls the newest file of a folder, by time of change, then by name. A file counts once it has not been changed for
 * `settle`; one that still is after twelve times that is left for the next run. Dotfiles and names of unfinished
 * transfers are passed over. The pattern ignores case, since suppliers do.
 */
export async function pullDirectory(source: DirectorySource, input: PullInput): Promise<Pulled> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    if (input.signal?.aborted === true) throw interrupted(source.path);
    const [newest, ...older] = await candidates(source);
    if (newest === undefined) {
      return { kind: 'nothing', reason: `no file in ${source.path} matches ${source.pattern}` };
    }
    if (isKnown(newest, source, input.checkpoint)) return { kind: 'unchanged', checkpoint: input.checkpoint };
    if (!(await hasSettled(newest, source, input))) continue;
    const pulled = await copy(newest, source, input);
    if (pulled !== undefined) return { ...pulled, superseded: older.map(({ name }) => cleanName(name)) };
  }
  return { kind: 'nothing', reason: `the newest file in ${source.path} is still being written` };
}

/** How long a pull may wait for a file that is still being written, in milliseconds. */
export function longestSettling({ settle }: DirectorySource): number {
  return PATIENCE * settle;
}

/** The files that may be taken, newest first. */
async function candidates({ path, pattern }: DirectorySource): Promise<Candidate[]> {
  const matches = picomatch(pattern, { nocase: true });
  const found: Candidate[] = [];
  for (const raw of await list(path)) {
    const name = raw.toString('utf8');
    if (PARTIAL.test(name) || !matches(name)) continue;
    const full = name.includes('\uFFFD') ? Buffer.concat([Buffer.from(path + sep), raw]) : join(path, name);
    const stats = await look(full, name);
    if (stats?.isFile() === true) found.push({ name, path: full, stats });
  }
  return found.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs || (a.name < b.name ? 1 : -1));
}

/** What is known about a file; undefined when it is gone, or is a link to nothing. */
async function look(path: RawPath, name: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw unreadable(name, error);
  }
}

function unreadable(what: string, error: unknown): OfferlineError {
  const message = `${what} cannot be read: ${messageOf(error)}. Let the program read it, or move it away.`;
  return new OfferlineError('pull-failed', message, { cause: error, details: { path: what } });
}

/** Names as bytes, since a name in an old charset has no exact text. */
async function list(path: string): Promise<Buffer[]> {
  try {
    return await readdir(path, { encoding: 'buffer' });
  } catch (error) {
    const code = systemCode(error);
    const why =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'ENOTDIR'
          ? 'is not a folder'
          : `cannot be read (${messageOf(error)})`;
    const message = `The folder ${path} ${why}. Create it, or correct source.path of the feed.`;
    throw new OfferlineError('pull-failed', message, { cause: error, details: { path, setting: 'source.path' } });
  }
}

/** Same name, size and times as last time: the change time of the inode cannot be set, so a rewritten file is seen. */
function isKnown(
  { name, stats }: Candidate,
  source: DirectorySource,
  checkpoint: Checkpoint | null,
): checkpoint is Checkpoint {
  if (checkpoint?.origin !== originOf(source) || checkpoint.name !== cleanName(name)) return false;
  const { size, mtimeMs, ctimeMs } = stats;
  return checkpoint.size === size && checkpoint.mtimeMs === mtimeMs && checkpoint.ctimeMs === ctimeMs;
}

async function hasSettled(
  { name, path, stats }: Candidate,
  { settle }: DirectorySource,
  input: PullInput,
): Promise<boolean> {
  if (input.now() - stats.mtimeMs >= settle) return true;
  await input.wait(settle, input.signal);
  const later = await look(path, name);
  return later !== undefined && isSame(stats, later);
}

/** The file at the target, or undefined when it vanished or was changed meanwhile and must be looked at again. */
async function copy({ name, path }: Candidate, source: DirectorySource, input: PullInput) {
  const what = join(source.path, cleanName(name));
  const { target, signal, received } = input;
  try {
    const copied = await copyFile(path, { target, what, limit: input.limits.fileSize, signal, received });
    const now = await look(path, what);
    if (!copied.steady || now === undefined || !isSame(copied.stats, now)) {
      await rm(target, { force: true });
      return undefined;
    }
    return asPulled(cleanName(name), copied, originOf(source), target);
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(what, error);
  }
}

function asPulled(name: string, copied: Awaited<ReturnType<typeof copyFile>>, origin: string, target: string) {
  const { bytes, sha256, stats } = copied;
  const { mtimeMs, ctimeMs } = stats;
  const checkpoint: Checkpoint = { origin, name, size: bytes, sha256, mtimeMs, ctimeMs };
  return { kind: 'file' as const, name, path: target, bytes, sha256, checkpoint, modifiedAt: mtimeMs };
}
