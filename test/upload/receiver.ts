import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { atEnd } from '../support/at-end.ts';
import { until } from '../support/until.ts';

/** A server on a bare socket that sees every byte of an upload as it arrives. */
export type Receiver = {
  url: string;
  received: () => string;
  /** Resolves when the text has arrived. */
  saw: (text: string) => Promise<void>;
  /** Resolves when the sender has closed the connection. */
  closed: Promise<void>;
  /** Answers the open connection. */
  answer: (status: string, body: string) => void;
};

/** Starts a receiver; with `deaf` it accepts the connection and reads nothing. */
export async function startReceiver({ deaf = false } = {}): Promise<Receiver> {
  const chunks: Buffer[] = [];
  let open: Socket | undefined;
  const received = () => Buffer.concat(chunks).toString('latin1');
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    open = socket;
    socket.on('error', () => {}).on('close', () => closed.resolve());
    if (deaf) return void socket.pause();
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    open?.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    saw: async (text) => void (await until(() => received().includes(text) || undefined)),
    closed: closed.promise,
    answer: (status, body) => void open?.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  };
}
