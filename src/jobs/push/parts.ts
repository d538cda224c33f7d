import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OfferlineError, systemCode } from '../../errors.ts';
import { isRunning } from '../../io/temporary-folder.ts';

/** What tells the part of one file from those of others. `sender`: the token or user that sends it. */
export type PartOf = { sender: string; feed: string; name: string; total: number };

/** A part that has come. `path`: of the folder that holds it. */
type KeptPart = { path: string; at: number };

/** Files of which a part is kept, in a home and of one sender. */
const [MOST, MOST_OF_ONE] = [64, 16];
/** Seconds after which one that found no place may be sent again: the rest of another may have come until then. */
const AGAIN = 60;
/** A part is kept for so many milliseconds after its last byte. */
export const PART_KEPT = 86_400_000;

/** Letters of a folder's name that tell whose part it is. */
const SENDER = 16;

/** Where the first bytes of a file are kept until the others come: what is kept of one sender begins alike. */
export function partPath(home: string, { sender, feed, name, total }: PartOf): string {
  const hash = (...facts: unknown[]) => createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return join(home, 'pushes', `${hash(sender).slice(0, SENDER)}-${hash(feed, name, total).slice(0, 32)}`, 'part');
}

/** How many bytes of a file have come; 0 where nothing is kept. */
export async function partSize(path: string): Promise<number> {
  return (await statOf(path))?.size ?? 0;
}

/** The last one that begins a part in this process: one after the other counts those that there are, and adds its own. */
let beginning: Promise<void> = Promise.resolve();

/**
 * Makes the folder of a part, and throws those away that are kept no longer. Fails with `conflict` where too many are kept: of this sender, answered with
 * 429, or of all, answered with 503.
 */
export function beginPart(path: string, now: number): Promise<void> {
  const begun = beginning.then(() => beginNext(path, now));
  beginning = begun.catch(() => undefined);
  return begun;
}

async function beginNext(path: string, now: number): Promise<void> {
  const folder = dirname(path);
  const home = dirname(dirname(folder));
  const old = (await leftParts(home, now - PART_KEPT)).filter((one) => one.path !== folder);
  for (const left of old) await rm(left.path, { recursive: true, force: true });
  const others = (await leftParts(home, Infinity)).filter((one) => one.path !== folder);
  const sender = basename(folder).slice(0, SENDER);
  const ofOne = others.filter((one) => basename(one.path).startsWith(sender)).length;
  if (ofOne >= MOST_OF_ONE) throw tooMany(`${ofOne} of your files`, 429);
  if (others.length >= MOST) throw tooMany(`${others.length} files`, 503);
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

function tooMany(files: string, answer: number): OfferlineError {
  const message = `${files} have come in part; send the rest of one first. A part is kept for a day.`;
  return new OfferlineError('conflict', message, { details: { answer, again: AGAIN } });
}

/**
 * Keeps other processes from writing a part; answers what ends that. Fails with `conflict` while another one of this machine writes it. Within a
 * process turns are taken.
 */
export async function holdPart(path: string): Promise<() => Promise<void>> {
  const lock = join(dirname(path), 'writer');
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rm(lock, { force: true });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      const writer = Number(await readFile(lock, 'utf8').catch(() => ''));
      if (writer > 0 && writer !== process.pid && isRunning(writer))
        throw new OfferlineError(
          'conflict',
          'Another console takes this file just now. Ask again how much of it has come.',
        );
      await rm(lock, { force: true });
    }
  }
}

/** The parts of a home to which nothing was added since a time, epoch milliseconds. */
export async function leftParts(home: string, before: number): Promise<KeptPart[]> {
  const folder = join(home, 'pushes');
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const at = ((await statOf(join(path, 'part'))) ?? (await statOf(path)))?.mtimeMs;
      return at === undefined || at > before ? [] : [{ path, at }];
    }),
  );
  return found.flat();
}

async function statOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}
