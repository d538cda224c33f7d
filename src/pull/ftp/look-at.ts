import { parse } from 'node:path/posix';
import { type Client, FileInfo, FTPError } from 'basic-ftp';
import { systemClock } from '../../clock.ts';
import type { Listed } from '../choose/choose.ts';
import { type Listing, readListing } from './listing/read-listing.ts';

/** Answers the listing of the folder that the connection is in, or of a path. Throws what the library throws. */
export type List = (path?: string) => Promise<Listing>;

/** Has the listings of a connection read by our own readers. `count` hears of each line. */
export function listsOf(client: Client, count: () => void): List {
  let read: Listing = { entries: [], unread: [] };
  client.parseList = (text) => {
    read = readListing(text, systemClock.now(), count);
    return read.entries.map(({ name }) => new FileInfo(name));
  };
  const list = async (path = '') => {
    try {
      await client.list(path);
      return read;
    } catch (error) {
      if (isEmpty(error)) return { entries: [], unread: [] };
      throw error;
    }
  };
  return async (path) => {
    const found = await list(path);
    // Some servers take the option for the name of a file.
    const hasOption = found.entries.length === 0 && client.availableListCommands[0] === 'LIST -a';
    if (!hasOption || found.unread.length > 0) return found;
    client.availableListCommands = ['LIST'];
    return list(path);
  };
}

/** Words for a folder without files, and words that say that something else is wrong. */
const NO_FILES =
  /\bno (?:such |matching )?(?:files?|members?|data ?sets?|entries|objects?)\b|\bfiles? not found|\b(?:folder|directory) is empty|\b0 files|keine (?:solche )?datei|aucun fichier|(?:нет|не найдено) (?:таких )?файл/iu;
const OTHERWISE = /\bpath\b|network|connect|denied|permission|privileg|access|time(?:d )?out|busy|lock|quota|host/iu;

/** Whether a refusal of a listing is what servers say of a folder that is there and has no files. */
function isEmpty(error: unknown): boolean {
  if (!(error instanceof FTPError) || (error.code !== 450 && error.code !== 550)) return false;
  return NO_FILES.test(error.message) && !OTHERWISE.test(error.message);
}

/** What a server answers to a command that it does not know. */
const UNKNOWN_COMMAND = [500, 501, 502, 504];

/**
 * A file as it is now, by the path that the server knows; undefined when it is gone. Servers without `SIZE` or
 * `MDTM` are asked for a listing of its folder.
 */
export async function lookAt(client: Client, path: string, list: List): Promise<Omit<Listed, 'name'> | undefined> {
  const size = await sizeOf(client, path);
  if (size === undefined) return undefined;
  const time = size === null ? null : await timeOf(client, path);
  if (size !== null && time !== null) return { size, mtimeMs: inSeconds(time ?? null) };
  const { dir, base } = parse(path);
  const entry = (await list(dir)).entries.find(({ name, kind }) => kind === 'file' && name === base);
  if (entry === undefined) return undefined;
  return {
    ...bytesOf(entry.size ?? size),
    mtimeMs: inSeconds(entry.modifiedAt ?? (await timeOf(client, path)) ?? null),
  };
}

/** The size of a file as the listing of a place has it: where no size is known, what comes may have any. */
export function bytesOf(size: number | null): Pick<Listed, 'size' | 'inexact'> {
  return size === null ? { size: 0, inexact: true } : { size };
}

/** The bytes of a file; null where the server does not know the command, undefined where it knows no such file. */
export function sizeOf(client: Client, path: string): Promise<number | null | undefined> {
  return factOf(
    () => client.size(path),
    ({ code }) => UNKNOWN_COMMAND.includes(code),
  );
}

/**
 * When a file was changed, in epoch milliseconds: `LIST` shows no year, or no time, so that the server is asked for each file. Null
 * where it does not know the command, undefined where it knows no such file, as when a name with a line break was cut.
 */
export function timeOf(client: Client, path: string): Promise<number | null | undefined> {
  return factOf(
    async () => (await client.lastMod(path)).getTime(),
    () => true,
  );
}

async function factOf(
  ask: () => Promise<number>,
  isUnknown: (error: FTPError) => boolean,
): Promise<number | null | undefined> {
  try {
    const fact = await ask();
    return Number.isSafeInteger(fact) && fact >= 0 ? fact : null;
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    if (error.code === 550) return undefined;
    if (isUnknown(error)) return null;
    throw error;
  }
}

/** Some servers show fractions in listings, but not for a file. */
export function inSeconds(time: number | null): number | null {
  return time === null ? null : Math.floor(time / 1000) * 1000;
}
