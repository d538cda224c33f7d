import type { Browser, Page as Tab } from 'playwright-core';
import { addUser } from '../../src/access/users.ts';
import { listIncidents } from '../../src/jobs/standing/lists/incidents.ts';
import { listRuns } from '../../src/jobs/standing/lists/runs.ts';
import { listUploads } from '../../src/jobs/standing/lists/uploads.ts';
import { operations } from '../../src/web/actions/operations.ts';
import type { Asker } from '../../src/web/actions/world.ts';
import { createApp } from '../../src/web/http/app.ts';
import { listen } from '../../src/web/http/listen.ts';
import { createLive } from '../../src/web/live/live.ts';
import { createMemo } from '../../src/web/memo.ts';
import { mirrorGauges } from '../../src/web/thread/gauges.ts';
import type { WebWorld } from '../../src/web/visit.ts';
import { LOOKS, type Look } from './browser.ts';
import { examineConsole } from './examine-console.ts';
import type { Shop } from './shop.ts';

/** What becomes of each page: its pictures, then what is wrong with it. */
export type Keep = {
  picture: (name: string, look: Look, png: Buffer) => Promise<void>;
  findings: (name: string, found: string[]) => void;
};

const WHO = 'anna';
const PASSWORD = 'correct horse battery staple';

/** Pictures every page of a shop's console as an administrator sees it, in each of these languages. */
export async function pictureConsole(browser: Browser, shop: Shop, languages: string[], keep: Keep): Promise<void> {
  const { url, close } = await serveConsole(shop);
  try {
    const by: Asker = { who: 'setup', via: 'console', origin: null };
    await addUser({ name: WHO, role: 'admin', email: null, language: null, password: PASSWORD }, by, shop.ctx);
    const pages = Object.entries(await pagesOfConsole(shop));
    const first = await browser.newContext({ baseURL: url });
    const tab = await first.newPage();
    await signIn(tab);
    for (const language of languages) {
      await tab.locator(`button[name=language][value=${language}]`).click();
      await tab.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
      const storageState = await first.storageState();
      for (const look of Object.keys(LOOKS) as Look[]) {
        const { width, height, colorScheme } = LOOKS[look];
        const viewport = { width, height };
        const context = await browser.newContext({ baseURL: url, viewport, colorScheme, storageState });
        await pictureAll(await context.newPage(), pages, { language, look }, keep);
        await context.close();
      }
    }
  } finally {
    await close();
  }
}

async function pictureAll(
  tab: Tab,
  pages: [string, string][],
  { language, look }: { language: string; look: Look },
  keep: Keep,
): Promise<void> {
  for (const [page, path] of pages) {
    const name = `console-${page}-${language}`;
    await tab.goto(path);
    await keep.picture(name, look, await tab.screenshot({ fullPage: true }));
    if (look !== 'wide') continue;
    const size = tab.viewportSize();
    keep.findings(name, await examineConsole(tab));
    if (size !== null) await tab.setViewportSize(size);
  }
}

async function signIn(tab: Tab): Promise<void> {
  await tab.goto('/sign-in');
  await tab.locator('input[name=name]').fill(WHO);
  await tab.locator('input[name=password]').fill(PASSWORD);
  await tab.locator('form.narrow button').click();
  await tab.waitForURL((url) => url.pathname === '/');
}

/** Serves the console in this process, on the shop's own calendar. */
async function serveConsole({ ctx, loaded }: Shop): Promise<{ url: string; close: () => Promise<void> }> {
  const gauges = mirrorGauges();
  const call: WebWorld['call'] = (name, args, asker) => {
    const operation = operations()[name] as (args: unknown, world: unknown) => Promise<never>;
    return operation(args, { ctx, redisUrl: undefined, asker });
  };
  const live = createLive(ctx.ledger, gauges, ctx.log);
  const server = await listen(
    createApp({ ctx, loaded, gauges, call, memo: createMemo(ctx.ledger) }, live),
    loaded.config.web,
  );
  return {
    url: `http://127.0.0.1:${server.address.port}`,
    close: async () => {
      live.close();
      await server.close();
    },
  };
}

/** An address of each page, by the name of its picture. */
async function pagesOfConsole({ ctx }: Shop): Promise<Record<string, string>> {
  const { rows: runs } = await listRuns({ feeds: null }, { size: 50 }, ctx);
  const { rows: uploads } = await listUploads({ feeds: null }, { size: 1 }, ctx);
  const { rows: incidents } = await listIncidents({ feeds: null, open: true }, { size: 1 }, ctx);
  const run = (feed: string) => runs.find((one) => one.feed === feed)?.run ?? '';
  return {
    now: '/',
    runs: '/runs',
    'run-held': `/runs/${run('lyon')}`,
    'run-rejected': `/runs/${run('milano')}`,
    'run-partial': `/runs/${run('nord')}`,
    rows: `/runs/${run('nord')}/rows?group=rejectedLocally`,
    feed: '/feeds/rhein',
    login: '/logins/shop',
    incidents: '/incidents',
    incident: `/incidents/${incidents[0]?.incident ?? ''}`,
    uploads: '/uploads',
    upload: `/uploads/${uploads[0]?.upload ?? ''}`,
    suppliers: '/suppliers',
    part: '/part?brand=brembo&number=1',
    check: '/check',
    audit: '/audit',
    system: '/system',
    users: '/users',
    account: '/account',
  };
}
