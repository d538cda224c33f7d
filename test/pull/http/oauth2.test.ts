import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { WebAuth } from '../../../src/config/schema/sources/auth.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { pull } from '../../../src/pull/pull.ts';
import { serve } from '../../support/http-server.ts';
import { pullInput } from '../pull-input.ts';
import { http } from './http-source.ts';

type Server = { inBody?: boolean; lasts?: number; reply?: { status: number; body: string } };

/** A supplier whose files need a token, and the server that gives it to one client. */
async function supplier({ inBody = false, lasts, reply }: Server = {}) {
  const tokens = new Set<string>();
  const asked: { form: Record<string, string>; authorization: string | undefined }[] = [];
  const server = await serve((request, response) => {
    if (request.url === '/prices.csv') {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      return void response.writeHead(tokens.has(token) ? 200 : 401).end('a;b');
    }
    void text(request).then((body) => {
      const form = Object.fromEntries(new URLSearchParams(body));
      const { authorization } = request.headers;
      asked.push({ form, authorization });
      if (reply !== undefined) return response.writeHead(reply.status).end(reply.body);
      const good = inBody ? form['client_secret'] === 'p:w ä' : authorization === `Basic ${btoa('me:p%3Aw+%C3%A4')}`;
      if (!good) return response.writeHead(401).end('{"error":"invalid_client"}');
      const token = `token-${asked.length}-${Math.random()}`;
      tokens.add(token);
      const expires = lasts === undefined ? {} : { expires_in: lasts };
      return response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', ...expires }));
    });
  });
  const auth = {
    type: 'oauth2',
    tokenUrl: `${server.url}/token`,
    clientId: 'me',
    clientSecret: secret('p:w ä'),
  } as const;
  return { auth, asked, tokens, source: (given: WebAuth = auth) => http(`${server.url}/prices.csv`, { auth: given }) };
}

test('a token is fetched once, and used until it ends', async () => {
  const { source, asked, auth } = await supplier({ lasts: 3600 });
  const scoped = source({ ...auth, scope: 'offers.read' });
  for (let pulls = 0; pulls < 3; pulls++) expect(await pull(scoped, pullInput())).toMatchObject({ bytes: 3 });
  expect(asked.map(({ form }) => form)).toEqual([{ grant_type: 'client_credentials', scope: 'offers.read' }]);
});

test('a token that ended is fetched again', async () => {
  const { source, asked } = await supplier({ lasts: 0.000_001 });
  for (let pulls = 0; pulls < 2; pulls++) await pull(source(), pullInput());
  expect(asked).toHaveLength(2);
});

test('a token that the server withdrew is fetched again, once', async () => {
  const { source, asked, tokens } = await supplier();
  await pull(source(), pullInput());
  tokens.clear();
  expect(await pull(source(), pullInput())).toMatchObject({ bytes: 3 });
  expect(asked).toHaveLength(2);
});

test('a server that takes the secret in the body only gets it there, from then on at once', async () => {
  const { source, asked, auth } = await supplier({ inBody: true });
  await pull(source(), pullInput());
  await pull(source({ ...auth, scope: 'other' }), pullInput());
  expect(asked.map(({ form }) => form['client_secret'])).toEqual([undefined, 'p:w ä', 'p:w ä']);
});

test('a refused client is named, and the secret is not shown', async () => {
  const { source, auth } = await supplier();
  const wrong = source({ ...auth, clientSecret: secret('wrong-secret') });
  const failure: unknown = await pull(wrong, pullInput()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
  expect(String(failure)).toContain('correct clientId and clientSecret in source.auth');
  expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-secret');
});

test.each([
  [400, '{"error":"invalid_scope"}', false, 'source.auth.scope'],
  [404, 'no', false, 'source.auth.tokenUrl'],
  [200, '<html>', false, 'sent no access token'],
  [503, '', true, 'the server failed'],
])('an answer %i %s instead of a token', async (status, body, retryable, words) => {
  const { source } = await supplier({ reply: { status, body } });
  await expect(pull(source(), pullInput())).rejects.toMatchObject({
    code: 'pull-failed',
    retryable,
    message: expect.stringContaining(words) as string,
  });
});
