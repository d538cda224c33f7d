import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { beforeAll, expect, test } from 'vitest';
import { goodRows } from '../../support/console-work.ts';
import { openConsole, PASSWORD, type ConsoleUnderTest } from '../../support/console.ts';
import { freePort } from '../../support/free-port.ts';
import { startLyingProvider } from '../../support/oidc/lying-provider.ts';
import { until } from '../../support/until.ts';

/* Every link comes from web.publicUrl, whatever a request says of the host that it came to. */

const PUBLIC = 'https://offers.example.com';
/** Ways in which a request names a host of its own. */
const SAID = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-host': 'evil.example',
  'x-original-url': 'http://evil.example/',
  forwarded: 'host=evil.example;proto=http',
};

let served: ConsoleUnderTest;
let port: number;
let cookie = '';

/** Asks as no fetch does: with any host, and any address. */
async function ask(method: string, path: string, headers: Record<string, string>, body = '') {
  const asking = request({ host: '127.0.0.1', port, method, path, setHost: false, headers: { ...SAID, ...headers } });
  asking.end(body);
  const [reply] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
}

beforeAll(prepare);

async function prepare(): Promise<void> {
  port = await freePort();
  const provider = await startLyingProvider();
  const oidc = {
    issuer: provider.issuer,
    clientId: 'offerline',
    clientSecret: 'a secret of the test',
    roles: { ops: ['x'] },
  };
  served = await openConsole({
    feeds: { north: { source: { type: 'push', pattern: '*.csv' }, supplier: { page: true } } },
    managers: [{ email: 'ops@example.com', audience: 'ops', when: ['problem', 'always'] }],
    web: { listen: `127.0.0.1:${port}`, publicUrl: `${PUBLIC}/`, oidc },
  });
  const name = await served.addUser('ops');
  const form = new URLSearchParams({ name, password: PASSWORD }).toString();
  const signed = await ask('POST', '/sign-in', own(), form);
  expect(signed.status).toBe(303);
  cookie = (signed.headers['set-cookie'] ?? []).map((set) => set.split(';', 1)[0]).join('; ');
  expect(cookie).toContain('__Host-offerline=');
}

/** The headers of a form of the console, as they come by way of a proxy that keeps the host, or does not. */
function own(host = new URL(PUBLIC).host): Record<string, string> {
  return { host, origin: PUBLIC, 'content-type': 'application/x-www-form-urlencoded' };
}

/** The addresses in a text that lead anywhere. */
const linksIn = (body: string) => body.match(/https?:\/\/[\w.:-]+/gu) ?? [];

test('the link to a supplier’s page, by page and by command', async () => {
  for (const host of [new URL(PUBLIC).host, `127.0.0.1:${port}`, 'localhost']) {
    const { status, body } = await ask('POST', '/feeds/north/page', { ...own(host), cookie }, 'do=add');
    expect({ host, status, link: /<code>([^<]+?)ofs_/u.exec(body)?.[1] }).toEqual({
      host,
      status: 200,
      link: `${PUBLIC}/supplier/open/`,
    });
  }
  expect((await served.shop.offerline('supplier-page', 'north')).stdout).toMatch(`${PUBLIC}/supplier/open/`);
});

test('the way back from a provider, and the way out', async () => {
  const { headers } = await ask('GET', '/sign-in/provider?to=//evil.example/', { host: 'localhost' });
  const address = new URL(headers.location ?? '');
  expect(address.searchParams.get('redirect_uri')).toBe(`${PUBLIC}/sign-in/callback`);
});

test('what programs are told, and mails', async () => {
  const { stdout } = await served.shop.offerline('token', 'add', 'shop', '--push', 'north');
  const authorization = `Bearer ${stdout.trim()}`;
  const pushed = await ask(
    'PUT',
    '/api/v1/feeds/north/deliveries/a.csv',
    { host: 'localhost', authorization },
    goodRows(30),
  );
  expect(pushed.status).toBe(202);
  expect(linksIn(pushed.body)).toEqual([PUBLIC]);
  const described = await ask('GET', '/api/v1/openapi.json', { host: 'localhost', cookie });
  expect(described.body).toContain(`"${PUBLIC}/api/v1"`);
  expect(described.body).not.toContain('evil.example');
  const outbox = join(served.shop.home, 'outbox');
  const mail = await until(() =>
    existsSync(outbox) ? readdirSync(outbox).find((name) => name.endsWith('.eml')) : undefined,
  );
  const { text: plain = '', html = '' } = await PostalMime.parse(readFileSync(join(outbox, mail)));
  expect([...new Set([...linksIn(plain), ...linksIn(html)])]).toEqual([PUBLIC]);
});

test('an address that names a host itself is not answered in the name of that host', async () => {
  for (const path of [
    'http://evil.example/',
    'https://evil.example/supplier/open/x',
    'http://user@evil.example/sign-in',
  ]) {
    const { status, body } = await ask('GET', path, { host: 'localhost', cookie });
    expect({ path, status }).toEqual({ path, status: 421 });
    expect(body).not.toContain('evil.example');
  }
});
