import { createHash } from 'node:crypto';
import { parse } from 'node:path/posix';
import { isSameFile } from '../choose/past.ts';
import { makeFolders, type Paths } from '../server/aside.ts';
import { MARK_BYTES } from './mark.ts';
import type { Facts, ResultPlace } from './result-place.ts';

/** How a protocol without conditions writes and reads files. */
type Writing = Omit<Paths, 'look'> & {
  look: (path: string) => Promise<Facts | undefined>;
  read: ResultPlace['read'];
  /** Writes a file, over one that an earlier try left. */
  write: (path: string, content: Buffer) => Promise<void>;
};

/**
 * Puts files where a protocol knows no conditions: each is written under a hidden name, which is the same at each try, and renamed once
 * it is whole. What it replaces is removed right before, after a last look.
 */
export function resultsByRename(at: Writing): ResultPlace {
  return {
    look: at.look,
    read: at.read,
    makeFolder: (path) => makeFolders(at, path),
    place: async (path, content, over) => {
      const hidden = hiddenBeside(path, content);
      await at.write(hidden, content);
      try {
        const now = await at.look(path);
        if (over === undefined ? now !== undefined : !isStill(over, now)) return await giveUp(at, hidden);
        if (over !== undefined) await at.remove(path);
        await at.rename(hidden, path);
        return true;
      } catch (error) {
        // Another may have come there a moment before.
        if ((await at.look(path)) === undefined || (await at.look(hidden)) === undefined) throw error;
        return giveUp(at, hidden);
      }
    },
  };
}

/** The hidden name beside a path under which a result is written: the same at each try, and another for each feed. */
export function hiddenBeside(path: string, content: Buffer): string {
  const { dir, base } = parse(path);
  const name = `.offerline-result-${createHash('sha256').update(base).update(content.subarray(-MARK_BYTES)).digest('hex').slice(0, 16)}`;
  return dir === '' ? name : `${dir}/${name}`;
}

async function giveUp(at: Pick<Paths, 'remove'>, hidden: string): Promise<false> {
  await at.remove(hidden).catch(() => undefined);
  return false;
}

/** What is replaced may have gone meanwhile. */
function isStill(over: Facts, now: Facts | undefined): boolean {
  return now === undefined || isSameFile({ name: '', ...over }, { name: '', ...now });
}
