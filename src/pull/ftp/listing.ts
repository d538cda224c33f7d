import { parse } from 'node:path/posix';
import { type Client, type FileInfo, FTPError, parseList } from 'basic-ftp';
import type { Listed } from '../choose/choose.ts';

/** What the last listing of a connection was like. */
export type Listing = {
  /** It has a line that is none of a listing, as the rest of a name with a line break: some names may be halves. */
  isBroken: boolean;
};

/** Characters of a line: a path, and what is said of it. */
const LONGEST_LINE = 8000;

/** Lets listings be read line by line: one that cannot be read must not hide the other files. `count` hears of each line. */
export function readableListing(client: Client, count: () => void): Listing {
  const listing: Listing = { isBroken: false };
  client.parseList = (text) => {
    listing.isBroken = false;
    const files: FileInfo[] = [];
    for (const line of linesOf(text)) {
      count();
      try {
        if (line.length > LONGEST_LINE) throw new Error('a line without end');
        files.push(...parseList(line));
      } catch {
        listing.isBroken ||= !/^total \d+$/iu.test(line);
      }
    }
    return files;
  };
  return listing;
}

/** The lines of a text that are not empty, one at a time. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).replace(/\r$/u, '');
    if (line !== '') yield line;
    from = end === -1 ? text.length : end + 1;
  }
}

/** What a server answers to a command that it does not know. */
const UNKNOWN_COMMAND = [500, 501, 502, 504];

/**
 * A file as it is now, by the path that the server knows; undefined when it is gone. Servers without `SIZE` or
 * `MDTM` are asked for a listing of its folder.
 */
export async function lookAt(client: Client, path: string): Promise<Omit<Listed, 'name'> | undefined> {
  try {
    const size = await client.size(path);
    const time = await timeOf(client, path);
    if (time !== null) return { size, mtimeMs: inSeconds(time) };
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    if (error.code === 550) return undefined;
    if (!UNKNOWN_COMMAND.includes(error.code)) throw error;
  }
  const { dir, base } = parse(path);
  const entry = (await client.list(dir)).find(({ name, isFile }) => isFile && name === base);
  if (entry === undefined) return undefined;
  return { size: entry.size, mtimeMs: inSeconds(entry.modifiedAt ?? (await timeOf(client, path))) };
}

/**
 * `LIST` shows no year, or no time: the server is asked for each file. Null where it does not know the command, undefined where
 * it knows no such file, as when a name with a line break was cut in the listing.
 */
export async function timeOf(client: Client, path: string): Promise<Date | null | undefined> {
  try {
    return await client.lastMod(path);
  } catch (error) {
    if (error instanceof FTPError) return error.code === 550 ? undefined : null;
    throw error;
  }
}

/** Some servers show fractions in listings, but not for a file. */
export function inSeconds(date: Date | null | undefined): number | null {
  return date === undefined || date === null ? null : Math.floor(date.getTime() / 1000) * 1000;
}
