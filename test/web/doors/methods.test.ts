import { beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../../src/web/routes.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';

/* Methods that a route does not have, and the heads of answers. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

let served: ConsoleUnderTest;
let admin: Client;

beforeAll(async () => {
  served = await openConsole();
  admin = await served.signIn('admin');
});

const addressOf = (path: string) => path.replaceAll(/:\w+/gu, 'nope');
const isAt = (address: string, path: string) =>
  new RegExp(`^${path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u').test(address);

test('a method that an address does not have is nowhere, also for an administrator', async () => {
  const found: string[] = [];
  for (const address of new Set(ROUTES.map(({ path }) => addressOf(path)))) {
    const own = ROUTES.filter(({ path }) => isAt(address, path)).map(({ method }) => method as string);
    for (const method of METHODS.filter((one) => !own.includes(one))) {
      const body = method === 'GET' ? {} : { body: 'reason=x' };
      const headers = { cookie: admin.cookie(), origin: served.url };
      const reply = await fetch(`${served.url}${address}`, { method, headers, redirect: 'manual', ...body });
      const allowed = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'));
      if (reply.status !== 404 || allowed.length > 0)
        found.push(`${method} ${address}: ${reply.status} ${allowed.join()}`);
      await reply.body?.cancel();
    }
  }
  expect(found).toEqual([]);
});

test('the head of a page is refused as the page is', async () => {
  const viewer = await served.signIn('viewer');
  const found: string[] = [];
  const asked = ROUTES.filter(({ method, path }) => method === 'GET' && !path.startsWith('/sign-')).map(({ path }) =>
    addressOf(path),
  );
  for (const address of asked) {
    for (const client of [viewer, served.visitor()]) {
      const reply = async (method: string) => {
        const headers = { cookie: client.cookie() };
        const { status, body } = await fetch(`${served.url}${address}`, { method, headers, redirect: 'manual' });
        await body?.cancel();
        return status;
      };
      const [whole, head] = [await reply('GET'), await reply('HEAD')];
      if (whole !== head) found.push(`${address}: ${whole}, its head ${head}`);
    }
  }
  expect(found).toEqual([]);
});
