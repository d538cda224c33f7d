import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export type Reply =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; text: string; headers: Record<string, string> }
  | { status: number; stream: Readable; headers: Record<string, string> }
  /** No reply: the connection is reset, or stays open in silence until either side closes it. */
  | { broken: 'reset' | 'silence' }
  /** The first half of another reply; `closed` ends it as if it were all, otherwise the connection breaks there. */
  | { halfOf: Reply; closed: boolean };

/** Ends an operation where it stands; a fault decides what is replied. */
export class Interruption extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('A fault interrupts the call.');
    this.name = 'Interruption';
    this.reply = reply;
  }
}

/** A request or a file that the service does not accept: an HTTP status, a code for programs, a text for people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The reply of a refusal: `{error: {code, message}, requestId}`. */
export function refusalReply(refusal: Refusal, requestId: string): Reply {
  const { status, code, message, headers } = refusal;
  return { status, json: { error: { code, message }, requestId }, headers };
}

/** Makes a decimal text a JSON integer without passing through a double, which would lose digits of an int64. */
export function int64(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits);
}

/** Writes the reply; a stream that breaks half way closes the connection, so that the client sees a cut body. */
export async function send(response: ServerResponse, reply: Reply, stopping: AbortSignal): Promise<void> {
  if ('broken' in reply) return reply.broken === 'reset' ? reset(response) : silence(response, stopping);
  if ('halfOf' in reply) return sendHalf(response, reply);
  if ('stream' in reply) {
    response.writeHead(reply.status, reply.headers);
    await pipeline(reply.stream, response);
    return;
  }
  const body = bodyOf(reply);
  response.writeHead(reply.status, headersOf(reply, body.length));
  response.end(body);
}

function bodyOf(reply: { json: unknown } | { text: string }): Buffer {
  return Buffer.from('text' in reply ? reply.text : JSON.stringify(reply.json));
}

function headersOf({ headers }: { headers?: Record<string, string> }, length: number): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', 'content-length': String(length), ...headers };
}

function reset(response: ServerResponse): void {
  if (response.socket?.destroyed === false) response.socket.resetAndDestroy();
}

async function silence(response: ServerResponse, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted || response.socket === null || response.socket.destroyed) return reset(response);
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('close', resolve);
  stopping.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  reset(response);
}

async function sendHalf(
  response: ServerResponse,
  { halfOf, closed }: { halfOf: Reply; closed: boolean },
): Promise<void> {
  if ('broken' in halfOf || 'halfOf' in halfOf) return reset(response);
  const whole = 'stream' in halfOf ? await buffer(halfOf.stream) : bodyOf(halfOf);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const headers = 'stream' in halfOf ? { ...halfOf.headers } : headersOf(halfOf, 0);
  response.writeHead(halfOf.status, { ...headers, 'content-length': String(closed ? half.length : whole.length) });
  if (closed) response.end(half);
  else response.write(half, () => reset(response));
}
