import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from '../../support/at-end.ts';

/** A request to a supplier's server that is held: before it is heard, after half of the reply, or before the reply. */
export type Point = {
  method: 'PROPFIND' | 'GET' | 'DELETE' | 'PUT' | 'MOVE';
  /** Of a PROPFIND: the whole folder, or one file. */
  depth?: '0' | '1';
  /** Which of them, from 1. */
  turn?: number;
  at: 'head' | 'body' | 'reply';
};

export type Fate = 'pass' | 'reset';

/** Stands before a supplier's server and holds one request. */
export type SupplierGate = {
  url: string;
  /** Resolves with what lets it go on, or resets its connection, once a request has come to the point. */
  hold: (point: Point) => Promise<(fate: Fate) => void>;
  /** Resets all connections, and the next request. */
  cut: () => void;
  /** Called with each request to delete, before the server hears of it. */
  onDelete: (look: (path: string) => void) => void;
};

type Waiting = Point & { met: (decide: (fate: Fate) => void) => void; seen: number };

/** Starts a gate on a free port of loopback before the server at `target`. */
export async function supplierGate(target: string): Promise<SupplierGate> {
  let waiting: Waiting | undefined;
  let watch: (path: string) => void = () => undefined;
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    if (isCut) {
      isCut = false;
      return void request.socket.resetAndDestroy();
    }
    if (method === 'DELETE') watch(url);
    const point = take(method, headers['depth']);
    if (point?.at === 'head' && (await fateOf(point)) === 'reset') return void request.socket.resetAndDestroy();
    const upstream = ask(`${target}${url}`, { method, headers });
    const reply = once(upstream, 'response') as Promise<[IncomingMessage]>;
    upstream.end(await buffer(request));
    const [answer] = await reply;
    const body = await buffer(answer);
    if (point?.at === 'reply' && (await fateOf(point)) === 'reset') return void request.socket.resetAndDestroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    const half = Math.floor(body.length / 2);
    if (point?.at === 'body') {
      response.write(body.subarray(0, half));
      if ((await fateOf(point)) === 'reset') return void request.socket.resetAndDestroy();
      response.end(body.subarray(half));
    } else response.end(body);
  }

  function take(method: string, depth: string | string[] | undefined): Waiting | undefined {
    if (waiting === undefined || waiting.method !== method) return undefined;
    if (waiting.depth !== undefined && waiting.depth !== depth) return undefined;
    waiting.seen += 1;
    if (waiting.seen < (waiting.turn ?? 1)) return undefined;
    const point = waiting;
    waiting = undefined;
    return point;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (point) => new Promise((met) => (waiting = { ...point, met, seen: 0 })),
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    onDelete: (look) => (watch = look),
  };
}

function fateOf({ met }: Waiting): Promise<Fate> {
  return new Promise((decide) => met(decide));
}
