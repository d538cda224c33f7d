import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HttpSource } from '../../../src/config/schema/source-schema.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { pull } from '../../../src/pull/pull.ts';
import { serve } from '../../support/http-server.ts';
import { lacks } from '../../support/programs.ts';
import { startApache } from '../../support/servers/apache.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pullInput } from '../pull-input.ts';
import { http, index } from './http-source.ts';

const PRICES = 'brand;oem;price\nBOSCH;0986424797;12.50\n';

/** What a pull brings, as text. */
async function pulled(source: HttpSource): Promise<string> {
  const input = pullInput();
  expect(await pull(source, input)).toMatchObject({ kind: 'file' });
  return readFileSync(input.target, 'utf8');
}

test('a cookie that comes with a redirect to the same address opens it', async () => {
  const { url, requests } = await serve((request, response) => {
    if (request.headers.cookie === 'seen=yes') response.end(PRICES);
    else response.writeHead(302, { location: '/prices.csv', 'set-cookie': 'seen=yes; Path=/' }).end();
  });
  expect(await pulled(http(`${url}/prices.csv`))).toBe(PRICES);
  expect(requests).toHaveLength(2);
});

test.each(['utf-8', 'UTF8', 'none', 'binary', '8bit', 'identity', 'aws-chunked', 'text/csv', ''])(
  'the content encoding “%s” is none, and is passed over',
  async (encoding) => {
    const { url } = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-encoding': encoding, 'content-length': Buffer.byteLength(PRICES) })
        .end(PRICES),
    );
    expect(await pulled(http(`${url}/prices.csv`))).toBe(PRICES);
  },
);

test.each([
  ['br', brotliCompressSync(PRICES)],
  ['deflate', deflateSync(PRICES)],
  ['zstd', zstdCompressSync(PRICES)],
  ['X-GZIP', gzipSync(PRICES)],
  ['utf-8, gzip', gzipSync(PRICES)],
  ['br, gzip', gzipSync(brotliCompressSync(PRICES))],
  // It is only called so.
  ['gzip', Buffer.from(PRICES)],
])('a body with the content encoding “%s” is unpacked where it is packed', async (encoding, body) => {
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  expect(await pulled(http(`${url}/prices.csv`))).toBe(PRICES);
});

test('203 is an answer, of a file and of a page with links', async () => {
  const { url } = await serve((request, response) =>
    response.writeHead(203).end(request.url === '/' ? '<html><a href="prices.csv">prices</a></html>' : PRICES),
  );
  expect(await pulled(http(`${url}/prices.csv`))).toBe(PRICES);
  expect(await pulled(index(`${url}/`))).toBe(PRICES);
});

test('a file without a byte is a file', async () => {
  const { url } = await serve((_request, response) => response.writeHead(200).end());
  expect(await pull(http(`${url}/prices.csv`), pullInput())).toMatchObject({ kind: 'file', bytes: 0 });
});

describe('403', () => {
  test('for the name of the program is told apart from refused credentials', async () => {
    const { url } = await serve((request, response) =>
      (request.headers['user-agent'] ?? '').startsWith('Mozilla')
        ? response.end(PRICES)
        : response.writeHead(403).end(),
    );
    const message = expect.stringContaining('answered 403 to programs that call themselves "offerline"') as string;
    await expect(pull(http(`${url}/prices.csv`), pullInput())).rejects.toMatchObject({ message, retryable: false });
    await expect(pull(index(`${url}/`), pullInput())).rejects.toMatchObject({ message });
    const named = { 'User-Agent': secret('Mozilla/5.0 (offerline)') };
    expect(await pulled(http(`${url}/prices.csv`, { headers: named }))).toBe(PRICES);
  });

  test('for credentials is told as that where nobody is asked for them, which are sent once', async () => {
    const { url, requests } = await serve((request, response) =>
      response.writeHead(request.headers.authorization === undefined ? 401 : 403).end(),
    );
    const auth = { type: 'basic', user: 'supplier', password: secret('correct-horse') } as const;
    const key = { 'X-Key': secret('hush-hush') };
    await expect(pull(http(`${url}/prices.csv`, { auth, headers: key }), pullInput())).rejects.toMatchObject({
      message: expect.stringContaining('denies access; ask the supplier to grant it') as string,
    });
    const sent = requests.map(({ headers }) => [headers.authorization !== undefined, headers['x-key']]);
    expect(sent).toEqual([
      [true, 'hush-hush'],
      [false, undefined],
    ]);
  });

  test('for everybody is one of the credentials', async () => {
    const { url, requests } = await serve((_request, response) => response.writeHead(403).end());
    const message = expect.stringContaining(
      'denies access; ask the supplier to grant it to these credentials',
    ) as string;
    await expect(pull(http(`${url}/prices.csv`), pullInput())).rejects.toMatchObject({ message });
    const names = requests.map(({ headers }) => headers['user-agent']?.split('/')[0]);
    expect(names).toEqual(['offerline', 'offerline', 'Mozilla']);
    const named = { 'user-agent': secret('ours') };
    await expect(pull(http(`${url}/a.csv`, { headers: named }), pullInput())).rejects.toMatchObject({ message });
    expect(requests).toHaveLength(4);
  });
});

