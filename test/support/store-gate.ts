import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onLoopback } from './servers/on-loopback.ts';

/** What is wrong with a store: it is too busy for what is asked of an object at first, or its first answer about one is a lie. */
type StoreHarm = 'busy' | 'lies';

/** Stands before a store of objects, holds one reading, and spoils answers. */
export type StoreGate = {
  url: string;
  /** Resolves when somebody reads an object whose key has this text in it; its answer waits for `go`. */
  hold: (text: string) => Promise<{ go: () => void }>;
  /** From now on the store is like this; null: it is well again. */
  spoil: (harm: StoreHarm | null) => void;
  /** Requests that were spoiled until now. */
  spoiled: () => number;
};

/** So many requests of a kind about an object are refused by a busy store. */
const REFUSED = 2;
const XML = { 'content-type': 'application/xml' };

/** Starts a gate on a free port of loopback; requests reach the store as they were signed. */
export async function storeGate(target: string): Promise<StoreGate> {
  let harm: StoreHarm | null = null;
  let spoiled = 0;
  const asked = new Map<string, number>();
  let waiting: { text: string; met: (held: { go: () => void }) => void } | undefined;

  /** True while this request is to be spoiled: the first ones about each object. */
  function isTurn(name: string, times: number): boolean {
    const before = asked.get(name) ?? 0;
    asked.set(name, before + 1);
    if (before < times) spoiled += 1;
    return before < times;
  }

  async function holdReading(name: string): Promise<void> {
    if (waiting === undefined || !name.startsWith('GET ') || !name.includes(waiting.text)) return;
    const { met } = waiting;
    waiting = undefined;
    await new Promise<void>((go) => met({ go }));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const name = `${request.method} ${request.url}`;
    await holdReading(name);
    if (harm === 'busy' && isTurn(name, REFUSED)) return refuse(response, 503, 'SlowDown');
    // It says that it has taken what it has not.
    if (harm === 'lies' && request.method === 'PUT' && isTurn(name, 1)) return refuse(response, 200, 'InternalError');
    const upstream = ask(target + request.url, { method: request.method ?? 'GET', headers: request.headers });
    const reply = await new Promise<IncomingMessage>((resolve, reject) =>
      upstream.on('response', resolve).on('error', reject).end(body),
    );
    const bytes = await buffer(reply);
    const isObject = request.method === 'GET' && reply.statusCode === 200 && bytes.length > 0;
    if (harm === 'lies' && isObject && !request.url?.includes('?') && isTurn(name, 1)) bytes[0] = bytes[0]! ^ 0xff;
    response.writeHead(reply.statusCode ?? 502, reply.headers).end(bytes);
  }

  const server = createServer((request, response) => {
    // Whoever asked has gone, or the store has.
    answer(request, response).catch(() => response.destroy());
  });
  const { port } = await onLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (text) => new Promise((met) => (waiting = { text, met })),
    spoil: (wanted) => {
      harm = wanted;
      asked.clear();
    },
    spoiled: () => spoiled,
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, XML).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
