import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../src/access/visitor.ts';
import { ROUTES } from '../../src/web/routes.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

const ROLES: Role[] = ['viewer', 'manager', 'ops', 'admin'];

let console_: ConsoleUnderTest;
const clients = new Map<Role | 'nobody', Client>();

beforeAll(async () => {
  console_ = await openConsole();
  for (const role of ROLES) clients.set(role, await console_.signIn(role));
  clients.set('nobody', console_.visitor());
});

const SIGN_OUT = '/sign-out';

/** What an answer says of whoever asked. */
function answerIn({ status, headers, url }: Response): string {
  if (headers.get('location')?.startsWith('/sign-in?to=') === true) return 'led to sign in';
  if (status === 403) return 'forbidden';
  // To sign in without a password is refused as a wrong one is.
  return status === 401 && !url.endsWith('/sign-in') ? 'refused' : 'done';
}

describe.each(ROUTES.filter(({ path }) => path !== SIGN_OUT))('$method $path', ({ method, path, may }) => {
  const address = path.replaceAll(/:\w+/gu, 'nope');
  const isForPrograms = path.startsWith('/api/') || path === '/metrics';

  test.each([...ROLES, 'nobody' as const])('by %s', async (who) => {
    const client = clients.get(who)!;
    const reply = await (method === 'GET'
      ? client.get(address)
      : method === 'PUT'
        ? client.put(address, 'x')
        : client.post(address));
    const isAllowed = may === 'everybody' || (who !== 'nobody' && may.includes(who));
    const expected = isAllowed
      ? 'done'
      : who !== 'nobody'
        ? 'forbidden'
        : method === 'GET' && !isForPrograms
          ? 'led to sign in'
          : 'refused';
    expect({ answer: answerIn(reply), status: reply.status }).toEqual({ answer: expected, status: reply.status });
    expect(reply.status).toBeLessThan(500);
    await reply.body?.cancel();
  });
});

test('every route is in the table once', () => {
  const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(names).toEqual([...new Set(names)]);
});

test('whoever signs out cannot go on', async () => {
  const client = await console_.signIn('ops');
  const cookie = client.cookie();
  await client.post(SIGN_OUT);
  const again = await fetch(`${console_.url}/`, { headers: { cookie }, redirect: 'manual' });
  expect(again.headers.get('location')).toBe('/sign-in?to=%2F');
});