test.each([403, 404, 405, 400, 500, 501])('where HEAD is answered with %i, GET tells size and time', async (status) => {
  const at = 'Thu, 20 Nov 2025 10:23:00 GMT';
  const { url } = await serve((request, response) => {
    if (request.url === '/') response.end('<a href="prices.csv">prices</a>');
    else if (request.method === 'HEAD') response.writeHead(status).end();
    else response.writeHead(200, { 'last-modified': at, 'content-length': Buffer.byteLength(PRICES) }).end(PRICES);
  });
  expect(await pull(index(`${url}/`), pullInput())).toMatchObject({
    name: 'prices.csv',
    bytes: PRICES.length,
    modifiedAt: Date.parse(at),
  });
});

describe('digest', () => {
  const auth = { type: 'basic', user: 'supplier', password: secret('correct-horse') } as const;

  test('an answer to a digest challenge is one for this question only, and the password is sent no more', async () => {
    const { url, requests } = await serve((request, response) => {
      const { authorization = '' } = request.headers;
      if (authorization.startsWith('Digest ') && isRight(authorization, 'GET')) response.end(PRICES);
      else
        response
          .writeHead(401, {
            'www-authenticate': 'Digest realm="a, b", nonce="n1", qop="auth,auth-int", algorithm=SHA-256',
          })
          .end();
    });
    expect(await pulled(http(`${url}/prices.csv?a=1`, { auth }))).toBe(PRICES);
    expect(requests.map(({ headers }) => headers.authorization?.split(' ')[0])).toEqual(['Basic', 'Digest']);
    const wrong = { ...auth, password: secret('wrong-horse') };
    await expect(pull(http(`${url}/prices.csv`, { auth: wrong }), pullInput())).rejects.toMatchObject({
      details: { status: 401 },
    });
    expect(requests).toHaveLength(4);
  });

  /** Computes the answer as RFC 7616 has it, from what came. */
  function isRight(authorization: string, method: string): boolean {
    const said = Object.fromEntries(
      [...authorization.matchAll(/([a-z]+)=(?:"([^"]*)"|([^, ]+))/gu)].map(([, name, text, word]) => [
        name,
        text ?? word,
      ]),
    );
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const who = hash('supplier:a, b:correct-horse');
    const what = hash(`${method}:${said['uri']}`);
    return said['response'] === hash(`${who}:n1:${said['nc']}:${said['cnonce']}:auth:${what}`);
  }

  test('a server that refused the password itself is not given it in another way', async () => {
    const { url, requests } = await serve((_request, response) =>
      response.writeHead(401, { 'www-authenticate': ['Digest realm="a", nonce="n1"', 'Basic realm="a"'] }).end(),
    );
    await expect(pull(http(`${url}/a.csv`, { auth }), pullInput())).rejects.toMatchObject({ details: { status: 401 } });
    expect(requests).toHaveLength(1);
  });

  test.skipIf(lacks('apache2'))('Apache takes it, for a file, a page of links and WebDAV', async () => {
    const home = tempFolder();
    const users = join(home, 'users');
    writeFileSync(
      users,
      `supplier:offers:${createHash('md5').update('supplier:offers:correct-horse').digest('hex')}\n`,
      {
        mode: 0o644,
      },
    );
    // It answers as another user than root.
    if (userInfo().uid === 0) execFileSync('chown', ['-R', 'www-data:', home]);
    const apache = await startApache({
      more: [
        'LoadModule auth_digest_module /usr/lib/apache2/modules/mod_auth_digest.so',
        '<Location ~ "^/(list|out)">',
        'AuthType Digest',
        'AuthName offers',
        'AuthDigestProvider file',
        `AuthUserFile ${users}`,
        'Require valid-user',
        '</Location>',
      ],
    });
    writeFileSync(join(apache.folder, 'prices.csv'), PRICES);
    expect(await pulled(http(`${apache.index}prices.csv`, { auth }))).toBe(PRICES);
    expect(await pulled(index(apache.index, { auth }))).toBe(PRICES);
    expect(await pull(apache.source, pullInput())).toMatchObject({ name: 'prices.csv' });
  });
});

test('a body that is packed more than twice is not unpacked', async () => {
  const packed = [1, 2, 3].reduce((body) => zstdCompressSync(body), Buffer.from(PRICES));
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'zstd, zstd, zstd' }).end(packed),
  );
  await expect(pull(http(`${url}/prices.csv`), pullInput())).rejects.toThrow(
    'packed the file 3 times for the transfer',
  );
});
