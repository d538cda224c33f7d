import { mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../errors.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import { fitsEntry } from '../../pull/unpack/unpack-all.ts';
import { entryPatterns, namedPattern } from './entry-patterns.ts';
import { literal, type FileGroup } from './group-files.ts';

/** What was read of the newest delivery of a group, which of the files of an archive that takes, and the names of those that it leaves out. */
export type GroupRead = {
  read: ReadResult;
  entries: 'all' | string[] | null;
  entry: string | null;
  unread: string[];
};

/** Files of an archive that are looked at one by one. */
const MOST_ENTRIES = 50;

/**
 * Reads the newest delivery of a group; of an archive with several files all of them as one list, else those that are lists. `folder` is for
 * what is written meanwhile. Throws `file-rejected` where there is no list.
 */
export async function readGroup(
  group: FileGroup,
  settings: ReadSettings,
  folder: string,
  signal: AbortSignal,
): Promise<GroupRead> {
  const { readFileWithin } = await import('../../jobs/read/read-within.ts');
  const delivery = await deliveryOf(group, settings, folder, signal);
  let times = 0;
  const readWith = async (more: Pick<ReadSettings, 'entries'> | Pick<ReadSettings, 'entry'> | object) => {
    const own = join(folder, `read-${(times += 1)}`);
    await mkdir(own);
    const input = { ...delivery, folder: own, settings: { ...settings, ...more }, rows: null, issues: null };
    return readFileWithin(input, signal);
  };
  try {
    return { read: await readWith({}), entries: null, entry: null, unread: [] };
  } catch (error) {
    const names = entriesIn(error);
    if (names === null) throw error;
    const all = await unlessRejected(readWith({ entries: 'all' }));
    if (all?.unsure === null) return { read: all, entries: 'all', entry: null, unread: [] };
    const looked = names.slice(0, MOST_ENTRIES);
    const lists: string[] = [];
    for (const name of looked) {
      const read = await unlessRejected(readWith({ entry: literal(name) }));
      if (read?.detection.mapping.some(({ key }) => key === 'oem') === true) lists.push(name);
    }
    // What is open of them is the same question whichever way they are read.
    if (all !== null && lists.length === looked.length) return { read: all, entries: 'all', entry: null, unread: [] };
    const [only, ...more] = lists;
    if (only === undefined) throw error;
    const others = looked.filter((name) => !lists.includes(name));
    const unreadBy = (patterns: string[]) => names.filter((name) => !patterns.some((one) => fitsEntry(name, one)));
    if (more.length === 0) {
      const entry = namedPattern(only, others);
      return { read: await readWith({ entry }), entries: null, entry, unread: unreadBy([entry]) };
    }
    const entries = entryPatterns(lists, others);
    return { read: await readWith({ entries }), entries, entry: null, unread: unreadBy(entries) };
  }
}

/** The newest file, or those of a delivery of several in one archive, as a pull packs them. */
async function deliveryOf(
  { files, several }: FileGroup,
  { limits }: ReadSettings,
  folder: string,
  signal: AbortSignal,
): Promise<{ path: string; name: string }> {
  const [newest] = files as [string];
  if (several === undefined) return { path: newest, name: basename(newest) };
  const { packDelivery } = await import('../../pull/several/pack.ts');
  const brought = several.parts.map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return { listed: { name: basename(path), size, mtimeMs }, path, bytes: size, sha256: '' };
  });
  const delivery = { files: await Promise.all(brought), beside: [], superseded: [], origin: '' };
  return packDelivery(delivery, { target: join(folder, 'delivery'), limits, signal });
}

/** The names of the files of an archive of which none was chosen; null for any other error. */
function entriesIn(error: unknown): string[] | null {
  if (!(error instanceof OfferlineError) || error.details['code'] !== 'zip-several-entries') return null;
  const { entries } = error.details;
  return Array.isArray(entries) ? entries.map(String) : null;
}

/** Null where a file is no list that can be used. */
async function unlessRejected(reading: Promise<ReadResult>): Promise<ReadResult | null> {
  try {
    const read = await reading;
    return read.unsure === null && read.validation.outcome === 'rejected' ? null : read;
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'file-rejected') return null;
    throw error;
  }
}
