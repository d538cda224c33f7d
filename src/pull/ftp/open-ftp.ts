import { PassThrough } from 'node:stream';
import { Client, type FileInfo, FTPError, parseList } from 'basic-ftp';
import type { FtpSource } from '../../config/schema/sources/servers.ts';
import { decodeBytes, encodeBytes } from '../../io/text-decode.ts';
import type { Listed } from '../choose/choose.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { connectError, requestError } from './errors.ts';
import { passive } from './passive.ts';

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
  return {
    list: async (wanted) => {
      try {
        const found: Listed[] = [];
        for (const entry of await client.list()) {
          const name = names.fromServer(entry.name);
          if (!entry.isFile) continue;
          const exact = entry.modifiedAt ?? (wanted(name) ? await timeOf(client, entry.name) : undefined);
          found.push({ name, size: entry.size, mtimeMs: inSeconds(exact) });
        }
        return found;
      } catch (error) {
        throw requestError(error, place, 'a listing of the folder');
      }
    },
    resumes: true,
    look: async ({ name }) => {
      try {
        const path = names.toServer(name);
        return { name, size: await client.size(path), mtimeMs: inSeconds(await timeOf(client, path)) };
      } catch (error) {
        if (error instanceof FTPError && error.code === 550) return undefined;
        throw requestError(error, place, name);
      }
    },
    read: (file, from = 0) => read(client, names.toServer(file.name), { name: file.name, from }, place),
    remove: async ({ name }) => {
      try {
        await client.remove(names.toServer(name));
      } catch (error) {
        throw requestError(error, place, name);
      }
    },
    move: async ({ name }, to) => {
      try {
        // It may be there already.
        await client.sendIgnoringError(`MKD ${names.toServer(to)}`);
        await client.rename(names.toServer(name), `${names.toServer(to)}/${names.toServer(name)}`);
      } catch (error) {
        throw requestError(error, place, name);
      }
    },
  };
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

/** The bytes of a file; the transfer is complete once the server has confirmed it on the control connection, too. */
async function* read(
  client: Client,
  path: string,
  { name, from }: { name: string; from: number },
  place: ServerPlace,
): AsyncGenerator<Buffer> {
  const bytes = new PassThrough({ highWaterMark: 256 * 1024 });
  let failed: unknown;
  const transfer = client.downloadTo(bytes, path, from).then(
    () => undefined,
    (error: unknown) => {
      failed = error;
      bytes.destroy();
    },
  );
  try {
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (error) {
    // Destroyed because the transfer failed, which says more.
    if (failed === undefined) throw error;
  } finally {
    bytes.destroy();
  }
  await transfer;
  if (failed !== undefined) throw requestError(failed, place, name);
}
