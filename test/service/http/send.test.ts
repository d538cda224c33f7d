import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { AuthConfig } from '../../../src/config/schema/sources/auth.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { neverConnected } from '../../../src/service/http/never-connected.ts';
import { serve } from '../../support/http-server.ts';
import { clientOf, FREELY, offerOf } from '../client.ts';

async function failureOf(work: Promise<unknown>): Promise<OfferlineError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OfferlineError) return error;
  throw new Error(`expected an OfferlineError, got ${String(error)}`);
}

/** A TCP server that speaks no HTTP of its own. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => onSocket(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('status codes', () => {
  test.each([
    [400, 'service-refused', false],
    [401, 'service-unauthorized', false],
    [403, 'service-unauthorized', false],
    [404, 'service-refused', false],
    [408, 'service-refused', true],
    [425, 'service-refused', true],
    [429, 'service-refused', true],
    [500, 'service-refused', true],
    [503, 'service-refused', true],
    [302, 'service-refused', false],
  ])('%i is %s, retryable: %s', async (status, code, retryable) => {
    const { url } = await serve((_request, response) => response.writeHead(status).end('because'));
    const error = await failureOf(clientOf(url).list(0, 10));
    expect(error).toMatchObject({ code, retryable, details: { status, text: 'because' } });
    expect(error.message).toContain(`GET /us2/public/offer/list answered ${status} (`);
    expect(error.message).toContain('): because');
  });

  test('an endless error page is read to a limit and shown shorter', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(500);
      const more = () => void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more));
      more();
    });
    const error = await failureOf(clientOf(url).list(0, 10));
    expect(error.details['text']).toHaveLength(4000);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ['7', 7000],
    ['99999999999999999999', 3_600_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
    ['soon', null],
  ])('Retry-After: %s', async (header, expected) => {
    const { url } = await serve((_request, response) => response.writeHead(503, { 'retry-after': header }).end());
    expect((await failureOf(clientOf(url).list(0, 10))).details['retryAfterMs']).toBe(expected);
  });
});

test('a date in Retry-After is one of the clock that the reply shows, not of ours', async () => {
  const { url } = await serve((_request, response) => {
    const headers = { date: 'Fri, 31 Dec 1999 23:00:00 GMT', 'retry-after': 'Fri, 31 Dec 1999 23:00:20 GMT' };
    response.writeHead(429, headers).end();
  });
  expect((await failureOf(clientOf(url).list(0, 10))).details['retryAfterMs']).toBe(20_000);
});

describe('connections', () => {
  test('a closed port was never connected', async () => {
    const error = await failureOf(clientOf('http://127.0.0.1:1').process(offerOf(['x']), FREELY));
    expect(error).toMatchObject({ code: 'service-unreachable', retryable: true });
    expect(error.message).toContain('POST /us2/public/offer/process: no reply from http://127.0.0.1:1: ');
    expect(neverConnected(error)).toBe(true);
  });

  test('a name that leads to several closed addresses was never connected', async () => {
    expect(neverConnected(await failureOf(clientOf('http://localhost:1').list(0, 10)))).toBe(true);
  });

  test('a name that does not exist was never connected', async () => {
    expect(neverConnected(await failureOf(clientOf('http://nowhere.invalid').list(0, 10)))).toBe(true);
  });

  test('a connection that is cut, before or in the reply, may have delivered the request', async () => {
    const cutters: ((socket: Socket) => void)[] = [
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      (socket) => void socket.once('data', () => socket.end()),
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":')),
      (socket) => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')),
    ];
    for (const cutter of cutters) {
      const error = await failureOf(clientOf(await rawServer(cutter)).process(offerOf(['x']), FREELY));
      expect(error).toMatchObject({ code: 'service-unreachable', retryable: true });
      expect(neverConnected(error)).toBe(false);
    }
  });

  test('a code that also comes from connecting proves nothing when it came from reading', () => {
    const failed = (syscall: string) =>
      Object.assign(new Error(`${syscall} EHOSTUNREACH`), { code: 'EHOSTUNREACH', syscall });
    const wrapped = (cause: Error) => new OfferlineError('service-unreachable', 'no reply', { cause });
    expect(neverConnected(wrapped(failed('read')))).toBe(false);
    expect(neverConnected(wrapped(failed('connect')))).toBe(true);
    expect(neverConnected(wrapped(new AggregateError([failed('connect'), failed('connect')])))).toBe(true);
    expect(neverConnected(wrapped(new AggregateError([failed('connect'), failed('write')])))).toBe(false);
  });

  test('each upload has a connection of its own, however many calls were made before', async () => {
    const ports: (number | undefined)[] = [];
    const { url } = await serve((request, response) => {
      ports.push(request.socket.remotePort);
      request.resume();
      response.end('{"data":[]}');
    });
    const offers = clientOf(url);
    await offers.list(0, 10);
    await offers.list(0, 10);
    await failureOf(offers.process(offerOf(['x']), FREELY));
    await failureOf(offers.process(offerOf(['x']), FREELY));
    const [, , first, second] = ports;
    expect(ports.slice(0, 2)).not.toContain(first);
    expect(ports.slice(0, 3)).not.toContain(second);
  });
});

describe('secrets', () => {
  const echo = () =>
    serve((request, response) => {
      request.resume();
      const status = request.url?.includes('list') === true ? 400 : 200;
      response.writeHead(status).end(`<pre>${JSON.stringify(request.headers)} S3cret! ${request.url}</pre>`);
    });

  test.each<AuthConfig>([
    { type: 'basic', user: 'shop', password: secret('S3cret!') },
    { type: 'bearer', token: secret('S3cret!') },
    { type: 'header', name: 'x-key', value: secret('S3cret!') },
  ])('a page that shows the request does not carry the $type credential into an error', async (auth) => {
    const { url } = await echo();
    const offers = clientOf(url, { auth });
    for (const work of [() => offers.list(0, 1), () => offers.get('1'), () => offers.process(offerOf(['x']), FREELY)]) {
      const error = await failureOf(work());
      const shown = JSON.stringify([error.message, error.details, String(error.cause)]);
      expect(shown).toContain('[secret]');
      expect(shown).not.toContain('S3cret!');
      expect(shown).not.toContain(Buffer.from('shop:S3cret!').toString('base64'));
    }
  });

  test('a credential that cannot be a header is refused without being shown', async () => {
    const offers = clientOf('http://127.0.0.1:1', { auth: { type: 'bearer', token: secret('S3cret\n!') } });
    expect((await failureOf(offers.list(0, 1))).message).not.toContain('S3cret');
  });

  test('a credential in the address is not shown', async () => {
    const error = await failureOf(clientOf('http://shop:S3cret@127.0.0.1:1').list(0, 1));
    expect(error.message).not.toContain('S3cret');
  });
});
