import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { examineConsole, findTooWide } from '../../../scripts/shots/examine-console.ts';
import { languages } from '../../../src/wording/language/language.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { deliverAndRun, goodRows, heldRun, strangeColumns } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { chosenOf } from '../../support/suite/thirds.ts';
import { until } from '../../support/until.ts';

/** An address of each page that the table of routes has, in a shop where something of everything happened. */
async function everyPage(admin: Client, served: ConsoleUnderTest): Promise<Record<string, string>> {
  const held = await heldRun('held', admin, served);
  const list = (await (await admin.get('/api/v1/runs?feed=held')).json()) as { run: string }[];
  const first = list.find(({ run }) => run !== held)?.run;
  const odd = await deliverAndRun('odd', strangeColumns(), admin, served);
  const bad = await deliverAndRun('bad', `brand;oem\n;1\nBOSCH;\n${goodRows(20).slice(10)}`, admin, served);
  await deliverAndRun('gone', goodRows(3), admin, served);
  await deliverAndRun('gone', '', admin, served);
  await admin.post('/feeds/calm/pause', { reason: 'on holiday until "Monday" & later' });
  await admin.post('/tokens', { name: 'grafana', role: 'viewer', days: '30' });
  const incident = await until(async () => /\/incidents\/([\w-]+)/u.exec(await admin.page('/incidents'))?.[1]);
  const upload = /\/uploads\/([\w-]+)/u.exec(await admin.page('/uploads'))?.[1];
  return {
    '/sign-in': '/sign-in',
    '/': '/',
    '/runs': '/runs',
    '/runs/:run': `/runs/${held}`,
    '/runs/:run of strange columns': `/runs/${odd.run}`,
    '/runs/:run with mistakes': `/runs/${bad.run}`,
    '/runs/:run/rows': `/runs/${bad.run}/rows?group=rejectedLocally`,
    '/feeds/:feed': '/feeds/held',
    '/feeds/:feed that is paused': '/feeds/calm',
    '/feeds/:feed/rules': '/feeds/held/rules',
    '/logins/:login': '/logins/main',
    '/check': '/check',
    '/incidents': '/incidents',
    '/incidents/:incident': `/incidents/${incident}`,
    '/uploads': '/uploads',
    '/uploads/:upload': `/uploads/${upload}`,
    '/mails': '/mails',
    '/audit': '/audit',
    '/part': '/part?brand=bosch&number=1',
    '/suppliers': '/suppliers',
    '/system': '/system',
    '/system/service': '/system/service',
    '/account': '/account',
    '/account/factor': '/account/factor',
    '/sign-in/code': '/sign-in/code',
    '/users': '/users',
    '/compare': `/compare?of=runs&b=${held}`,
    '/compare with differences': `/compare?of=runs&a=${first}&b=${held}`,
    '/docs': '/docs?q=scorecard',
    '/docs/:page': '/docs/scorecard',
    '/docs/:folder/:page': '/docs/decisions/029-reports-by-reader',
    nowhere: '/nowhere',
  };
}

/** Pages on which English sentences for ops may stand among the words of another language. */
const MIXED = [
  '/incidents',
  '/incidents/:incident',
  '/feeds/:feed',
  '/logins/:login',
  '/docs',
  '/docs/:page',
  '/docs/:folder/:page',
];

/** Routes that answer programs, with a file, or by leading elsewhere who has not begun to sign in. */
const NO_PAGES = [
  '/livez',
  '/readyz',
  '/metrics',
  '/runs/:run/delivery',
  '/runs/:run/:file',
  '/uploads/:upload/:file',
  '/mails/:mail',
  '/sign-in/enrol',
  '/sign-in/provider',
  '/sign-in/callback',
  '/sign-out/provider',
  '/docs/pictures/:picture',
];

describeInBrowser('every page', () => {
  let served: ConsoleUnderTest;
  let tabs: Tabs;
  let tab: Tab;
  let pages: Record<string, string>;
  let admin: Client;

  beforeAll(async () => {
    const feeds = { held: {}, odd: {}, bad: {}, gone: {}, calm: {}, new: {} };
    served = await openConsole({ feeds, managers: [{ email: 'held@example.com', feeds: ['held'] }] });
    admin = await served.signIn('admin');
    pages = await everyPage(admin, served);
    tabs = await openTabs(served);
    tab = await tabs.open(admin);
  });

  test('of the table of routes is among them', () => {
    const shown = ROUTES.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/')).map(
      ({ path }) => path,
    );
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(shown.filter((path) => !NO_PAGES.includes(path))));
  });

  test.each([
    [1, 3],
    [2, 3],
    [3, 3],
  ])(
    'is accessible, fits phones, zoom and paper, complains of nothing and loads nothing from elsewhere: %i of %i',
    async (part, of) => {
      const visitor = await tabs.open();
      const found: string[] = [];
      for (const [name, path] of Object.entries(pages).filter((_page, at) => at % of === part - 1)) {
        const page = path.startsWith('/sign-in') ? visitor : tab;
        const reply = await page.goto(path);
        expect({ name, status: reply?.status() }).toEqual({ name, status: path === '/nowhere' ? 404 : 200 });
        found.push(...(await examineConsole(page)).map((finding) => `${name}, ${finding}`));
      }
      expect([...found, ...tabs.takeComplaints()]).toEqual([]);
    },
  );

  test.each(chosenOf(languages()))(
    'fits phones, zoom and paper with the words of %s, and is accessible where English stands among them',
    async (language) => {
      await admin.post('/language', { language });
      const found: string[] = [];
      for (const [name, path] of Object.entries(pages)) {
        await tab.goto(path);
        expect(await tab.locator(`html[lang=${language}]`).count()).toBe(1);
        const examine = MIXED.includes(name) ? examineConsole : findTooWide;
        found.push(...(await examine(tab)).map((finding) => `${name}, ${finding}`));
      }
      expect([...found, ...tabs.takeComplaints()]).toEqual([]);
    },
  );
});
