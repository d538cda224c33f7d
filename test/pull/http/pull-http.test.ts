import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HttpSource } from '../../../src/config/schema/source-schema.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { serve } from '../../support/http-server.ts';
import { pullInput } from '../pull-input.ts';
import { sourceConformance } from '../source-conformance.ts';
import { http } from './http-source.ts';

sourceConformance('http', async () => {
  const files: Record<string, Buffer> = {};
  let latest = 'none';
  let open = true;
  const { url } = await serve((request, response) => {
    const body = files[latest];
    if (!open || body === undefined) return void response.writeHead(404).end();
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(latest)}`;
    response.writeHead(200, { etag, 'content-length': body.length, 'content-disposition': disposition }).end(body);
  });
  return {
    source: http(`${url}/prices`),
    twin: http(`${url}/prices?again`),
    place: `${url}/prices`,
    publish: async (name, bytes) => {
      files[(latest = name)] = bytes;
    },
    published: async () => ({ ...files }),
    close: async () => void (open = false),
  };
});

/** The error of a pull that must fail. */
async function failure(source: HttpSource, input = pullInput()): Promise<OfferlineError> {
  const error: unknown = await pull(source, input).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(OfferlineError);
  expect(existsSync(input.target)).toBe(false);
  return error as OfferlineError;
}

test('a conditional request costs one round trip, by ETag and by Last-Modified', async () => {
  const lastModified = 'Tue, 05 May 2026 06:00:00 GMT';
  const { url, requests } = await serve((request, response) => {
    const known = request.headers['if-none-match'] === 'W/"1"' && request.headers['if-modified-since'] === lastModified;
    response.writeHead(known ? 304 : 200, { etag: 'W/"1"', 'last-modified': lastModified }).end(known ? '' : 'a;b');
  });
  const { checkpoint, modifiedAt } = (await pull(http(url), pullInput())) as PulledFile;
  expect(modifiedAt).toBe(Date.parse(lastModified));
  expect(await pull(http(url), pullInput({ checkpoint }))).toEqual({ kind: 'unchanged', checkpoint });
  expect(requests).toHaveLength(2);
});

test.each<[HttpSource['auth'], string, string]>([
  [{ type: 'basic', user: 'shop', password: secret('pä:ss') }, 'authorization', 'Basic c2hvcDpww6Q6c3M='],
  [{ type: 'bearer', token: secret('t0ken') }, 'authorization', 'Bearer t0ken'],
  [{ type: 'header', name: 'X-Api-Key', value: secret('k3y') }, 'x-api-key', 'k3y'],
])('credentials are sent: %j', async (auth, header, value) => {
  const { url, requests } = await serve((_, response) => void response.end('a;b'));
  await pull(http(url, { auth, headers: { 'X-Customer': secret('42') } }), pullInput());
  expect(requests[0]?.headers).toMatchObject({ [header]: value, 'x-customer': '42' });
});

test('a redirect to another origin gets no credentials and no headers; back home they are sent again', async () => {
  const home = await serve((request, response) => {
    if (request.url === '/back') response.end('a;b');
    else response.writeHead(302, { location: `${away.url}/elsewhere` }).end();
  });
  const away = await serve((_, response) => void response.writeHead(307, { location: `${home.url}/back` }).end());
  const auth = { type: 'basic', user: 'shop', password: secret('geheim') } as const;
  await pull(http(home.url, { auth, headers: { 'X-Customer': secret('42') } }), pullInput());
  expect(away.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(away.requests[0]?.headers).not.toHaveProperty('x-customer');
  expect(home.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Basic c2hvcDpnZWhlaW0='));
});

test('redirects end: by number, without an address, and at another protocol', async () => {
  const loop = await serve((_, response) => void response.writeHead(301, { location: '/again' }).end());
  expect((await failure(http(loop.url, { maxRedirects: 2 }))).message).toContain('redirects more than 2 times');
  expect(loop.requests).toHaveLength(3);
  for (const headers of [{}, { location: 'file:///etc/passwd' }]) {
    const { url } = await serve((_, response) => void response.writeHead(302, headers).end());
    expect((await failure(http(url))).message).toContain('answered 302 without a usable redirect address');
  }
});

test.each([
  [401, false, 'source.auth'],
  [403, false, 'denies access'],
  [404, false, 'no file at this address'],
  [410, false, 'removed permanently'],
  [418, false, 'sent no file'],
  [206, false, 'sent no file'],
  [408, true, 'timed out'],
  [425, true, 'later'],
  [429, true, 'too many requests'],
  [500, true, 'the server failed'],
  [503, true, 'the server failed'],
])('status %i fails, retryable: %s', async (status, retryable, words) => {
  const { url } = await serve((_, response) => void response.writeHead(status).end('no'));
  const error = await failure(http(`${url}/prices.csv`));
  expect(error).toMatchObject({ code: 'pull-failed', retryable, details: { status } });
  expect(error.message).toContain(`${url}/prices.csv answered ${status}`);
  expect(error.message).toContain(words);
});

test('a refusal does not read the page that comes with it', async () => {
  const { url } = await serve((_, response) => void response.writeHead(500).write('x'));
  expect(await failure(http(url))).toMatchObject({ details: { status: 500 } });
});

test('Retry-After is handed on, in seconds and as a date', async () => {
  const now = Date.parse('2026-05-05T06:00:00Z');
  for (const retryAfter of ['120', 'Tue, 05 May 2026 06:02:00 GMT']) {
    const { url } = await serve((_, response) => void response.writeHead(503, { 'retry-after': retryAfter }).end());
    expect((await failure(http(url), pullInput({ now: () => now }))).details['retryAfterMs']).toBe(120_000);
  }
});

test('204 means that there is no file now', async () => {
  const { url } = await serve((_, response) => void response.writeHead(204).end());
  expect(await pull(http(url), pullInput())).toEqual({
    kind: 'nothing',
    reason: `${url}/ currently has no file (204)`,
  });
});

test('304 without a condition is no file', async () => {
  const { url } = await serve((_, response) => void response.writeHead(304).end());
  expect((await failure(http(url))).message).toContain('answered 304');
});

test('a page that repeats a password which is a word does not show it; the address, which is ours, stays', async () => {
  const title = (word: string) => `<!doctype html><title>Not for ${word} of ${btoa(`me:${word}`)}, %77inter</title>`;
  const { url } = await serve((_request, response) => void response.end(title('winter')));
  const auth = { type: 'basic' as const, user: 'me', password: secret('winter') };
  await expect(pull(http(`${url}/winter.csv`, { auth }), pullInput())).rejects.toThrow(
    `${url}/winter.csv sent a web page, "Not for [secret] of [secret], [secret]", instead of a file`,
  );
});

test('a web page instead of a file is refused with its title', async () => {
  const page = '\uFEFF\n<!DOCTYPE html><html><head><title>\n Bitte\n anmelden </title></head>';
  for (const type of ['text/html; charset=utf-8', 'text/csv', 'application/xhtml+xml']) {
    const { url } = await serve((_, response) => void response.writeHead(200, { 'content-type': type }).end(page));
    const error = await failure(http(url));
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false });
    expect(error.message).toContain('sent a web page, "Bitte anmelden", instead of a file');
  }
});

test('a long web page is not read to its end', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(`<html>${' '.repeat(70_000)}`);
  });
  expect((await failure(http(url))).message).toContain('sent a web page instead of a file');
});

const ROW = '<tr><td>BOSCH</td><td>0986</td></tr>';

test.each([
  ['an Excel file that is a page', 'application/vnd.ms-excel', undefined, 2],
  ['a page that is sent to be saved', 'text/html', 'attachment; filename=prices.xls', 2],
  ['a page with a long table', 'text/html', undefined, 10],
])('%s is a file', async (_, type, disposition, rows) => {
  const page = `<html><body><table>${ROW.repeat(rows)}</table></body></html>`;
  const headers = {
    'content-type': type,
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
  };
  const { url } = await serve((_request, response) => void response.writeHead(200, headers).end(page));
  expect(await pull(http(url), pullInput())).toMatchObject({ kind: 'file', bytes: page.length });
});

test('a page with a few rows is a form or an error', async () => {
  const page = `<html><title>Sign in</title><table>${ROW.repeat(3)}</table></html>`;
  const { url } = await serve((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  expect((await failure(http(url))).message).toContain('sent a web page, "Sign in", instead of a file');
});

test('a table that an export script labels text/html is a file', async () => {
  const { url } = await serve(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('brand;oem\n'),
  );
  expect(await pull(http(url), pullInput())).toMatchObject({ kind: 'file', bytes: 10 });
});

test('a body that is shorter than announced is no file', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half');
    setImmediate(() => response.socket?.end());
  });
  const error = await failure(http(url));
  expect(error).toMatchObject({ code: 'pull-failed', retryable: true });
  expect(error.message).toBe(`${url}/ closed the connection before all 100 bytes had arrived.`);
});

test('a chunked body without its end is no file', async () => {
  const { url } = await serve((_, response) => {
    response.write('half');
    setImmediate(() => response.socket?.destroy());
  });
  expect(await failure(http(url))).toMatchObject({ code: 'pull-failed', retryable: true });
});

test('gzip for the transfer is undone; a gzip file stays one', async () => {
  const packed = gzipSync('brand;oem\n');
  const { url, requests } = await serve((request, response) => {
    if (request.url === '/prices.csv') response.setHeader('content-encoding', 'gzip');
    response.setHeader('content-length', packed.length);
    response.end(packed);
  });
  const plain = pullInput();
  expect(await pull(http(`${url}/prices.csv`), plain)).toMatchObject({ name: 'prices.csv', bytes: 10 });
  expect(readFileSync(plain.target, 'utf8')).toBe('brand;oem\n');
  expect(requests[0]?.headers['accept-encoding']).toBe('gzip');
  expect(await pull(http(`${url}/prices.csv.gz`), pullInput())).toMatchObject({ bytes: packed.length });
});

test('a damaged or unknown transfer encoding is refused, and what unpacks without end is stopped', async () => {
  const packed = gzipSync(Buffer.alloc(1_000_000));
  const { url } = await serve((request, response) => {
    response.setHeader('content-encoding', request.url === '/unknown' ? 'compress' : 'gzip');
    response.end(request.url === '/cut' ? packed.subarray(0, 500) : packed);
  });
  expect(await failure(http(`${url}/cut`))).toMatchObject({ code: 'pull-failed', retryable: true });
  expect((await failure(http(`${url}/unknown`))).message).toContain('encoding "compress"');
  const small = pullInput({ limits: { fileSize: 10_000, unpackRatio: 1000 } });
  expect(await failure(http(`${url}/bomb`), small)).toMatchObject({ code: 'file-rejected' });
});

test('a body over the limit is stopped even when its length was not announced', async () => {
  const { url } = await serve((_, response) => {
    const write = (): void => void (response.writable && response.write(Buffer.alloc(100_000), write));
    write();
  });
  expect(await failure(http(url))).toMatchObject({ code: 'file-rejected' });
});

test('silence ends the pull: before the headers and inside the body', async () => {
  const mute = await serve(() => undefined);
  const stuck = await serve((_, response) => void response.write('half'));
  for (const { url } of [mute, stuck]) {
    const error = await failure(http(url, { timeout: 200 }));
    expect(error).toMatchObject({ code: 'pull-failed', retryable: true });
    expect(error.message).toBe(`${url}/ was silent for 0.2 s (source.timeout).`);
  }
});

test('a pull can be stopped in the middle of the body', async () => {
  const stop = new AbortController();
  const { url } = await serve((_, response) => {
    response.write('half');
    setImmediate(() => stop.abort());
  });
  expect(await failure(http(url), pullInput({ signal: stop.signal }))).toMatchObject({ code: 'interrupted' });
});

test('a server that is not there, or speaks something else, is named', async () => {
  const other = createNetServer((socket) => socket.resume().end('220 ftp ready\r\n'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect((await failure(http(`http://127.0.0.1:${port}`))).message).toContain('does not speak HTTP');
  other.close();
  await once(other, 'close');
  const gone = await failure(http(`http://127.0.0.1:${port}`));
  expect(gone).toMatchObject({ code: 'pull-failed', retryable: true });
  expect(gone.message).toContain('refused the connection');
});

test('https to a server that speaks http is named', async () => {
  const { url } = await serve((_, response) => void response.end());
  expect((await failure(http(url.replace('http:', 'https:')))).message).toContain('does not speak TLS');
});

test('no message shows what an address holds beyond host and path', async () => {
  const { url } = await serve((_, response) => void response.writeHead(500).end());
  const address = `${url.replace('//', '//shop:geheim@')}/prices.csv?key=s3cret&day=1#part`;
  const error = await failure(http(address));
  expect(error.message).toContain(`${url}/prices.csv?key=…&day=…`);
  expect(JSON.stringify([error.message, error.details])).not.toMatch(/geheim|s3cret/);
});

test('a credential that cannot be sent is refused without showing it', async () => {
  const { url } = await serve((_, response) => void response.end());
  const error = await failure(http(url, { auth: { type: 'bearer', token: secret('ключ') } }));
  expect(error).toMatchObject({ code: 'pull-failed', retryable: false });
  expect(error.message).toContain('characters that cannot be sent');
  expect(error.message).not.toContain('ключ');
});

test('a file that is asked for with POST is sent the body, and its type', async () => {
  const asked: unknown[] = [];
  const { url } = await serve((request, response) => {
    void textOf(request).then((body) => {
      asked.push([request.method, request.headers['content-type'], body]);
      return response.end('a;b');
    });
  });
  const post = { method: 'POST', body: secret('list=all') } as const;
  await pull(http(url, post), pullInput());
  await pull(http(url, { ...post, body: secret('{"list":"all"}') }), pullInput());
  await pull(http(url, { ...post, headers: { 'Content-Type': secret('text/xml') } }), pullInput());
  expect(asked).toEqual([
    ['POST', 'application/x-www-form-urlencoded', 'list=all'],
    ['POST', 'application/json', '{"list":"all"}'],
    ['POST', 'text/xml', 'list=all'],
  ]);
});

test('a POST that leads to a page is followed with GET, and to another origin without its body', async () => {
  const away = await serve((_, response) => void response.end('a;b'));
  const { url, requests } = await serve((request, response) => {
    if (request.method === 'GET') return void response.end('a;b');
    response.writeHead(request.url === '/away' ? 307 : 303, { location: request.url === '/away' ? away.url : '/file' });
    response.end();
  });
  const post = { method: 'POST', body: secret('key=s3cret') } as const;
  expect(await pull(http(url, post), pullInput())).toMatchObject({ bytes: 3 });
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect((await failure(http(`${url}/away`, post))).message).toContain('write it into the configuration');
  expect(away.requests).toEqual([]);
});

test('an address is looked at as it is pulled, and its bytes are left', async () => {
  const { url, requests } = await serve((request, response) => {
    const time = 'Tue, 05 May 2026 06:00:00 GMT';
    if (request.url === '/none') response.writeHead(204).end();
    else if (request.url === '/page') response.end('<html><title>Sign in</title></html>');
    else response.writeHead(200, { 'content-length': 1e9, 'last-modified': time }).write(Buffer.alloc(100_000, 'a'));
  });
  const auth = { type: 'basic', user: 'me', password: secret('geheim') } as const;
  const file = { name: 'prices.csv', size: 1e9, modifiedAt: Date.parse('2026-05-05T06:00:00Z') };
  const place = `${url}/prices.csv`;
  expect(await lookAt(http(place, { auth }))).toMatchObject({ place, files: [{ ...file, decision: 'take' }] });
  expect(requests[0]?.headers.authorization).toMatch(/^Basic /u);
  expect(await lookAt(http(`${url}/none`))).toMatchObject({ files: [] });
  await expect(lookAt(http(`${url}/page`))).rejects.toMatchObject({ code: 'pull-failed' });
});
