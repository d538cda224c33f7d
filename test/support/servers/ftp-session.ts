import { createReadStream } from 'node:fs';
import { mkdir, rename, unlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Shown, Tree } from './folder-tree.ts';

/** How a server of some make answers. */
export type FtpStyle = {
  /** The lines of a listing of LIST. */
  list: (shown: Shown[]) => string[];
  /** A line of MLSD, which the server does not know otherwise. */
  facts?: (shown: Shown) => string;
  /** Commands that it does not know either. */
  lacks?: string[];
  /** What it says in place of the listing of a folder that is empty. */
  ofEmpty?: string;
  /** `LIST -a` is a listing of the file `-a`. */
  takesOptionForName?: true;
  /** The name in the folder of one that its listing writes otherwise. */
  asked?: (name: string) => string;
};

/** What connections to one server have in common. */
type Served = {
  style: FtpStyle;
  tree: Tree;
  login: { user: string; password: string };
  /** Where data connections come in, and the next one of them. */
  data: { port: number; next: () => Promise<Socket> };
};

/** Answers the lines of a connection, one after the other. */
export function converse(socket: Socket, served: Served): void {
  const session = new Session(served);
  const say = (line: string) => void socket.write(`${line}\r\n`);
  say('220 Hello');
  let [rest, answered] = ['', Promise.resolve()];
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      answered = answered.then(async () => say(await session.answer(line, say)));
    }
  });
}

/** One connection, and what it has said so far. */
class Session {
  readonly #served: Served;
  #connected: Promise<Socket> | undefined;
  #user = '';
  #directory = '/';
  #from = 0;
  #renamed: string | undefined;

  constructor(served: Served) {
    this.#served = served;
  }

  /** The last line of the answer to a command; those before it are said. */
  async answer(line: string, say: (line: string) => void): Promise<string> {
    const [name = '', argument = ''] = line.split(/ (.*)/su);
    const { tree, data, login, style } = this.#served;
    const { lacks = [], facts } = style;
    if (lacks.includes(name) || (name === 'MLSD' && facts === undefined)) return '502 Not implemented';
    const path = this.#path(argument);
    const file = () => tree.file(path);
    switch (name) {
      case 'USER':
        this.#user = argument;
        return '331 Password?';
      case 'PASS':
        return this.#user === login.user && argument === login.password ? '230 Welcome' : '530 Login incorrect';
      case 'FEAT':
        return facts === undefined ? '502 Not implemented' : '211-Features\r\n MLST type*;size*;modify*;\r\n211 End';
      case 'TYPE':
      case 'OPTS':
        return '200 Very well';
      case 'PWD':
        return `257 "${this.#directory}"`;
      case 'CWD':
        if ((await tree.entries(path)) === undefined) return NOT_THERE;
        this.#directory = path;
        return '250 Here we are';
      case 'EPSV':
        this.#connected = data.next();
        return `229 Entering (|||${data.port}|)`;
      case 'PASV':
        this.#connected = data.next();
        return `227 Entering (127,0,0,1,${data.port >> 8},${data.port & 255})`;
      case 'MLSD':
        return this.#list(path, (shown) => shown.map(facts!), say);
      case 'LIST':
        return this.#listed(argument, say);
      case 'SIZE':
        return said(await file(), ({ size }) => String(size));
      case 'MDTM':
        return said(await file(), ({ at }) => at.toISOString().replaceAll(/\D/gu, '').slice(0, 14));
      case 'REST':
        this.#from = Number(argument);
        return '350 From there';
      case 'RETR': {
        const [found, start] = [await file(), this.#from];
        this.#from = 0;
        return found === undefined ? NOT_THERE : this.#send(createReadStream(found.path, { start }), say);
      }
      case 'DELE':
        return done(() => unlink(tree.real(path) ?? ''));
      case 'RNFR':
        if ((await file()) === undefined) return NOT_THERE;
        this.#renamed = tree.real(path);
        return '350 To what?';
      case 'RNTO':
        return done(() => rename(this.#renamed ?? '', tree.real(path) ?? ''));
      case 'MKD':
        return done(() => mkdir(tree.real(path) ?? ''));
      default:
        return '502 Not implemented';
    }
  }

  #path(argument: string): string {
    const { dir, base } = posix.parse(posix.resolve(this.#directory, argument));
    return posix.join(dir, this.#served.style.asked?.(base) ?? base);
  }

  async #listed(argument: string, say: (line: string) => void): Promise<string> {
    const { list, takesOptionForName } = this.#served.style;
    const path = /^-a ?(.*)/su.exec(argument)?.[1];
    if (path === undefined) return this.#list(this.#path(argument), list, say);
    return takesOptionForName ? this.#send(Readable.from([]), say) : this.#list(this.#path(path), list, say);
  }

  async #list(path: string, list: FtpStyle['list'], say: (line: string) => void): Promise<string> {
    const { ofEmpty } = this.#served.style;
    const entries = await this.#served.tree.entries(path);
    if (entries === undefined) return NOT_THERE;
    if (entries.length === 0 && ofEmpty !== undefined) return ofEmpty;
    return this.#send(Readable.from(list(entries).map((line) => `${line}\r\n`)), say);
  }

  /** It is done once the other side has read all of it. */
  async #send(bytes: Readable, say: (line: string) => void): Promise<string> {
    say('150 Here it comes');
    const socket = (await this.#connected!).resume();
    const { promise: isCut, resolve } = Promise.withResolvers<boolean>();
    socket.once('close', resolve);
    try {
      await pipeline(bytes, socket);
      return (await isCut) ? CUT : '226 Done';
    } catch {
      return CUT;
    }
  }
}

const NOT_THERE = '550 Not there';
const CUT = '426 The connection was closed';

function said(file: Shown | undefined, fact: (file: Shown) => string): string {
  return file === undefined ? NOT_THERE : `213 ${fact(file)}`;
}

async function done(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return '250 Done';
  } catch {
    return NOT_THERE;
  }
}
