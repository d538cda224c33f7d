import { createHash } from 'node:crypto';
import { Client, type ConnectConfig, type FileEntry, type SFTPWrapper } from 'ssh2';
import type { SftpSource } from '../../config/schema/sources/servers.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { within } from '../server/within.ts';
import { chooseMethod } from './authenticate.ts';
import { connectError, hostKeyError, requestError } from './errors.ts';
import { isGone, readFile } from './read-file.ts';

/** Connects by SSH to a server whose host key is the one that is configured, and opens its SFTP subsystem. */
export async function openSftp(source: SftpSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const client = new Client();
  const close = () => client.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await connect(client, source, place);
    const sftp = await within(opened(client), place, close);
    return { ...folderOf(sftp, source.path, place, close), close };
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

function folderOf(sftp: SFTPWrapper, path: string, place: ServerPlace, close: () => void): Omit<ServerFolder, 'close'> {
  const base = path.replace(/\/+$/u, '');
  const pathOf = (name: string) => `${base}/${name}`;
  const answered = async (request: Promise<void>, what: string) => {
    try {
      await within(request, place, close);
    } catch (error) {
      throw requestError(error, place, what);
    }
  };
  return {
    list: async () => {
      try {
        return (await within(entriesOf(sftp, path), place, close)).flatMap(asListed);
      } catch (error) {
        throw requestError(error, place, `the folder ${path}`);
      }
    },
    resumes: true,
    look: async ({ name }) => {
      try {
        const { size, mtime } = await within(attributesOf(sftp, pathOf(name)), place, close);
        return { name, size, mtimeMs: mtime * 1000 };
      } catch (error) {
        if (isGone(error)) return undefined;
        throw requestError(error, place, name);
      }
    },
    read: ({ name }, from = 0) => readFile(sftp, pathOf(name), from, place, close),
    remove: ({ name }) =>
      answered(
        done((callback) => sftp.unlink(pathOf(name), callback)),
        name,
      ),
    move: async ({ name }, to) => {
      const folder = to.startsWith('/') ? to : pathOf(to);
      // It may be there already, which the server answers in the same way as a failure.
      await within(
        done((callback) => sftp.mkdir(folder, callback)),
        place,
        close,
      ).catch(() => undefined);
      await answered(
        done((callback) => sftp.rename(pathOf(name), `${folder}/${name}`, callback)),
        name,
      );
    },
  };
}

function entriesOf(sftp: SFTPWrapper, path: string): Promise<FileEntry[]> {
  return new Promise((resolve, reject) => {
    sftp.readdir(path, (error, entries) => (error === undefined ? resolve(entries) : reject(error)));
  });
}

function attributesOf(sftp: SFTPWrapper, path: string): Promise<{ size: number; mtime: number }> {
  return new Promise((resolve, reject) => {
    sftp.stat(path, (error, attributes) => (error === undefined ? resolve(attributes) : reject(error)));
  });
}

function done(request: (callback: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    request((error) => (error ? reject(error) : resolve()));
  });
}

/** Type bits of a mode, and those of a plain file. */
const TYPE = 0o170000;
const PLAIN = 0o100000;

function asListed({ filename, attrs }: FileEntry): Listed[] {
  return (attrs.mode & TYPE) === PLAIN ? [{ name: filename, size: attrs.size, mtimeMs: attrs.mtime * 1000 }] : [];
}
