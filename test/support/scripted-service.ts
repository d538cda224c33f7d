import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';

/** An upload as the service tells of it; a test may change what becomes of it at any time. */
export type ScriptedOffer = {
  id: string;
  state: string;
  error: string | null;
  sourceFile: string;
  text: string;
  /** The text of its `.errors` file. */
  errors: string | null;
  /** What the service counted; without it all rows once it is a success, none before. */
  linesProcessed?: number;
};

/** A scripted reply; `silence` never comes, `reset` breaks the connection, `pass` is the reply of a service that behaves. */
export type ScriptedReply =
  { status: number; body: string; type?: string; headers?: Record<string, string> } | 'silence' | 'reset' | 'pass';

type Operation = 'process' | 'list' | 'get' | 'source' | 'listTags' | 'errors';

/** A service that does what it is told, on a real port; told nothing, it accepts every upload and makes it a success. */
export type ScriptedService = {
  url: string;
  /** The uploads that it accepted, newest first. */
  offers: ScriptedOffer[];
  /** The operations that were called, in order. */
  calls: Operation[];
  /** Answers one operation, or every one, with a reply until `mend`; a function sees the request. */
  answer: (operation: Operation | 'any', reply: ScriptedReply | ((request: IncomingMessage) => ScriptedReply)) => void;
  /** What becomes of uploads from now on until `mend`. */
  fate: (fate: Partial<ScriptedOffer>) => void;
  /** Behaves well from now on; what has become of earlier uploads stays. */
  mend: () => void;
  /** Closes the port, and opens the same one again. */
  goDown: () => Promise<void>;
  comeUp: () => Promise<void>;
};

/** Starts it on a free port of loopback. */
export async function scriptedService(): Promise<ScriptedService> {
  const offers: ScriptedOffer[] = [];
  const calls: Operation[] = [];
  const replies = new Map<Operation | 'any', ScriptedReply | ((request: IncomingMessage) => ScriptedReply)>();
  let fate: Partial<ScriptedOffer> = {};
  const sockets = new Set<Socket>();

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', 'http://service');
      const operation = url.pathname.split('/').at(-1) as Operation;
      calls.push(operation);
      const body = await collect(request);
      if (body === null) return;
      const scripted = replies.get(operation) ?? replies.get('any');
      const told = typeof scripted === 'function' ? scripted(request) : (scripted ?? 'pass');
      if (told !== 'pass') return play(told, response);
      if (operation === 'process') {
        const { name, text } = await fileOf(request, body);
        const id = String(1001 + offers.length);
        offers.unshift({ id, state: 'success', error: null, sourceFile: name, text, errors: null, ...fate });
      }
      play(behave(operation, offers, url.searchParams), response);
    })();
  });
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  const goDown = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  const comeUp = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  // While it is down nobody else may come up in its place.
  const port = await freePort();
  await comeUp(port);
  atEnd(goDown);
  return {
    url: `http://127.0.0.1:${port}`,
    offers,
    calls,
    answer: (operation, reply) => void replies.set(operation, reply),
    fate: (wanted) => {
      fate = wanted;
    },
    mend: () => {
      replies.clear();
      fate = {};
    },
    goDown,
    comeUp: () => comeUp(port),
  };
}

/** The whole body; null where the client was cut off before its end: a killed worker's upload never came. */
async function collect(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    if (request.complete) throw error;
    return null;
  }
  return Buffer.concat(chunks);
}

async function fileOf(request: IncomingMessage, body: Buffer): Promise<{ name: string; text: string }> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const file = (await new Response(new Uint8Array(body), { headers }).formData()).get('offersFile');
  if (!(file instanceof File)) throw new Error('an upload without a file');
  return { name: file.name, text: await file.text() };
}

/** The reply of a service without faults. */
function behave(operation: Operation, offers: ScriptedOffer[], query: URLSearchParams): Exclude<ScriptedReply, 'pass'> {
  if (operation === 'process') return json(record(offers[0]!));
  if (operation === 'list') return json({ data: query.get('page') === '0' ? offers.map(record) : [], requestId: 'r' });
  const offer = offers.find(({ id }) => id === query.get('offerId'));
  if (offer === undefined) return { status: 404, body: '{"message":"no such offer"}', type: 'application/json' };
  if (operation === 'get') return json(record(offer));
  if (operation === 'source') return { status: 200, body: offer.text, type: 'text/plain' };
  if (operation === 'errors') return { status: 200, body: offer.errors ?? '', type: 'text/plain' };
  return json({ data: tagsOf(offer.text), requestId: 'r' });
}

function record({ id, state, error, sourceFile, text, errors, ...counted }: ScriptedOffer) {
  const known = state === 'success' ? text.trimEnd().split('\n').length - 1 : 0;
  const linesProcessed = counted.linesProcessed ?? known;
  const times = { createdTime: 1_770_000_000_000, lastModifiedTime: 1_770_000_000_000 };
  return { id: Number(id), state, error, sourceFile, linesProcessed, ...times, errorFileExists: errors !== null };
}

function tagsOf(text: string): string[] {
  const [header = '', ...rows] = text.trimEnd().split('\n');
  const at = header.split('\t').indexOf('tags');
  return [...new Set(rows.flatMap((row) => (row.split('\t')[at] ?? '').split(',')))].filter((tag) => tag !== '');
}

function json(value: unknown): Exclude<ScriptedReply, 'pass'> {
  return { status: 200, body: JSON.stringify(value), type: 'application/json' };
}

function play(reply: Exclude<ScriptedReply, 'pass'>, response: ServerResponse): void {
  if (reply === 'silence') return;
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/html', ...reply.headers }).end(reply.body);
}
