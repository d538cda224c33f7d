import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request, type Dispatcher } from 'undici';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { inSpan, traceHeaders } from '../../trace.ts';
import { trimEnd } from '../../io/text-parts.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { nameOf, type Access, type Call, type Reply } from './access.ts';
import { authHeaders } from './auth-headers.ts';

/**
 * Sends one call and gives the reply with its body unread. Never retries. Fails with `service-unreachable` (the cause
 * carries the system code) when there is no reply.
 */
export function send(access: Access, call: Call): Promise<Reply> {
  const facts = { 'http.request.method': call.method, 'url.path': call.path };
  return inSpan(nameOf(call), { isCall: true, facts }, async (note) => {
    const reply = await sendOnce(access, call);
    note({ 'http.response.status_code': reply.status });
    return reply;
  });
}

async function sendOnce(access: Access, call: Call): Promise<Reply> {
  const url = addressOf(await access.baseUrl(), call);
  const { timeout = access.timeout } = call;
  const own = access.dispatcher === undefined && typeof call.body === 'object' ? ownConnection() : undefined;
  const dispatcher = access.dispatcher ?? own;
  try {
    const reply = await request(url, {
      method: call.method,
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...call.headers,
        ...(await traceHeaders()),
        ...authHeaders(access.auth),
      },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      // undici takes any async iterable and asks it for a chunk only when the socket wants one; its types lag behind.
      body: (call.body ?? null) as Dispatcher.DispatchOptions['body'] & null,
      ...(dispatcher === undefined ? {} : { dispatcher }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: uncompressed(reply.body, reply.headers) };
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    throw unreachable(call, `no reply from ${url.origin}`, error);
  } finally {
    // Ends when the reply has been read.
    void own?.close();
  }
}

/** It is not asked for, but proxies compress all the same. */
function uncompressed(body: Readable, headers: Reply['headers']): Readable {
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  const decoder = /^(x-)?gzip$/u.test(encoding)
    ? createGunzip()
    : encoding === 'deflate'
      ? createInflate()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}

/** The error for a call that got no reply, or only a part of one. */
export function unreachable(call: Call, what: string, error: unknown): OfferlineError {
  const why = `${nameOf(call)}: ${what}: ${plain(error)}`;
  return new OfferlineError('service-unreachable', why, { retryable: true, cause: error });
}

function addressOf(base: string, call: Call): URL {
  const url = URL.parse(trimEnd(base, '/') + call.path);
  if (url === null) throw new OfferlineError('usage', `${nameOf(call)}: the base address is no address.`);
  for (const [key, value] of Object.entries(call.query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === 'object' ? value : [value]) url.searchParams.append(key, String(one));
  }
  return url;
}

/**
 * A streamed body travels on a connection of its own: one from the pool that the server is about to close for idleness would
 * make the outcome unknown for nothing, and with HTTP/2 breaking off would not close the connection.
 */
function ownConnection(): Agent {
  return new Agent({ allowH2: false });
}

function plain(error: unknown): string {
  const code = systemCode(error);
  const message = foreignText(messageOf(error));
  return code === undefined || message.includes(code) ? message || 'unknown error' : `${message} (${code})`;
}
