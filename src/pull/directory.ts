import type { Stats } from 'node:fs';
import { lstat, opendir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { DirectorySource } from '../config/schema/sources/folders.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { choose, type Choice, type Listed, NO_MATCH, nothingIn, waitingIn } from './choose/choose.ts';
import type { Past } from './choose/past.ts';
import { type Copied, copyFile, isSame, kindOf, type RawPath } from './file.ts';
import { mostFilesOf, tooManyFiles } from './limits.ts';
import { interrupted } from './save/save.ts';
import { patternIn, severalOf } from './several/wanted.ts';
import { type Checkpoint, cleanName, originOf, type Pulled, type PullInput } from './source.ts';

export type Candidate = Listed & { path: RawPath; stats: Stats; mtimeMs: number };

/** Files that almost fit of which it is told. */
const MOST_NEAR = 20;

/** How often a file is given `settle` to come to rest before the pull gives up. */
export const PATIENCE = 12;

/**
 * Pulls the newest file of a folder, by the date in its name, else by time of change, then by name. A file counts once it has not been changed for
 * `settle`; one that still is after twelve times that is left for the next run. Dotfiles and names of unfinished
 * transfers are passed over, and so are named pipes, devices and links that lead anywhere but to a file beside them: who
 * may write into an inbox must not choose what this program reads. The pattern ignores case, since suppliers do.
 */
export async function pullDirectory(source: DirectorySource, input: PullInput): Promise<Pulled> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    if (input.signal?.aborted === true) throw interrupted(source.path);
    const choice = await candidates(source, input.past, input.now());
    const { newest, older, near, changes } = choice;
    const told = near.length > 0 ? { near } : {};
    const known = newest ?? changes?.known;
    if (known !== undefined && isKnown(known, source, input.checkpoint))
      return { kind: 'unchanged', checkpoint: input.checkpoint, ...waitingIn(choice), ...told };
    if (newest === undefined) return { ...nothingIn(source.path, source.pattern, choice), ...told };
    if (!(await hasSettled(newest, source, input))) continue;
    const pulled = await copy(newest, source, input);
    if (pulled !== undefined) {
      const listed = { taken: asListed(newest), superseded: older.map(asListed) };
      return { ...pulled, superseded: older.map(({ name }) => cleanName(name)), listed, ...waitingIn(choice) };
    }
  }
  return { kind: 'nothing', reason: `the newest file in ${source.path} is still being written` };
}

/** What the folder holds now, and what of it would be taken, as far as it fits the pattern. Throws as a pull does. */
export function lookAtDirectory(source: DirectorySource, past: Past | undefined, now: number): Promise<Choice<Listed>> {
  return candidates(source, past, now);
}

/** A file as the ledger remembers it. */
export function asListed({ name, size, mtimeMs }: Candidate): Listed {
  return { name, size, mtimeMs };
}

/** How long a pull may wait for a file that is still being written, in milliseconds. */
export function longestSettling({ settle }: DirectorySource): number {
  return PATIENCE * settle;
}

/** The files that may be taken, and why others are not. A name in another charset is no hindrance here: it is kept as bytes. */
export async function candidates(
  source: DirectorySource,
  past: Past | undefined,
  now: number,
): Promise<Choice<Candidate> & { marker?: Listed }> {
  const { path, followLinks, ready } = source;
  const [several, pattern] = [severalOf(source), patternIn(source)];
  const files: Candidate[] = [];
  const passedOver: Choice<Candidate>['passedOver'] = [];
  const most = mostFilesOf(source);
  let [looked, near] = [0, 0];
  for await (const raw of list(path)) {
    const name = raw.toString('utf8');
    const isNear = pattern.nearOf(name) !== undefined && (near += 1) <= MOST_NEAR;
    if (!pattern.matches(name) && ready === undefined && !isNear) continue;
    if (!isNear && (looked += 1) > most) throw tooManyFiles({ url: `The folder ${path}` }, source);
    const entry = name.includes('\uFFFD') ? Buffer.concat([Buffer.from(path + sep), raw]) : join(path, name);
    const full = followLinks ? entry : await beside(entry, path, cleanName(name));
    if (full === undefined) {
      passedOver.push({ name: cleanName(name), why: 'is a link that leads out of the folder (source.followLinks)' });
      continue;
    }
    const stats = await look(full, cleanName(name));
    if (stats?.isFile() === true) {
      files.push({ name, path: full, stats, size: stats.size, mtimeMs: stats.mtimeMs });
    } else if (stats?.isDirectory() === false) {
      passedOver.push({ name: cleanName(name), why: `is ${kindOf(stats)}` });
    }
  }
  const choice = choose(files, { pattern, ready, past, anyName: true, all: several !== null, now });
  const marker = files.find(({ name }) => name === ready);
  const others = choice.passedOver.filter(({ why }) => why !== NO_MATCH);
  const all = [...passedOver.toSorted(byName), ...others.toSorted(byName)];
  return { ...choice, passedOver: all, ...(marker === undefined ? {} : { marker: asListed(marker) }) };
}

