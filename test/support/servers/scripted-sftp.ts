import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, {
  type AuthContext,
  type Client,
  type Connection,
  type FileEntry,
  type ServerChannel,
  type SFTPWrapper,
} from 'ssh2';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { SftpSource } from '../../../src/config/schema/sources/servers.ts';
import { atEnd } from '../at-end.ts';

/** What a server tells of a file: attributes in the listing, others when it is asked for one file. */
type Entry = {
  filename: string;
  longname?: string;
  attrs: Attributes;
  stat?: Attributes;
  content?: string;
};

type Attributes = Partial<Record<'mode' | 'size' | 'atime' | 'mtime', number>>;

type Script = {
  /** How one may identify oneself, each in its turn. */
  methods: ('password' | 'keyboard-interactive')[];
  /** What is asked interactively. */
  prompts?: string[];
  /** What is listed: names of files of one byte. */
  names?: string[];
  /** Entries that are listed beside them. */
  entries?: Entry[];
  /** The folder; `out` unless it is said. */
  path?: string;
  /** Lists them without end. */
  endless?: boolean;
  /** Sends what is no SFTP instead of an answer. */
  broken?: boolean;
  /** Answers all requests in place of what is listed here. */
  serve?: (sftp: SFTPWrapper) => void;
};

export type ScriptedSftp = {
  source: SftpSource;
  /** What came to identify the client, such as `password correct-horse`. */
  tried: string[];
  stop: () => Promise<void>;
};

const PASSWORD = 'correct-horse';

/**
 * A server of ssh2's own class, for what OpenSSH does only with PAM, which needs root and changes of the machine: it asks
 * interactively, or lists what no file system has.
 */
export async function startScriptedSftp(script: Script): Promise<ScriptedSftp> {
  const tried: string[] = [];
  // Of ed25519 it makes keys that it cannot read itself, one in a hundred.
  const key = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
  const clients = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [key.private] }, (client) => {
    clients.add(client.on('close', () => void clients.delete(client)));
    // Else each answer waits for the one before to be acknowledged; its types know it of clients only.
    client.on('ready', () => (client as unknown as Pick<Client, 'setNoDelay'>).setNoDelay(true));
    const left = [...script.methods];
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      const settle = (answer: string) => {
        tried.push(`${context.method} ${answer}`);
        if (answer === PASSWORD) left.shift();
        if (answer === PASSWORD && left.length === 0) context.accept();
        else context.reject(left.slice(0, 1), answer === PASSWORD);
      };
      if (context.method !== left[0]) context.reject(left.slice(0, 1));
      else if (context.method === 'password') settle(context.password);
      else prompt(context, script.prompts ?? ['Password: '], settle);
    });
    client.on('session', (accept) => {
      const session = accept();
      if (script.broken === true) session.on('subsystem', (open: () => ServerChannel) => void open().write('HTTP/1.1'));
      else session.on('sftp', (open: () => SFTPWrapper) => (script.serve ?? serveScript)(open(), script));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    for (const client of clients) client.end();
  };
  atEnd(stop);
  const { public: blob } = key;
  const hash = createHash('sha256')
    .update(Buffer.from(blob.split(' ')[1]!, 'base64'))
    .digest('base64');
  const source: SftpSource = {
    type: 'sftp',
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    auth: { type: 'basic', user: 'me', password: secret(PASSWORD) },
    hostKey: `SHA256:${hash.replace(/=$/u, '')}`,
    oldAlgorithms: false,
    path: script.path ?? 'out',
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
  return { source, tried, stop };
}

function prompt(context: AuthContext, prompts: string[], settle: (answer: string) => void): void {
  if (context.method !== 'keyboard-interactive') return;
  const questions = prompts.map((text) => ({ prompt: text, echo: false }));
  context.prompt(questions, (answers) => settle(answers.join(' ')));
}

const { OK, EOF, NO_SUCH_FILE } = ssh2.utils.sftp.STATUS_CODE;
const PLAIN = 0o100644;

function serveScript(
  sftp: SFTPWrapper,
  { names = [], entries = [], path: folder = 'out', endless = false }: Script,
): void {
  const attrs = { mode: PLAIN, uid: 0, gid: 0, size: 1, atime: 1_700_000_000, mtime: 1_700_000_000 };
  let isListed = false;
  const listed: Entry[] = [...names.map((filename) => ({ filename, attrs })), ...entries];
  const at = (path: string) => listed.find(({ filename }) => path === `${folder}/${filename}`);
  const handles: string[] = [];
  sftp.on('OPENDIR', (id, path) =>
    path === folder ? sftp.handle(id, Buffer.from('folder')) : sftp.status(id, NO_SUCH_FILE),
  );
  sftp.on('READDIR', (id) => {
    if (isListed && !endless) return sftp.status(id, EOF);
    isListed = true;
    const shown = listed.map((entry) => ({
      filename: entry.filename,
      longname: entry.longname ?? '',
      attrs: entry.attrs,
    }));
    // What a server leaves out, its types ask for.
    sftp.name(id, shown as FileEntry[]);
  });
  const tell = (id: number, path: string) => {
    const found = at(path);
    if (found === undefined) sftp.status(id, NO_SUCH_FILE);
    else sftp.attrs(id, (found.stat ?? found.attrs) as typeof attrs);
  };
  sftp.on('STAT', tell).on('LSTAT', tell);
  sftp.on('OPEN', (id, path) => {
    if (at(path) === undefined) return sftp.status(id, NO_SUCH_FILE);
    sftp.handle(id, Buffer.from(String(handles.push(path) - 1)));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const content = Buffer.from(at(handles[Number(handle.toString())]!)?.content ?? 'x');
    const piece = content.subarray(offset, offset + length);
    if (piece.length === 0) sftp.status(id, EOF);
    else sftp.data(id, piece);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, OK));
}
