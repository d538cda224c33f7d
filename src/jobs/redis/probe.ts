import { connect } from 'node:net';

/**
 * How a server behind a socket is: `gone` means that no process listens there; `silent` means that one does, but it is
 * stopped, still loading its data, or refuses to answer. Only `gone` allows another server to be started in its place.
 */
export type Pulse = { state: 'answers' | 'silent' | 'gone'; detail: string };

const PROBE_LIMIT_MS = 1000;

/** Looks whether a Redis answers on a Unix socket or named pipe. */
export async function probe(path: string): Promise<Pulse> {
  const { reply, error } = await ask(path, 'PING', PROBE_LIMIT_MS);
  if (reply.startsWith('+PONG')) return { state: 'answers', detail: reply };
  if (error === 'ENOENT' || error === 'ECONNREFUSED') return { state: 'gone', detail: error };
  return { state: 'silent', detail: error ?? (reply === '' ? 'no answer' : reply.trim()) };
}

/** Asks a Redis to write everything to disk and end; resolves when it closed the connection or after `limit`. */
export async function askToEnd(path: string, limit: number): Promise<void> {
  await ask(path, 'SHUTDOWN', limit);
}

/** Sends one command without arguments on a connection of its own; the first piece of the reply, or why there is none. */
function ask(path: string, command: string, limit: number): Promise<{ reply: string; error: string | null }> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const done = (reply: string, error: string | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ reply, error });
    };
    const timer = setTimeout(() => done('', null), limit);
    socket.on('connect', () => socket.write(`*1\r\n$${command.length}\r\n${command}\r\n`));
    socket.on('data', (chunk) => done(chunk.toString('latin1'), null));
    socket.on('close', () => done('', null));
    socket.on('error', (error: NodeJS.ErrnoException) => done('', error.code ?? error.message));
  });
}
