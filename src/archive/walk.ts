import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../errors.ts';
import { inParallel } from '../io/in-parallel.ts';
import type { Blob } from './archive.ts';

const DAY_MS = 86_400_000;

/** Every file that lies under its hash, in the order of their hashes; files that vanish meanwhile are passed over. `depth`: folders above each. */
export async function* listBlobs(folder: string, depth = 2): AsyncGenerator<Blob & { at: number }> {
  if (depth > 0) {
    for (const name of await namesOf(folder, /^[0-9a-f]{2}$/)) yield* listBlobs(join(folder, name), depth - 1);
    return;
  }
  const names = await namesOf(folder, /^[0-9a-f]{64}$/);
  const found = await inParallel(names, AT_ONCE, (name) => statIfThere(join(folder, name)));
  for (const [at, stats] of found.entries()) {
    if (stats !== null) yield { sha256: names[at]!, bytes: stats.size, at: Math.floor(stats.mtimeMs) };
  }
}

/** So many files are asked for at once. */
const AT_ONCE = 8;

async function namesOf(folder: string, shape: RegExp): Promise<string[]> {
  return (await readdir(folder)).filter((name) => shape.test(name)).sort();
}

/**
 * Removes what was left in a folder for so many days. Younger things may belong to a process at work, or to a person who
 * reads them. `names`: everything else stays.
 */
export async function sweepLeftovers(
  folder: string,
  { days = 1, names = /^/u }: { days?: number; names?: RegExp } = {},
): Promise<void> {
  const eldest = Date.now() - days * DAY_MS;
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    if (!names.test(name)) continue;
    const path = join(folder, name);
    if ((await lastChange(path)) < eldest) await rm(path, { recursive: true, force: true });
  }
}

/** A folder's own time does not move while a file in it grows, so its files count too. */
async function lastChange(path: string): Promise<number> {
  const found = await statIfThere(path);
  const names = found?.isDirectory() === true ? await ifThere(readdir(path)) : [];
  if (found === null || names === null) return Number.POSITIVE_INFINITY;
  const times = await Promise.all(names.map((name) => lastChange(join(path, name))));
  return Math.max(found.mtimeMs, ...times.filter((time) => time !== Number.POSITIVE_INFINITY));
}

function statIfThere(path: string) {
  return ifThere(stat(path));
}

/** Null for what its owner has removed meanwhile. */
async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
