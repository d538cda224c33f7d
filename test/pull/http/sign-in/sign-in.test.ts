import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { HttpSource } from '../../../../src/config/schema/source-schema.ts';
import { secret } from '../../../../src/config/secrets/secret.ts';
import { OfferlineError } from '../../../../src/errors.ts';
import { pull } from '../../../../src/pull/pull.ts';
import { serve } from '../../../support/http-server.ts';
import { pullInput } from '../../pull-input.ts';
import { http, index } from '../http-source.ts';

const PASSWORD = 'geheim & süß';

/** A shop with sessions: each form has a token of its own against forged requests, and a button that counts. */
async function shop({ action = '/sign-in?step=2', page = '' } = {}) {
  const sessions = new Map<string, { token: string; user?: string }>();
  const posts: Record<string, string>[] = [];
  const server = await serve((request, response) => {
    const id = /session=([\w-]+)/u.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const session = sessions.get(id);
    const show = (status: number) => {
      const fresh = { token: randomUUID() };
      const cookie = randomUUID();
      sessions.set(cookie, fresh);
      response.writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'set-cookie': [`session=${cookie}; Path=/; HttpOnly`, 'theme=dark; Max-Age=1000'],
      });
      response.end(page || formPage(action, fresh.token));
    };
    if (request.method === 'POST') {
      return void text(request).then((body) => {
        const form = Object.fromEntries(new URLSearchParams(body));
        posts.push(form);
        const good = form['csrf'] === session?.token && form['user'] === 'me' && form['pass'] === PASSWORD;
        if (!good || form['go'] !== 'Anmelden' || request.headers.referer === undefined) return show(200);
        session!.user = 'me';
        return response.writeHead(302, { location: '/account' }).end();
      });
    }
    if (request.url === '/sign-in') return show(200);
    if (session?.user === undefined) return void response.writeHead(302, { location: '/sign-in' }).end();
    if (request.url === '/account') return void response.end('<html><a href="/files/prices.csv">Preise</a></html>');
    response.end('brand;oem\n');
  });
  const login = { url: `${server.url}/sign-in`, fields: { user: secret('me'), pass: secret(PASSWORD) } };
  return { ...server, login, posts, source: http(`${server.url}/files/prices.csv`, { login }) };
}

function formPage(action: string, token: string): string {
  return `<!doctype html><html><head><title>Anmelden</title></head><body>
    <form action="/search"><input name="user"><input name="q"></form>
    <form action="${action.replaceAll('&', '&amp;')}" method="post">
      <input type="hidden" name="csrf" value="${token}"><input name="user" value=""><input type="password" name="pass">
      <input type="checkbox" name="remember"><input type="checkbox" name="terms" checked>
      <button name="go" value="Anmelden">Anmelden</button><button name="go" value="Registrieren">Registrieren</button>
    </form></body></html>`;
}

async function failureOf(source: HttpSource): Promise<OfferlineError> {
  const error: unknown = await pull(source, pullInput()).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(OfferlineError);
  return error as OfferlineError;
}

test('a form is filled in as a browser does, and the file comes with the cookies', async () => {
  const { source, posts } = await shop();
  expect(await pull(source, pullInput())).toMatchObject({ kind: 'file', name: 'prices.csv', bytes: 10 });
  const { csrf, ...rest } = posts[0]!;
  expect(csrf).toMatch(/^[\da-f-]{36}$/u);
  expect(rest).toEqual({ user: 'me', pass: PASSWORD, terms: 'on', go: 'Anmelden' });
});

test('the links of a page behind a form are chosen among', async () => {
  const { url, login } = await shop();
  expect(await pull(index(`${url}/account`, { login }), pullInput())).toMatchObject({ name: 'prices.csv', bytes: 10 });
});

test('a form that comes back is a refused credential, which is not shown', async () => {
  const { source, login, posts } = await shop();
  const wrong = { ...login, fields: { ...login.fields, pass: secret('wrong-password') } };
  const error = await failureOf({ ...source, login: wrong });
  expect(error).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
  expect(error.message).toContain('Correct source.login');
  expect(JSON.stringify(error) + error.message).not.toContain('wrong-password');
  expect(posts).toHaveLength(1);
});

test('a file that is answered with the form is a refused credential, too', async () => {
  const page = formPage('/sign-in', 'x');
  const { url } = await serve((request, response) => {
    const body = request.method === 'POST' ? '<html>Welcome</html>' : page;
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  const login = { url: `${url}/sign-in`, fields: { user: secret('me'), pass: secret('geheim') } };
  for (const source of [http(`${url}/prices.csv`, { login }), index(url, { login })]) {
    expect(await failureOf(source)).toMatchObject({ retryable: false, details: { status: 401 } });
  }
});

test('a page that shows the form to those who signed in, too, is no refusal', async () => {
  const page = formPage('/sign-in', 'x');
  const { url } = await serve((request, response) => {
    if (request.method === 'POST') return void response.writeHead(303, { location: '/', 'set-cookie': 'id=1' }).end();
    const isFile = request.url === '/prices.csv' && request.headers.cookie === 'id=1';
    response.end(isFile ? 'a;b' : `<html><a href="/prices.csv">Preise</a>${page}`);
  });
  const login = { url: `${url}/sign-in`, fields: { user: secret('me'), pass: secret('geheim') } };
  expect(await pull(http(`${url}/prices.csv`, { login }), pullInput())).toMatchObject({ bytes: 3 });
  expect(await pull(index(`${url}/lists`, { login }), pullInput())).toMatchObject({ bytes: 3 });
});

test('a page without the form, as one that a script builds, is sent the fields all the same', async () => {
  const { url, requests } = await serve((request, response) => {
    if (request.method === 'POST') response.setHeader('set-cookie', 'id=1; Path=/');
    response.end(request.headers.cookie === 'id=1' ? 'a;b' : '<html><div id="app"></div></html>');
  });
  const login = { url: `${url}/api/login`, fields: { user: secret('me') } };
  expect(await pull(http(`${url}/prices.csv`, { login }), pullInput())).toMatchObject({ bytes: 3 });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/login',
    'POST /api/login',
    'GET /prices.csv',
  ]);
});

test('credentials go to no host that the source does not name', async () => {
  for (const [action, words] of [
    ['http://phish.example/take', 'would send the credentials to phish.example'],
    ['javascript:void(0)', 'a form that leads nowhere'],
  ] as const) {
    const { source, posts } = await shop({ action });
    expect((await failureOf(source)).message).toContain(words);
    expect(posts).toEqual([]);
  }
});

test('no page at the address of the form is named', async () => {
  const { url } = await serve((_, response) => void response.writeHead(404).end());
  const login = { url: `${url}/sign-in`, fields: { user: secret('me') } };
  expect((await failureOf(http(url, { login }))).message).toContain('correct source.login.url');
});
