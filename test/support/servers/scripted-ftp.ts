import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { FtpSource } from '../../../src/config/schema/sources/servers.ts';
import { atEnd } from '../at-end.ts';

/** Writes a piece again and again, as fast as it is read, until the other side has enough. */
export function repeat(to: Writable, piece: string | Buffer): void {
  const most = Buffer.from(piece.toString().repeat(Math.ceil(65_536 / piece.length)));
  const more = () => {
    while (!to.destroyed && to.write(most));
  };
  to.on('error', () => undefined).on('drain', more);
  more();
}

type Script = {
  /** The lines of the listing, without their ends. */
  listing: string[];
  /** Contents of files, by name. */
  files?: Record<string, string>;
  /** Times of files in UTC, as YYYYMMDDhhmmss; without them the server does not know MDTM. */
  times?: Record<string, string>;
  /** What the server does not know. */
  lacks?: string[];
  /** Answers commands in place of the server, as they are written: `LIST -a`. A listing is answered by its lines, anything else as it stands. */
  answers?: Record<string, string | string[]>;
  /** Repeats the listing without end. */
  endless?: boolean;
};

export type ScriptedFtp = { source: FtpSource; commands: string[] };

/** An FTP server without encryption that answers as a test says, for what no server of this machine does. */
export async function startScriptedFtp({
  listing,
  files = {},
  times,
  lacks = [],
  answers: scripted = {},
  endless = false,
}: Script): Promise<ScriptedFtp> {
  const commands: string[] = [];
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  const listen = async (onSocket: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      onSocket(socket);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen((control) => {
    let data: Promise<Socket> | undefined;
    const say = (line: string) => void control.write(`${line}\r\n`);
    const openData = async () => {
      const { promise, resolve } = Promise.withResolvers<Socket>();
      data = promise;
      return listen(resolve);
    };
    const send = async (text: string) => {
      say('150 Here it comes');
      if (endless) return repeat(await data!, text);
      (await data!).end(text);
      say('226 Done');
    };
    const answers: Record<string, (argument: string) => unknown> = {
      USER: () => say('331 Password?'),
      PASS: () => say('230 Welcome'),
      FEAT: () => say('211-Features\r\n MLST type*;size*;modify*;\r\n211 End'),
      PWD: () => say('257 "/"'),
      EPSV: async () => say(`229 Entering (|||${await openData()}|)`),
      PASV: async () => {
        const at = await openData();
        say(`227 Entering (10,0,0,7,${at >> 8},${at & 255})`);
      },
      MLSD: () => send(listing.map((line) => `${line}\r\n`).join('')),
      LIST: () => send(listing.map((line) => `${line}\r\n`).join('')),
      SIZE: (name) => say(name in files ? `213 ${Buffer.byteLength(files[name]!)}` : '550 Not there'),
      MDTM: (name) => say(times === undefined ? '500 What?' : name in times ? `213 ${times[name]}` : '550 Not there'),
      RETR: (name) => (name in files ? send(files[name]!) : say('550 Not there')),
    };
    say('220 Hello');
    control.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((command) => command !== '')) {
        const [name = '', argument = ''] = line.split(/ (.*)/su);
        commands.push(line);
        const answer = scripted[line];
        if (Array.isArray(answer)) void send(answer.map((shown) => `${shown}\r\n`).join(''));
        else if (answer !== undefined) say(answer);
        else if (lacks.includes(name)) say('502 Not implemented');
        else if (name in answers) void answers[name]!(argument);
        else say('200 Very well');
      }
    });
  });
  atEnd(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  });
  const source: FtpSource = {
    type: 'ftp',
    host: '127.0.0.1',
    port,
    security: 'none',
    auth: { type: 'none' },
    charset: 'utf-8',
    path: '/out',
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
  return { source, commands };
}
