import { TOTP } from 'otpauth';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { examineConsole, findTooWide } from '../../../scripts/shots/examine-console.ts';
import { languages } from '../../../src/wording/language/language.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { endOf, goodRows, heldRun } from '../../support/console-work.ts';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { freePort } from '../../support/free-port.ts';
import { examineKeyboard, tabTo } from '../../support/keyboard.ts';
import { startProvider, type ProviderUnderTest } from '../../support/oidc/provider.ts';
import { openPage, sendFile } from '../../support/supplier-page.ts';
import { until } from '../../support/until.ts';

/** A page as somebody has it open, after what leads there. */
type Place = { client: Client; open: (tab: Tab) => Promise<unknown> };

const why = { reason: 'season end' };

describeInBrowser('sign-in, second persons, work on incidents, deliveries and pages of suppliers', () => {
  let served: ConsoleUnderTest;
  let provider: ProviderUnderTest;
  let tabs: Tabs;
  let anna: Client;
  let bernd: Client;
  let coding: { client: Client; code: () => string };
  let places: Record<string, Place>;
  let run: string;
  let incident: string;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startProvider(url);
    const page = { source: { type: 'push', pattern: '*.csv' } };
    const ofSuppliers = languages().map((language) => [
      `of-${language}`,
      { ...page, supplier: { name: `Nordteile & Söhne ${language}`, language, page: true } },
    ]);
    served = await openConsole({
      logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
      feeds: { north: {}, south: {}, ...(Object.fromEntries(ofSuppliers) as object) },
      decisions: { approve: { second: ['maxRowDrop'] } },
      web: {
        listen: `127.0.0.1:${port}`,
        publicUrl: `${url}/`,
        secondFactor: ['viewer'],
        oidc: {
          issuer: provider.issuer,
          clientId: 'offerline',
          clientSecret: 'a secret of the test',
          roles: { ops: ['ops'] },
        },
      },
    });
    anna = await served.signIn('ops');
    bernd = await served.signIn('ops');
    run = await heldRun('north', anna, served);
    await anna.post(`/runs/${run}/approve`, why);
    incident = await until(async () => /\/incidents\/[\w-]+/u.exec(await anna.page('/incidents?feed=north'))?.[0]);
    await anna.post(`${incident}/take`);
    await anna.post(`${incident}/quiet`, { until: 'delivery' });
    await anna.post(`${incident}/note`, { text: `called the supplier, who ${'is looking '.repeat(20)}` });
    const [upload] = /\/uploads\/[\w-]+/u.exec(await anna.page('/uploads')) ?? [''];
    coding = await withFactor();
    tabs = await openTabs(served);
    const visitor = served.visitor();
    const at = (client: Client, path: string) => ({ client, open: (tab: Tab) => tab.goto(path) });
    places = {
      'sign-in with a provider': at(visitor, '/sign-in'),
      'sign-in that the provider refused': at(visitor, '/sign-in?refused=noRole'),
      'sign-out at the provider': at(visitor, '/sign-in?out=yes'),
      'an app to be set up': at((await signIn()).client, '/sign-in/enrol'),
      'a code': at(coding.client, '/sign-in/code'),
      'a request of oneself': at(anna, `/runs/${run}`),
      'a request of somebody else': at(bernd, `/runs/${run}`),
      'an incident in work': at(anna, incident),
      'an incident of somebody else': at(bernd, incident),
      'an upload and its dossier': at(anna, upload),
      'figures of the service': at(anna, '/system/service'),
      'links of a supplier': at(anna, '/feeds/of-en'),
      'a new link': { client: anna, open: makeLink },
      'a file to be delivered': { client: anna, open: offerFile },
    };
  });

  /** Signs a new user in who needs a second factor. */
  async function signIn(known?: string): Promise<{ client: Client; name: string }> {
    const name = known ?? (await served.addUser('viewer'));
    const client = served.visitor();
    await client.post('/sign-in', { name, password: PASSWORD });
    return { client, name };
  }

  /** A sign-in that waits for a code of an app, and what the app shows. */
  async function withFactor(): Promise<{ client: Client; code: () => string }> {
    const { client, name } = await signIn();
    const [, secret = ''] = /name="secret" value="([A-Z2-7]{32})"/u.exec(await client.page('/sign-in/enrol')) ?? [];
    const codeOf = (later: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + later });
    await client.post('/sign-in/enrol', { secret, code: codeOf(-30_000) });
    return { client: (await signIn(name)).client, code: () => codeOf(0) };
  }

  async function makeLink(tab: Tab): Promise<void> {
    await tab.goto('/feeds/of-en');
    await tab.locator('form[action$="/page"] button[value=add]').click();
    await tab.locator('code', { hasText: '/supplier/open/' }).waitFor();
  }

  async function offerFile(tab: Tab): Promise<void> {
    await tab.goto('/check');
    await tab.locator('#feed').selectOption('of-en');
    await chooseFile(tab);
    await tab.locator('button[formaction="/check/deliver"]').click();
    await tab.locator('form[action="/check/deliver/confirm"]').waitFor();
  }

  function chooseFile(tab: Tab): Promise<void> {
    const content = `${goodRows(20, 'en')}BOSCH;\n`;
    return tab.setInputFiles('#file', { name: 'ä лист.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  }

  /** The list and a delivery of a supplier, in their language. */
  async function pagesOf(language: string): Promise<Record<string, Place>> {
    const feed = `of-${language}`;
    const page = await openPage(feed, served);
    await sendFile(page, served.url, { name: 'preise.csv', content: `${goodRows(20, feed)}BOSCH;\n` });
    const details = await until(
      async () => /\/supplier\/[\w-]+\/deliveries\/[\w-]+/u.exec(await page.client.page(page.path))?.[0],
    );
    await endOf(details.split('/').at(-1)!, anna);
    return {
      [`deliveries of a supplier (${language})`]: { client: page.client, open: (tab) => tab.goto(page.path) },
      [`a delivery of a supplier (${language})`]: { client: page.client, open: (tab) => tab.goto(details) },
    };
  }

  test('are accessible, fit phones, and are used by keyboard alone', { timeout: 600_000 }, async () => {
    const found: string[] = [];
    for (const [name, { client, open }] of Object.entries({ ...places, ...(await pagesOf('en')) })) {
      const tab = await tabs.open(client);
      await open(tab);
      const byKeyboard = await examineKeyboard(tab);
      found.push(...[...byKeyboard, ...(await examineConsole(tab))].map((finding) => `${name}: ${finding}`));
      await tab.context().close();
    }
    expect([...found, ...tabs.takeComplaints()]).toEqual([]);
  });

  test.each(languages().filter((language) => language !== 'en'))(
    'fit phones with the words of %s',
    { timeout: 600_000 },
    async (language) => {
      const found: string[] = [];
      for (const [name, { client, open }] of Object.entries({ ...places, ...(await pagesOf(language)) })) {
        if (!name.includes('supplier (')) await client.post('/language', { language });
        const tab = await tabs.open(client);
        await open(tab);
        expect({ name, count: await tab.locator(`html[lang=${language}]`).count() }).toEqual({ name, count: 1 });
        found.push(...(await findTooWide(tab)).map((finding) => `${name}: ${finding}`));
        await tab.context().close();
      }
      expect([...found, ...tabs.takeComplaints()]).toEqual([]);
      for (const client of [anna, bernd]) await client.post('/language', { language: 'en' });
    },
  );

  test('somebody signs in with the provider, and with a code, without a mouse', async () => {
    await provider.tell({ sub: '7', preferred_username: 'cora', groups: ['ops'] });
    const tab = await tabs.open();
    await tab.goto('/sign-in?to=%2Fruns');
    await tabTo(tab, 'a[href^="/sign-in/provider"]');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**/runs');
    const complaints = tabs.takeComplaints().filter((text) => !text.includes(`it loads ${provider.issuer}`));
    expect(complaints).toEqual([]);
    const second = await tabs.open(coding.client);
    await second.goto('/sign-in/code?to=%2Fruns');
    await tabTo(second, '#code');
    await second.keyboard.type(coding.code());
    await second.keyboard.press('Enter');
    await second.waitForURL('**/runs');
    expect(tabs.takeComplaints()).toEqual([]);
  });

  test('an incident is taken over, noted, silenced and given back, and a request agreed to, without a mouse', async () => {
    const tab = await tabs.open(bernd);
    await tab.goto(incident);
    const press = async (form: string, done: string, fill?: () => Promise<void>) => {
      await fill?.();
      await tabTo(tab, `form[action$="/${form}"] button`);
      await tab.keyboard.press('Enter');
      await tab.waitForURL(`**?done=${done}*`);
    };
    const type = async (field: string, text: string) => {
      await tabTo(tab, field);
      await tab.keyboard.type(text);
    };
    await press('take', 'take');
    await press('note', 'note', () => type('#work-note', 'I am on it'));
    expect(await tab.textContent('#work')).toContain('I am on it');
    await press('quiet', 'quiet', async () => {
      await tabTo(tab, '#work-until');
      await tab.keyboard.press('End');
      await tab.keyboard.press('Home');
    });
    await press('release', 'release');
    await tab.goto(`/runs/${run}`);
    await press('agree', 'agree', () => type('form[action$="/agree"] [name=reason]', 'seen'));
    expect(await endOf(run, bernd)).toMatchObject({ outcome: 'live' });
    expect(tabs.takeComplaints()).toEqual([]);
  });

  test('a file is delivered without a mouse', async () => {
    const tab = await tabs.open(bernd);
    await tab.goto('/check');
    await tabTo(tab, '#feed');
    await tab.keyboard.type('of-en');
    await chooseFile(tab);
    await tabTo(tab, 'button[formaction="/check/deliver"]');
    await tab.keyboard.press('Enter');
    await tab.locator('form[action="/check/deliver/confirm"]').waitFor();
    await tabTo(tab, 'form[action="/check/deliver/confirm"] button');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**/runs/*?done=deliver*');
    expect(tabs.takeComplaints()).toEqual([]);
  });
});
