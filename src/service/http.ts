import type { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import type { z } from 'zod';
import type { AuthConfig } from '../config/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { parseLossless } from './lossless-json.ts';

/** How one login reaches the service. */
export type Access = {
  /** Asked before every call, because the built-in sandbox may have been started again on another port. */
  baseUrl: () => Promise<string>;
  auth: AuthConfig;
  /** Longest silence of a connection in milliseconds. */
  timeout: number;
};

/** A call as the operations describe it; the reply is read by the caller. */
export type Call = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  body?: AsyncIterable<Buffer>;
  signal?: AbortSignal;
};

export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/** Error bodies are kept raw and shown, but never without limit. */
const MAX_ERROR_BODY = 4_000;
/** A JSON reply of the offer operations is small; more than this is not one. */
const MAX_JSON_BODY = 64 * 1024 * 1024;

/** Nobody is made to wait longer than this by `Retry-After`. */
const MAX_RETRY_AFTER = 3_600_000;

/** System calls that fail before a connection exists. The same codes from reading or writing prove nothing. */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);
/** Codes of failures that happen before the first byte of a request is sent. */
const NEVER_CONNECTED = new Set<unknown>([
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
]);

/** True when the failure of a call proves that no connection was opened. */
export function neverConnected(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof AggregateError) return at.errors.length > 0 && at.errors.every((one) => neverConnected(one));
    if ('syscall' in at && CONNECTING.has(at.syscall)) return true;
    if ('code' in at && NEVER_CONNECTED.has(at.code)) return true;
  }
  return false;
}

/**
 * Sends one call and gives the reply with its body unread. Never retries. Fails with `service-unreachable` (the cause
 * carries the system code) when there is no reply.
 */
export async function send(access: Access, call: Call): Promise<Reply> {
  const base = await access.baseUrl();
  const url = new URL(base.replace(/\/+$/, '') + call.path);
  for (const [key, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  const own = call.body === undefined ? undefined : ownConnection();
  try {
    const reply = await request(url, {
      method: call.method,
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...call.headers,
        ...authHeaders(access.auth),
      },
      headersTimeout: access.timeout,
      bodyTimeout: access.timeout,
      // undici takes any async iterable and asks it for a chunk only when the socket wants one; its types lag behind.
      body: (call.body ?? null) as Dispatcher.DispatchOptions['body'] & null,
      ...(own === undefined ? {} : { dispatcher: own }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.body };
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    throw new OfferlineError(
      'service-unreachable',
      `${operation(call)}: no reply from ${url.origin}: ${plain(error)}`,
      {
        retryable: true,
        cause: error,
      },
    );
  } finally {
    // Ends when the reply has been read.
    void own?.close();
  }
}

/**
 * A body travels on a connection of its own: one from the pool that the server is about to close for idleness would make
 * the outcome unknown for nothing, and with HTTP/2 breaking off would not close the connection.
 */
function ownConnection(): Agent {
  return new Agent({ allowH2: false });
}

/** Reads a JSON reply through its schema; everything else is an OfferlineError that names the operation and the status. */
export async function sendJson<T>(access: Access, call: Call, schema: z.ZodType<T>): Promise<T> {
  const reply = await send(access, call);
  if (reply.status < 200 || reply.status > 299) throw await refusal(access, call, reply);
  const text = await readText(call, reply.body, MAX_JSON_BODY);
  return readJson(access, call, text, schema);
}

/** Reads text that should be JSON of a schema; says what came instead. */
export function readJson<T>(access: Access, call: Call, text: string, schema: z.ZodType<T>): T {
  const shown = excerpt(hideSecrets(access.auth, text));
  let value: unknown;
  try {
    value = parseLossless(text);
  } catch {
    const what = /^\s*</.test(text) ? 'HTML or XML' : text.trim() === '' ? 'nothing' : 'something that is not JSON';
    throw new OfferlineError('service-reply', `${operation(call)} answered ${what} instead of JSON: ${shown}`, {
      retryable: true,
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new OfferlineError(
    'service-reply',
    `${operation(call)} answered JSON of an unexpected shape at ${issue?.path.join('.') || 'its root'}: ${issue?.message}; received ${shown}`,
  );
}

/** The error for a reply with a status that is not 2xx: its text is kept raw and shown. */
export async function refusal(access: Access, call: Call, reply: Reply): Promise<OfferlineError> {
  const text = hideSecrets(access.auth, await readText(call, reply.body, MAX_ERROR_BODY).catch(() => ''));
  const unauthorized = reply.status === 401 || reply.status === 403;
  const retryable = isTransient(reply.status);
  const advice = unauthorized ? "; check the login's `auth` and its right MANAGE_OFFERS" : '';
  return new OfferlineError(
    unauthorized ? 'service-unauthorized' : 'service-refused',
    `${operation(call)} answered ${reply.status}: ${excerpt(text)}${advice}`,
    { retryable, details: { status: reply.status, text, retryAfterMs: retryAfter(reply) } },
  );
}

/** 408, 425, 429 and 5xx say nothing final about the request. */
function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The name of a call for people: method and path, never the query or a credential. */
function operation(call: Call): string {
  return `${call.method} ${call.path}`;
}

/** Reads a body as UTF-8 text up to a limit in bytes; the rest is thrown away and the connection closed. */
export async function readText(call: Call, body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= limit) break;
    }
  } catch (error) {
    throw new OfferlineError('service-unreachable', `${operation(call)}: the reply broke off: ${plain(error)}`, {
      retryable: true,
      cause: error,
    });
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

function authHeaders(auth: AuthConfig): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic': {
      const pair = Buffer.from(`${auth.user}:${auth.password.reveal()}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name]: auth.value.reveal() };
  }
}

/** A service that shows the request in its error page must not carry the credential into our messages. */
function hideSecrets(auth: AuthConfig, text: string): string {
  const hidden = Object.values(authHeaders(auth)).map((header) => header.replace(/^(Basic|Bearer) /, ''));
  if (auth.type === 'basic') hidden.push(auth.password.reveal());
  return hidden.filter((secret) => secret !== '').reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

/** Milliseconds that the service asks us to wait (`Retry-After`, seconds or a date), at most an hour; or null. */
function retryAfter(reply: Reply): number | null {
  const header = reply.headers['retry-after'];
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header.trim())) return Math.min(MAX_RETRY_AFTER, Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.min(MAX_RETRY_AFTER, Math.max(0, at - Date.now()));
}

function plain(error: unknown): string {
  const code = systemCode(error);
  const message = messageOf(error);
  return code === undefined || message.includes(code) ? message || 'unknown error' : `${message} (${code})`;
}

function excerpt(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '') return '(empty body)';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
