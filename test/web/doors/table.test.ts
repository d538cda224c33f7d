import { expect, test } from 'vitest';
import { createApp } from '../../../src/web/http/app.ts';
import type { Live } from '../../../src/web/live/live.ts';
import type { Route } from '../../../src/web/route.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { SUPPLIER_ROUTES } from '../../../src/web/supplier/serve.ts';
import type { WebWorld } from '../../../src/web/visit.ts';

/* What the server answers is in the tables that other tests go through, and who may do what there is written down once more here. */

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

test('the server knows no route besides the tables, the link of a supplier, live cells and assets', () => {
  const world = { loaded: { config: { web: {} } } } as unknown as WebWorld;
  const { routes } = createApp(world, {} as Live);
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/-[\w-]{10}(?=\.\w+$)/u, '')}`);
  expect([...new Set(served)].sort()).toEqual(
    [
      ...[...ROUTES, ...SUPPLIER_ROUTES].map(nameOf),
      'GET /supplier/open/:secret',
      'GET /live',
      'GET /assets/console.css',
      'GET /assets/console.js',
      'GET /assets/icon.svg',
      // What looks at every request, and what answers wherever else a supplier goes.
      'ALL /*',
      'ALL /supplier/*',
    ].sort(),
  );
});

/** Routes of one kind of visitor, by the least that their rule asks for. */
function namesOf(filter: (route: Route) => boolean): string[] {
  return ROUTES.filter(filter).map(nameOf).sort();
}

const changes = ({ method }: Route) => method !== 'GET';
const mayBe = (role: 'viewer' | 'manager' | 'ops' | 'push') => (route: Route) =>
  route.may !== 'everybody' && route.may.includes(role);

test('whoever is not signed in finds the ways to sign in, and whether the console is alive', () => {
  expect(namesOf(({ may }) => may === 'everybody')).toEqual(
    [
      'GET /livez',
      'GET /readyz',
      'GET /sign-in',
      'POST /sign-in',
      'GET /sign-in/code',
      'POST /sign-in/code',
      'GET /sign-in/enrol',
      'POST /sign-in/enrol',
      'GET /sign-in/provider',
      'GET /sign-in/callback',
      'GET /sign-out/provider',
      'POST /sign-out',
      'POST /language',
    ].sort(),
  );
});

test('who may only look decides nothing', () => {
  expect(namesOf((route) => changes(route) && mayBe('viewer')(route))).toEqual(
    [
      // Of which nothing is kept.
      'POST /check',
      'POST /check/marked',
      'POST /feeds/:feed/rules',
      'POST /feeds/:feed/rules/yaml',
      // Of themselves.
      'POST /account/password',
      'POST /account/factor',
    ].sort(),
  );
});

test('a token to push can do that alone', () => {
  expect(namesOf(mayBe('push'))).toEqual(['PUT /api/v1/feeds/:feed/deliveries/:file']);
});

test('who sees some feeds decides about things of a feed only', () => {
  const about = /\/:(?:feed|run|incident|request)\//u;
  const decides = (route: Route) => changes(route) && mayBe('manager')(route) && !mayBe('viewer')(route);
  expect(namesOf((route) => decides(route) && !about.test(route.path))).toEqual(
    // The feed is a field of these forms.
    ['POST /check/deliver', 'POST /check/deliver/confirm'],
  );
  expect(
    namesOf((route) => mayBe('manager')(route) && /\/:(?:login|upload|mail|user|token)\b/u.test(route.path)),
  ).toEqual([]);
});

test('users and tokens are for administrators', () => {
  const about = /^\/(?:users|tokens)\b/u;
  expect(ROUTES.filter(({ path }) => about.test(path)).every(({ may }) => String(may) === 'admin')).toBe(true);
  expect(namesOf(({ may }) => String(may) === 'admin').every((name) => about.test(name.split(' ')[1]!))).toBe(true);
});
