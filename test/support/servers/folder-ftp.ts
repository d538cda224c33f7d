import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { FtpSource } from '../../../src/config/schema/sources/servers.ts';
import { atEnd } from '../at-end.ts';
import { freePort } from '../free-port.ts';
import { tempFolder } from '../temp-folder.ts';
import { treeOf } from './folder-tree.ts';
import { converse, type FtpStyle } from './ftp-session.ts';
import { startTap, type Tap } from './tap.ts';

export type FolderFtp = { source: FtpSource; folder: string; nowhere: FtpSource; stop: () => Promise<void> };

const ROOT = '/out';
const LOGIN = { user: 'me', password: 'correct-horse' };

type Address = { host: string; port: number; dataPort: number };

/** Starts an FTP server of a given style, without encryption, that serves a folder of its own as `/out`. */
export async function startFolderFtp(
  style: FtpStyle,
  { host, port, dataPort }: Address = { host: '127.0.0.1', port: 0, dataPort: 0 },
): Promise<FolderFtp> {
  const folder = tempFolder();
  const tree = treeOf(folder, ROOT);
  const sockets = new Set<Socket>();
  const listen = async (at: number, onSocket: (socket: Socket) => void): Promise<Server> => {
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
      onSocket(socket);
    });
    await once(server.listen(at, host), 'listening');
    return server;
  };
  const waiting: ((socket: Socket) => void)[] = [];
  const data = await listen(dataPort, (socket) => (waiting.shift() ?? (() => socket.destroy()))(socket));
  const control = await listen(port, (socket) => {
    const next = async () => {
      const { promise, resolve } = Promise.withResolvers<Socket>();
      waiting.push(resolve);
      return promise;
    };
    converse(socket, { style, tree, login: LOGIN, data: { port: portOf(data), next } });
  });
  const stop = async () => {
    for (const server of [control, data]) server.close();
    for (const socket of sockets) socket.destroy();
  };
  atEnd(stop);
  const source: FtpSource = {
    type: 'ftp',
    host: '127.0.0.1',
    port: portOf(control),
    security: 'none',
    auth: { type: 'basic', user: LOGIN.user, password: secret(LOGIN.password) },
    charset: 'utf-8',
    path: ROOT,
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
  return { source, folder, nowhere: { ...source, path: '/nowhere' }, stop };
}

/** Starts it behind a line that carries its control and its data connections, which use the same ports on both sides. */
export async function startTappedFolderFtp(style: FtpStyle): Promise<FolderFtp & { tap: Tap }> {
  const [port, dataPort] = [await freePort(), await freePort()];
  const host = '127.0.0.2';
  const server = await startFolderFtp(style, { host, port, dataPort });
  const tap = await startTap([port, dataPort].map((listen) => ({ listen, to: { host, port: listen } })));
  return { ...server, tap };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
