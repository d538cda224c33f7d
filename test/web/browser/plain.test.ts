import type { Page as Tab } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { endOf, heldRun } from '../../support/console-work.ts';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../../support/console.ts';

describeInBrowser('the console without a mouse, without scripts, in other languages', () => {
  let served: ConsoleUnderTest;
  let ops: Client;
  let tabs: Tabs;

  beforeAll(async () => {
    served = await openConsole({ feeds: { north: {}, south: {} } });
    ops = await served.signIn('ops');
    tabs = await openTabs(served);
  });

  afterEach(() => expect(tabs.takeComplaints()).toEqual([]));

  test('keys alone sign in, lead to what waits, and approve it', async () => {
    const run = await heldRun('north', ops, served);
    const name = await served.addUser('ops');
    const tab = await tabs.open();
    await tab.goto('/');
    // A browser may give a field the focus only once it has drawn the page.
    await tab.locator('#name:focus').waitFor();
    await tab.keyboard.type(name);
    await tab.keyboard.press('Tab');
    await tab.keyboard.type(PASSWORD);
    await tab.keyboard.press('Enter');
    await tab.waitForURL((url) => url.pathname === '/');
    await tabTo(tab, 'Skip to content');
    await tab.keyboard.press('Enter');
    await tabTo(tab, 'Review');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(`**/runs/${run}`);
    await tabTo(tab, 'Reason (recorded with your name)');
    await tab.keyboard.type('asked the supplier');
    await tabTo(tab, 'Approve and upload');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**?done=approve');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live' });
  });

  test('without scripts everything works, and nothing claims to be live', async () => {
    const run = await heldRun('south', ops, served);
    const name = await served.addUser('ops');
    const tab = await tabs.open(undefined, { javaScriptEnabled: false });
    await tab.goto(`/runs/${run}`);
    await tab.getByLabel('Name').fill(name);
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await tab.waitForURL(`**/runs/${run}`);
    expect(await tab.locator('.live-state').innerText()).toBe('');
    const form = tab.locator('form.act', { hasText: 'Approve and upload' });
    await form.getByRole('textbox').fill('asked the supplier');
    await form.getByRole('button', { name: 'Approve and upload' }).click();
    await tab.waitForURL('**?done=approve');
    await endOf(run, ops);
    await tab.goto('/runs');
    await tab.getByLabel('Feed').selectOption('south');
    await tab.getByRole('button', { name: 'Filter' }).click();
    await tab.waitForURL('**feed=south**');
    expect(await tab.locator('tbody tr').count()).toBe(2);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL('**/sign-in');
  });

  test('a language is chosen in its own name, and stays that of its user in every browser', async () => {
    const name = await served.addUser('viewer');
    const [tab, other] = [await tabs.open(), await tabs.open()];
    await tab.goto('/sign-in');
    await enter(tab, name, 'en');
    for (const [label, code] of [
      ['Русский', 'ru'],
      ['Polski', 'pl'],
      ['English', 'en'],
      ['Deutsch', 'de'],
    ] as const) {
      await tab.goto('/runs?outcome=held');
      await tab.getByRole('button', { name: label }).click();
      await tab.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
      expect(new URL(tab.url()).search).toBe('?outcome=held');
      const { say } = openLanguage(code);
      expect(await tab.getByRole('heading', { level: 1 }).innerText()).toBe(say('web.nav.runs'));
    }
    await other.goto('/sign-in');
    await enter(other, name, 'en');
    await other.locator('html[lang=de]').waitFor({ state: 'attached' });
  });
});

async function enter(tab: Tab, name: string, language: string): Promise<void> {
  const { say } = openLanguage(language);
  await tab.getByLabel(say('web.signIn.name')).fill(name);
  await tab.getByLabel(say('web.signIn.password')).fill(PASSWORD);
  await tab
    .getByRole('main')
    .getByRole('button', { name: say('web.signIn.button') })
    .click();
  await tab.waitForURL((url) => url.pathname === '/');
}

/** More stops than any page has on the way. */
const MOST_STOPS = 80;

/** Goes on with the tabulator until what has the focus has this name. */
async function tabTo(tab: Tab, name: string): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await tab.keyboard.press('Tab');
    if ((await tab.evaluate(focusedName)) === name) return;
  }
  throw new Error(`${name} is not reached by the keyboard`);
}

type Focused = { textContent: string; labels?: ArrayLike<{ textContent: string }> };

function focusedName(): string {
  const { activeElement } = (globalThis as unknown as { document: { activeElement: Focused } }).document;
  return (activeElement.labels?.[0] ?? activeElement).textContent.trim();
}
