import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the proxy does with the next upload; other requests pass. */
type Mischief =
  | 'none'
  /** Lets the head of the POST through and holds its body back. */
  | 'hold-body'
  /** Lets the whole POST through and holds the reply back. */
  | 'hold-reply'
  /** Lets the whole POST through, waits for the reply, and resets the connection instead of passing it on. */
  | 'reset-reply';

/** A TCP proxy before the service that can hold uploads at chosen moments. */
export type Proxy = {
  url: string;
  next: (mischief: Mischief) => void;
  /** Resolves when an upload is being held, or has been reset. */
  met: () => Promise<void>;
  /** Lets what is held go on. */
  release: () => void;
};

/** Starts a proxy on a free port of loopback for the service at `target`. */
export async function proxyTo(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  let mischief: Mischief = 'none';
  let meeting = Promise.withResolvers<void>();
  let held: (() => void)[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    let mode: Mischief = 'none';
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => service.destroy());
    service.on('close', () => client.destroy());
    client.on('data', (chunk: Buffer) => {
      const isUpload = chunk.subarray(0, 64).toString('latin1').startsWith('POST /us2/public/offer/process');
      if (isUpload) {
        mode = mischief;
        mischief = 'none';
      }
      if (mode !== 'hold-body') return void service.write(chunk);
      held.push(() => {
        mode = 'none';
        service.write(chunk);
      });
      meeting.resolve();
    });
    service.on('data', (chunk: Buffer) => {
      if (mode === 'hold-reply') {
        held.push(() => void client.write(chunk));
        meeting.resolve();
      } else if (mode === 'reset-reply') {
        client.resetAndDestroy();
        meeting.resolve();
      } else client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (wanted) => {
      mischief = wanted;
      meeting = Promise.withResolvers<void>();
    },
    met: () => meeting.promise,
    release: () => {
      const waiting = held;
      held = [];
      for (const go of waiting) go();
    },
  };
}
