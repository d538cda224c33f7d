import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasEnded, makerOf, processMark } from './process-mark.ts';

const NAME = /^\.offerline-(?<mark>[0-9a-f]+-\d+-\d+)-[0-9a-f]{8}\.tmp$/u;

/** What other machines and containers left is known to be left only by its age, in milliseconds. */
const OLD_MS = 86_400_000;

/** A hidden name beside a file for what is to become that file; it names this process. */
export function nameBeside(target: string): string {
  return join(dirname(target), `.offerline-${processMark()}-${randomBytes(4).toString('hex')}.tmp`);
}

/**
 * Removes from a folder what processes that were killed left under such names. The file of a process that runs is never taken;
 * one of a machine or container that cannot be asked is, when nothing was written to it for a day.
 */
export async function removeLeft(folder: string): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      if (await isLeft(folder, entry)) await rm(join(folder, entry.name), { force: true });
    }
  } catch {
    // A folder that may not be read, or a file that may not be removed, is no obstacle.
  }
}

async function isLeft(folder: string, entry: Dirent): Promise<boolean> {
  const maker = makerOf(NAME.exec(entry.name)?.groups?.['mark'] ?? '');
  if (maker === null || !entry.isFile()) return false;
  const found = await lstat(join(folder, entry.name));
  if (process.getuid !== undefined && found.uid !== process.getuid()) return false;
  return hasEnded(maker) ?? found.mtimeMs < Date.now() - OLD_MS;
}
