import { Readable } from 'node:stream';
import { Client } from 'basic-ftp';
import type { FtpSource } from '../../config/schema/sources/servers.ts';
import { decodeBytes, encodeBytes } from '../../io/text-decode.ts';
import { resultsByRename } from '../result/by-rename.ts';
import { changing, type Paths } from '../server/aside.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { answerOf, type ReplyMeter } from '../../io/peers/read-reply.ts';
import { GREETING, type Limited, listingOf, meterOf } from '../limits.ts';
import { connectError, isTooLong, requestError, SshError } from './errors.ts';
import { filesOf, type Names } from './files.ts';
import { type List, listsOf, lookAt } from './look-at.ts';
import { passive } from './passive.ts';
import { readFile } from './read-file.ts';

/** Connects to an FTP server, by TLS unless `security: none`, identifies itself and enters the folder. Files come in binary. */
export async function openFtp(source: FtpSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const limited = listingOf(source, FILE);
  const client = new Client(place.timeout, { allowSeparateTransferHost: false, maxListingBytes: limited.bytes ?? 0 });
  client.prepareTransfer = passive;
  const asking: Asking = {};
  const list = listsOf(client, () => asking.meter?.count({ entries: 1 }));
  // It hears everything that the server says, and waits in vain for a reply of FTP's.
  client.ftp.log = (line) => {
    if (line.startsWith('< SSH-')) client.ftp.closeWithError(new SshError(line));
  };
  const names = namesIn(source.charset);
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const entered = async () => {
      await enter(client, source, place);
      client.ftp.encoding = names.encoding;
      // Asked for by the client in any case; a server in an old charset would change its names.
      if (names.encoding === 'latin1') await client.sendIgnoringError('OPTS UTF8 OFF');
      await client.cd(names.toServer(source.path)).catch((error: unknown) => {
        throw requestError(error, place, `the folder ${source.path}`);
      });
    };
    await answerOf(entered(), meterOf(place, GREETING, close));
    return { ...folderOf({ client, names, place, list, asking, limited }), close };
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

type NamesOnLine = Names & { encoding: 'utf8' | 'latin1' };

/** How names are read and written: in UTF-8, or as bytes that stand for a given charset. */
function namesIn(charset: string): NamesOnLine {
  if (/^utf-?8$/iu.test(charset)) return { encoding: 'utf8', fromServer: (name) => name, toServer: (name) => name };
  return {
    encoding: 'latin1',
    fromServer: (name) => decodeBytes(Buffer.from(name, 'latin1'), charset),
    toServer: (name) => Buffer.from(encodeBytes(name, charset)).toString('latin1'),
  };
}

/** What a line of a listing takes: rights, owners, time and name. */
const FILE = { bytes: 320 };

/** What is counted of what is asked for now. */
type Asking = { meter?: ReplyMeter };

type Connected = {
  client: Client;
  names: NamesOnLine;
  place: ServerPlace;
  list: List;
  asking: Asking;
  limited: Limited;
};

function folderOf({ client, names, place, list, asking, limited }: Connected): Omit<ServerFolder, 'close'> {
  const answered = async <T>(name: string, request: () => Promise<T>): Promise<T> => {
    const meter = meterOf(place, limited, () => client.close());
    asking.meter = meter;
    try {
      return await answerOf(request(), meter);
    } catch (error) {
      // The library collects a listing, and was told its limit.
      if (isTooLong(error)) throw meter.refusal('bytes');
      throw requestError(error, place, name);
    }
  };
  const look = (path: string) => answered(path, () => lookAt(client, names.toServer(path), list));
  const paths: Paths = {
    look,
    rename: (from, to) =>
      answered(from, async () => void (await client.rename(names.toServer(from), names.toServer(to)))),
    remove: (path) => answered(path, async () => void (await client.remove(names.toServer(path)))),
    makeFolder: (path) =>
      answered(path, async () => void (await client.sendIgnoringError(`MKD ${names.toServer(path)}`))),
  };
  let ignored: { name: string; why: string }[] = [];
  return {
    list: (wanted) =>
      answered('a listing of the folder', async () => {
        const { found, passedOver } = await filesOf(await list(), { client, names, place, wanted });
        ignored = passedOver;
        return found;
      }),
    ignored: () => ignored,
    look: async ({ name }) => {
      const found = await look(name);
      return found === undefined ? undefined : { name, ...found };
    },
    resumes: true,
    read: ({ name }, from = 0) => readFile(client, names.toServer(name), { name, from }, place),
    results: resultsByRename({
      ...paths,
      look,
      read: (name, _facts, from) => readFile(client, names.toServer(name), { name, from }, place),
      write: (name, content) =>
        answered(name, async () => void (await client.uploadFrom(Readable.from([content]), names.toServer(name)))),
    }),
    ...changing(paths, place),
  };
}
