import { beforeAll, expect, test } from 'vitest';
import type { Role } from '../../../src/access/visitor.ts';
import type { Route } from '../../../src/web/route.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { heldRun } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';

/** The route that an address leads to. */
function routeOf(method: Route['method'], path: string): Route | undefined {
  return ROUTES.find(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u').test(path),
  );
}

/** What a page offers: addresses of its links, and of its forms and their buttons. */
function offeredIn(): { links: string[]; actions: string[] } {
  const { document } = globalThis as unknown as { document: PageDocument };
  const all = (selector: string, name: string) =>
    [...document.querySelectorAll(selector)].map((element) => element.getAttribute(name) ?? '');
  return {
    links: all('a[href^="/"]', 'href'),
    actions: [...all('form[method=post]', 'action'), ...all('[formaction]', 'formaction')],
  };
}

type PageDocument = {
  querySelectorAll: (selector: string) => Iterable<{ getAttribute: (name: string) => string | null }>;
};

/** What each role finds in the forms of a run, of its feed and of its login, besides those of every page. */
const FORMS: Record<Role, string[]> = {
  viewer: [],
  manager: [
    '/runs/:run/approve',
    '/runs/:run/reject',
    '/runs/:run/rerun',
    '/runs/:run/rehearse',
    '/feeds/:feed/source',
  ],
  ops: ['/runs/:run/approve', '/feeds/:feed/run', '/feeds/:feed/pause', '/logins/:login/pause'],
  admin: ['/runs/:run/approve', '/logins/:login/pause', '/users', '/tokens', '/users/:user/disable'],
};

/** The feeds that each role sees. */
const FEEDS: Record<Role, string[]> = {
  viewer: ['north', 'south'],
  manager: ['north'],
  ops: ['north', 'south'],
  admin: ['north', 'south'],
};

describeInBrowser('what a role is offered', () => {
  let served: ConsoleUnderTest;
  let ops: Client;
  let tabs: Tabs;

  beforeAll(async () => {
    served = await openConsole({
      feeds: { north: {}, south: {} },
      managers: [{ email: 'north@example.com', feeds: ['north'] }],
    });
    ops = await served.signIn('ops');
    await heldRun('north', ops, served);
    await heldRun('south', ops, served);
    tabs = await openTabs(served);
  });

  test.each(Object.keys(FORMS) as Role[])('%s: every link and form leads where that role may go', async (role) => {
    const client = await served.signIn(role, role === 'manager' ? 'north@example.com' : undefined);
    const tab = await tabs.open(client);
    const broken: string[] = [];
    const [seen, actions, todo] = [new Set<string>(), new Set<string>(), ['/']];
    for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
      const { pathname } = new URL(path, served.url);
      const route = routeOf('GET', pathname);
      // One page of each kind and place; what is saved as a file is no page.
      if (route === undefined || seen.has(pathname) || /\/delivery$|:file$|:mail$|\.eml$/u.test(route.path)) continue;
      seen.add(pathname);
      const reply = await tab.goto(path);
      if (reply?.status() !== 200) broken.push(`${path}: ${reply?.status()}`);
      const offered = await tab.evaluate(offeredIn);
      todo.push(...offered.links.filter((link) => !link.startsWith('/assets/')));
      for (const action of offered.actions) actions.add(new URL(action || path, served.url).pathname);
    }
    expect({ role, broken }).toEqual({ role, broken: [] });
    const offered = [...actions].map((action) => ({ action, route: routeOf('POST', action) }));
    const forbidden = offered.filter(({ route }) => route?.may !== 'everybody' && route?.may.includes(role) !== true);
    expect({ role, forbidden: forbidden.map(({ action }) => action) }).toEqual({ role, forbidden: [] });
    const paths = offered.map(({ route }) => route?.path);
    expect(paths).toEqual(expect.arrayContaining(FORMS[role]));
    const feeds = [...seen].flatMap((path) => /^\/feeds\/(\w+)$/u.exec(path)?.[1] ?? []);
    expect(feeds.sort()).toEqual(FEEDS[role]);
    expect(tabs.takeComplaints()).toEqual([]);
  });
});
