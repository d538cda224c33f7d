import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Login } from './logins.ts';

/** One request on its way to its operation. */
export type Call = {
  request: IncomingMessage;
  query: URLSearchParams;
  /** UUID, repeated in the reply. */
  requestId: string;
  login: Login;
};

export type Reply =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; stream: Readable; headers: Record<string, string> };

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

/** The reply that tells of a refusal: `{error: {code, message}, requestId}`. */
export function refusalReply(refusal: Refusal, requestId: string): Reply {
  const { status, code, message, headers } = refusal;
  return { status, json: { error: { code, message }, requestId }, headers };
}

/** Makes a decimal text a JSON integer without passing through a double, which would lose digits of an int64. */
export function int64(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits);
}

/** Writes the reply; a stream that breaks half way closes the connection, so that the client sees a cut body. */
export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if ('stream' in reply) {
    response.writeHead(reply.status, reply.headers);
    await pipeline(reply.stream, response);
    return;
  }
  const body = Buffer.from(JSON.stringify(reply.json));
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...reply.headers,
  });
  response.end(body);
}