/** A folder gives its entries in any order, and what is said of them is the same each time. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Where an entry leads: itself, or for a link the file beside it; undefined for a link that leads elsewhere. */
async function beside(entry: RawPath, folder: string, name: string): Promise<RawPath | undefined> {
  if ((await look(entry, name, lstat))?.isSymbolicLink() !== true) return entry;
  const target = await unlessGone(realpath(entry, { encoding: 'buffer' }), name);
  if (target === undefined) return entry;
  return dirname(target.toString('latin1')) === (await realpath(folder, { encoding: 'latin1' })) ? target : undefined;
}

/** What is known about a file; undefined when it is gone, or is a link to nothing. */
function look(path: RawPath, name: string, ask: (path: RawPath) => Promise<Stats> = stat): Promise<Stats | undefined> {
  return unlessGone(ask(path), name);
}

async function unlessGone<T>(asked: Promise<T>, name: string): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw unreadable(name, error);
  }
}

/** The name leads nowhere, or to a link where a file has been. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ELOOP', 'ENXIO'].includes(systemCode(error) ?? '');
}

function unreadable(what: string, error: unknown): OfferlineError {
  const message = `${what} cannot be read: ${messageOf(error)}. Grant read access to it, or move it away.`;
  return new OfferlineError('pull-failed', message, { cause: error, details: { path: what } });
}

/** Names as bytes, since a name in an old charset has no exact text. */
async function* list(path: string): AsyncGenerator<Buffer> {
  try {
    // Its types know texts only.
    const folder = (await opendir(path, { encoding: 'buffer' as BufferEncoding })) as AsyncIterable<{ name: unknown }>;
    for await (const { name } of folder) yield name as Buffer;
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    const code = systemCode(error);
    const why =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'ENOTDIR'
          ? 'is not a folder'
          : `cannot be read (${messageOf(error)})`;
    const message = `The folder ${path} ${why}. Create it, or correct source.path of the feed.`;
    const details = { path, setting: 'source.path', ...(code === 'ENOENT' ? { missing: path } : {}) };
    throw new OfferlineError('pull-failed', message, { cause: error, details });
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

/** Whether a file was not changed for `settle`, which is waited for. */
async function hasSettled(file: Candidate, { settle, ready }: DirectorySource, input: PullInput): Promise<boolean> {
  if (ready !== undefined || input.now() - file.stats.mtimeMs >= settle) return true;
  await input.wait(settle, input.signal);
  return isUnchanged(file);
}

/** Whether a file is there as it was listed. */
export async function isUnchanged({ name, path, stats }: Candidate): Promise<boolean> {
  const later = await look(path, name);
  return later !== undefined && isSame(stats, later);
}

/** The file at the target, or undefined when it vanished or was changed meanwhile and must be checked again. */
export async function copy({ name, path }: Candidate, source: DirectorySource, input: PullInput) {
  const what = join(source.path, cleanName(name));
  const { target, signal, received, meter } = input;
  const limit = input.limits.fileSize;
  try {
    const wanted = { target, what, limit, followLink: source.followLinks, signal, received, meter };
    const copied = await copyFile(path, wanted);
    const now = await look(path, what);
    if (copied?.steady !== true || now === undefined || !isSame(copied.stats, now)) {
      await rm(target, { force: true });
      return undefined;
    }
    return asPulled(cleanName(name), copied, originOf(source), target);
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    if (isGone(error)) return undefined;
    throw unreadable(what, error);
  }
}

function asPulled(name: string, copied: Copied, origin: string, target: string) {
  const { bytes, sha256, stats } = copied;
  const { mtimeMs, ctimeMs } = stats;
  const checkpoint: Checkpoint = { origin, name, size: bytes, sha256, mtimeMs, ctimeMs };
  return { kind: 'file' as const, name, path: target, bytes, sha256, checkpoint, modifiedAt: mtimeMs };
}
