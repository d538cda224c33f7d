import { parse } from 'node:path/posix';
import { Client, type FileInfo, FTPError, parseList } from 'basic-ftp';
import type { FtpSource } from '../../config/schema/sources/servers.ts';
import { decodeBytes, encodeBytes } from '../../io/text-decode.ts';
import type { Listed } from '../choose/choose.ts';
import { changing, type Paths } from '../server/aside.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { connectError, requestError } from './errors.ts';
import { passive } from './passive.ts';
import { readFile } from './read-file.ts';

/** Connects to an FTP server, by TLS unless `security: none`, identifies itself and enters the folder. Files come in binary. */
export async function openFtp(source: FtpSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const client = new Client(place.timeout);
  client.prepareTransfer = passive;
  client.parseList = parseLines;
  const names = namesIn(source.charset);
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await enter(client, source, place);
    client.ftp.encoding = names.encoding;
    // Asked for by the client in any case; a server in an old charset would change its names.
    if (names.encoding === 'latin1') await client.sendIgnoringError('OPTS UTF8 OFF');
    await client.cd(names.toServer(source.path)).catch((error: unknown) => {
      throw requestError(error, place, `the folder ${source.path}`);
    });
    return { ...folderOf(client, names, place), close };
  } catch (error) {
    close();
    throw requestError(error, place, 'the connection');
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

const PORTS = { explicit: 21, implicit: 990, none: 21 } as const;

async function enter(client: Client, source: FtpSource, place: ServerPlace): Promise<void> {
  const { host, port, security, auth } = source;
  try {
    await client.access({
      host: host.replace(/^\[|\]$/gu, ''),
      port: port ?? PORTS[security],
      // What anonymous users give where a password is asked for.
      ...(auth.type === 'none'
        ? { user: 'anonymous', password: 'offerline@' }
        : { user: auth.user, password: auth.password.reveal() }),
      secure: security === 'none' ? false : security === 'implicit' ? 'implicit' : true,
    });
  } catch (error) {
    throw connectError(error, place, { security, secured: client.ftp.hasTLS });
  }
}

type Names = { encoding: 'utf8' | 'latin1'; fromServer: (name: string) => string; toServer: (name: string) => string };

/** How names are read and written: in UTF-8, or as bytes that stand for a given charset. */
function namesIn(charset: string): Names {
  if (/^utf-?8$/iu.test(charset)) return { encoding: 'utf8', fromServer: (name) => name, toServer: (name) => name };
  return {
    encoding: 'latin1',
    fromServer: (name) => decodeBytes(Buffer.from(name, 'latin1'), charset),
    toServer: (name) => Buffer.from(encodeBytes(name, charset)).toString('latin1'),
  };
}

function folderOf(client: Client, names: Names, place: ServerPlace): Omit<ServerFolder, 'close'> {
  const answered = async <T>(name: string, request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw requestError(error, place, name);
    }
  };
  const look = (path: string) => answered(path, () => lookAt(client, names, path));
  const paths: Paths = {
    look,
    rename: (from, to) =>
      answered(from, async () => void (await client.rename(names.toServer(from), names.toServer(to)))),
    remove: (path) => answered(path, async () => void (await client.remove(names.toServer(path)))),
    makeFolder: (path) =>
      answered(path, async () => void (await client.sendIgnoringError(`MKD ${names.toServer(path)}`))),
  };
  return {
    list: (wanted) =>
      answered('a listing of the folder', async () => {
        const found: Listed[] = [];
        for (const entry of await client.list()) {
          const name = names.fromServer(entry.name);
          if (!entry.isFile) continue;
          const exact = entry.modifiedAt ?? (wanted(name) ? await timeOf(client, entry.name) : undefined);
          found.push({ name, size: entry.size, mtimeMs: inSeconds(exact) });
        }
        return found;
      }),
    look: async ({ name }) => {
      const found = await look(name);
      return found === undefined ? undefined : { name, ...found };
    },
    resumes: true,
    read: ({ name }, from = 0) => readFile(client, names.toServer(name), { name, from }, place),
    ...changing(paths, place),
  };
}

/** What a server answers to a command that it does not know. */
const UNKNOWN_COMMAND = [500, 501, 502, 504];

/** A file as it is now; undefined when it is gone. Servers without `SIZE` are asked for a listing of its folder. */
async function lookAt(client: Client, names: Names, path: string): Promise<Omit<Listed, 'name'> | undefined> {
  const there = names.toServer(path);
  try {
    return { size: await client.size(there), mtimeMs: inSeconds(await timeOf(client, there)) };
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    if (error.code === 550) return undefined;
    if (!UNKNOWN_COMMAND.includes(error.code)) throw error;
  }
  const { dir, base } = parse(there);
  const entry = (await client.list(dir)).find(({ name, isFile }) => isFile && name === base);
  if (entry === undefined) return undefined;
  return { size: entry.size, mtimeMs: inSeconds(entry.modifiedAt ?? (await timeOf(client, there))) };
}

/** Line by line: one that cannot be read, such as the rest of a name with a line break, must not hide the other files. */
function parseLines(listing: string): FileInfo[] {
  return listing.split(/\r?\n/u).flatMap((line) => {
    try {
      return parseList(line);
    } catch {
      return [];
    }
  });
}

/** `LIST` shows no year, or no time: the server is asked for each file. Undefined where it does not know the command. */
async function timeOf(client: Client, path: string): Promise<Date | undefined> {
  try {
    return await client.lastMod(path);
  } catch (error) {
    if (error instanceof FTPError) return undefined;
    throw error;
  }
}

/** Some servers show fractions in listings, but not for a file. */
function inSeconds(date: Date | undefined): number | null {
  return date === undefined ? null : Math.floor(date.getTime() / 1000) * 1000;
}
