import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';

/** Where a call to the service is held: before the service hears of it, with part of its body passed on, or before its reply is. */
export type Point = {
  operation: 'process' | 'get' | 'list' | 'errors';
  at: 'head' | 'body' | 'reply';
  /** The call is held only when this is true as it arrives. */
  when?: () => boolean | Promise<boolean>;
};

/** What happens to a call: it goes on, its connection is reset, the gate answers 503 in the service's place, or never. */
export type Fate = 'pass' | 'reset' | 'refuse' | 'hang';

/** A call that is held. */
export type Held = {
  decide: (fate: Fate) => void;
  /** Resolves when the caller has closed its connection. */
  closed: Promise<unknown>;
  /** Bytes of the body that came from the caller. */
  bytes: () => number;
  /** Bytes that the caller said its body has. */
  announced: number;
};

/** Stands before the service, holds one call at a chosen point, and spoils others. */
export type Gate = {
  url: string;
  /** Resolves when a call has come to the point. */
  hold: (point: Point) => Promise<Held>;
  /** The next call meets this fate before the service hears of it; resolves when it has. */
  next: (fate: Fate) => Promise<void>;
  /** Resets the connections on which no call is under way. */
  resetIdle: () => void;
};

/** Part of a body that is passed on before it is held: the service has seen its name and some rows. */
const BEFORE_HOLD = 64 * 1024;

type Waiting = Point & { met: (held: Held) => void; isMet: boolean };

/** Starts a gate on a free port of loopback before the service at `target`. */
export async function gateTo(target: string): Promise<Gate> {
  let waiting: Waiting | undefined;
  let spoil: { fate: Fate; met: () => void } | undefined;
  const sockets = new Map<Socket, number>();
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    const { socket } = request;
    sockets.set(socket, (sockets.get(socket) ?? 0) + 1);
    response.on('close', () => sockets.set(socket, (sockets.get(socket) ?? 1) - 1));
    void pass(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, 0);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (spoil !== undefined) {
      const { fate, met } = spoil;
      spoil = undefined;
      met();
      return carryOut(fate, request, response);
    }
    const point = await take(request);
    const held = point === undefined ? undefined : holdOf(request, response, point);
    response.on('close', () => {
      // A caller that gave up before the point has not come to it: the next one may.
      if (point?.isMet === false) waiting ??= point;
    });
    if (point?.at === 'head' && (await held?.()) !== 'pass') return;
    const upstream = ask(`${target}${request.url}`, { method: request.method ?? 'GET', headers: request.headers });
    upstream.on('error', () => undefined);
    response.on('close', () => upstream.destroy());
    const reply = once(upstream, 'response') as Promise<[IncomingMessage]>;
    reply.catch(() => undefined);
    let passed = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const before = passed;
      passed += chunk.length;
      upstream.write(chunk);
      const isHere = point?.at === 'body' && before < BEFORE_HOLD && passed >= BEFORE_HOLD;
      if (isHere && (await held?.()) !== 'pass') return void upstream.destroy();
    }
    upstream.end();
    const [answer] = await reply;
    const body = await buffer(answer);
    if (point?.at === 'reply' && (await held?.()) !== 'pass') return;
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': body.length });
    response.end(body);
  }

  async function take(request: IncomingMessage): Promise<Waiting | undefined> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const point = waiting;
    if (point === undefined || !path.endsWith(`/offer/${point.operation}`)) return undefined;
    if ((await point.when?.()) === false || waiting !== point) return undefined;
    waiting = undefined;
    return point;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets.keys()) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (point) => new Promise((met) => (waiting = { ...point, met, isMet: false })),
    next: (fate) => new Promise((met) => (spoil = { fate, met })),
    resetIdle: () => {
      for (const [socket, calls] of sockets) if (calls === 0) socket.resetAndDestroy();
    },
  };
}

/** Makes the held call known and waits for its fate, which is carried out here unless it is to pass. */
function holdOf(request: IncomingMessage, response: ServerResponse, point: Waiting): () => Promise<Fate> {
  const closed = once(response, 'close');
  return async () => {
    const { promise, resolve } = Promise.withResolvers<Fate>();
    const { socket } = request;
    const announced = Number(request.headers['content-length'] ?? 0);
    point.isMet = true;
    point.met({ decide: resolve, closed, bytes: () => socket.bytesRead, announced });
    const fate = await promise;
    if (fate !== 'pass') carryOut(fate, request, response);
    return fate;
  };
}

function carryOut(fate: Fate, request: IncomingMessage, response: ServerResponse): void {
  if (fate === 'reset') request.socket.resetAndDestroy();
  if (fate === 'refuse') response.writeHead(503, { connection: 'close' }).end('try again later');
}
