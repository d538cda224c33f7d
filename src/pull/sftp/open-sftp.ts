import { createHash } from 'node:crypto';
import { Client, type ConnectConfig, type FileEntry, type SFTPWrapper } from 'ssh2';
import type { SftpSource } from '../../config/schema/sources/servers.ts';
import { OfferlineError } from '../../errors.ts';
import { readReply } from '../../io/peers/read-reply.ts';
import { trimEnd } from '../../io/text-parts.ts';
import type { Listed } from '../choose/choose.ts';
import { resultsByRename } from '../result/by-rename.ts';
import { changing, type Paths } from '../server/aside.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { type Listing, listingOf, meterOf } from '../limits.ts';
import { within } from '../server/within.ts';
import { chooseMethod } from './authenticate.ts';
import { connectError, hostKeyError, requestError } from './errors.ts';
import { readFile } from './read-file.ts';
import { factsOf, listedFrom } from './listed.ts';
import { attributesOf, entriesOf, makeFolder, rename, unlink, writeFile } from './requests.ts';

/** Connects by SSH to a server whose host key is the one that is configured, and opens its SFTP subsystem. */
export async function openSftp(source: SftpSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const client = new Client();
  const close = () => client.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await connect(client, source, place);
    const sftp = await within(opened(client), place, close);
    // What breaks the protocol ends the connection and fails each request; without a listener it would end the process.
    let broken: Error | undefined;
    sftp.on('error', (error: Error) => {
      broken = error;
      close();
    });
    return { ...folderOf(sftp, source, place, { close, why: (error) => broken ?? error }), close };
  } catch (error) {
    close();
    throw error instanceof OfferlineError ? error : connectError(error, place);
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

/** Resolves once the server has taken the credentials. */
function connect(client: Client, source: SftpSource, place: ServerPlace): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { auth } = source;
  const password = auth.password?.reveal();
  let refused: OfferlineError | undefined;
  client.on('ready', () => {
    // Else a request waits for the reply to the one before: 27 times slower.
    client.setNoDelay(true);
    resolve();
  });
  // Stays for the whole connection: an error without a listener would end the process.
  client.on('error', (error) => reject(refused ?? error));
  client.on('close', () => reject(refused ?? new Error('closed the connection unexpectedly')));
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
    finish(prompts.map(() => password ?? ''));
  });
  const config: ConnectConfig = {
    host: source.host.replace(/^\[|\]$/gu, ''),
    port: source.port ?? 22,
    username: auth.user,
    readyTimeout: place.timeout,
    keepaliveInterval: place.timeout,
    authHandler: chooseMethod(auth),
    tryKeyboard: password !== undefined,
    ...(source.oldAlgorithms ? { algorithms: OLD_ALGORITHMS } : {}),
    ...(password === undefined ? {} : { password }),
    ...(auth.type === 'key' ? { privateKey: auth.key.reveal() } : {}),
    ...(auth.type === 'key' && auth.passphrase !== undefined ? { passphrase: auth.passphrase.reveal() } : {}),
    hostVerifier: (key: Buffer) => {
      const found = fingerprintOf(key);
      if (found === source.hostKey?.replace(/=$/u, '')) return true;
      refused = hostKeyError(found, source.hostKey, place);
      return false;
    },
  };
  try {
    client.connect(config);
  } catch (error) {
    reject(error);
  }
  return promise;
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=$/u, '')}`;
}

/** Added behind the usual ones, for servers that know nothing newer. */
const OLD_ALGORITHMS = {
  kex: {
    append: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
    prepend: [],
    remove: [],
  },
  cipher: { append: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc', '3des-cbc'], prepend: [], remove: [] },
  serverHostKey: { append: ['ssh-rsa', 'ssh-dss'], prepend: [], remove: [] },
  hmac: { append: ['hmac-sha1', 'hmac-md5'], prepend: [], remove: [] },
} satisfies ConnectConfig['algorithms'];

function opened(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
  });
}

/** A file is listed by its name and by a line for people; of pages only the empty ones are counted, for some servers send one file on each. */
const FILE: Listing = { bytes: 600, pages: 0, spare: 100 };

function folderOf(
  sftp: SFTPWrapper,
  source: SftpSource,
  place: ServerPlace,
  /** `why`: what broke the protocol, which a request that failed does not say. */
  { close, why }: { close: () => void; why: (error: unknown) => unknown },
): Omit<ServerFolder, 'close'> {
  const { path } = source;
  const base = trimEnd(path, '/');
  const pathOf = (name: string) => (name.startsWith('/') ? name : `${base}/${name}`);
  const answered = async <T>(request: Promise<T>, what: string): Promise<T> => {
    try {
      return await within(request, place, close);
    } catch (error) {
      throw requestError(why(error), place, what);
    }
  };
  const look = async (name: string) => {
    const found = await answered(attributesOf(sftp, pathOf(name)), name);
    return found === undefined ? undefined : factsOf(found);
  };
  const paths: Paths = {
    look,
    rename: (from, to) => answered(rename(sftp, pathOf(from), pathOf(to)), from),
    remove: (name) => answered(unlink(sftp, pathOf(name)), name),
    makeFolder: (name) => answered(makeFolder(sftp, pathOf(name)), name),
  };
  const writing = async (name: string, content: Buffer) => {
    try {
      await writeFile(sftp, pathOf(name), content, (asked) => within(asked, place, close));
    } catch (error) {
      throw requestError(why(error), place, name);
    }
  };
  let ignored: { name: string; why: string }[] = [];
  return {
    list: async (wanted) => {
      const meter = meterOf(place, listingOf(source, FILE), close);
      const entries = entriesOf(sftp, path, (asked) => within(asked, place, close));
      const files: Listed[] = [];
      ignored = [];
      try {
        for await (const some of readReply(entries, meter, countsOf)) {
          for (const entry of some) {
            const { filename } = entry;
            const listed = await listedFrom(entry, async () =>
              wanted(filename) ? answered(attributesOf(sftp, pathOf(filename), 'lstat'), filename) : undefined,
            );
            if ('file' in listed) files.push(listed.file);
            else if (wanted(listed.name)) ignored.push(listed);
          }
        }
        return files;
      } catch (error) {
        throw requestError(why(error), place, `the folder ${path}`);
      }
    },
    ignored: () => ignored,
    look: async ({ name }) => {
      const found = await look(name);
      return found === undefined ? undefined : { name, ...found };
    },
    resumes: true,
    read: ({ name }, from = 0) => readFile(sftp, pathOf(name), from, place, close),
    results: resultsByRename({
      ...paths,
      look,
      read: (name, _facts, from) => readFile(sftp, pathOf(name), from, place, close),
      write: writing,
    }),
    ...changing(paths, place),
  };
}

function countsOf(entries: FileEntry[]) {
  const bytes = entries.reduce((sum, { filename, longname }) => sum + filename.length + longname.length, 0);
  return { pages: entries.length === 0 ? 1 : 0, entries: entries.length, bytes };
}
