import type { BrowserContextOptions, Page as Tab } from 'playwright-core';
import { describe } from 'vitest';
import { findChromium, openBrowser } from '../../scripts/shots/browser.ts';
import { atEnd } from './at-end.ts';
import type { Client, ConsoleUnderTest } from './console.ts';
import { lacks } from './programs.ts';

/** What runs beside the console has a low priority: beside a busy suite a rehearsal takes a minute. */
const PATIENCE_MS = 150_000;

/** Tests of what people see: skipped where there is no Chromium, but never in CI. */
export const describeInBrowser = describe.skipIf(lacks('chromium-headless-shell') && findChromium() === undefined);

/** A browser on a console. */
export type Tabs = {
  /** Opens a window of its own, in which whoever signed in with a client is signed in. */
  open: (client?: Client, options?: BrowserContextOptions) => Promise<Tab>;
  /** What pages complained of since the last call: errors of scripts, breaches of the policy, anything that is loaded from elsewhere. */
  takeComplaints: () => string[];
};

/** Starts Chromium for a console; it ends with the test. */
export async function openTabs({ url }: Pick<ConsoleUnderTest, 'url'>): Promise<Tabs> {
  const browser = await openBrowser(findChromium() ?? 'chromium-headless-shell');
  atEnd(() => browser.close());
  const complaints: string[] = [];
  return {
    open: async (client, options = {}) => {
      const context = await browser.newContext({ baseURL: url, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      if (client !== undefined && client.cookie() !== '') await context.addCookies(cookiesOf(client, url));
      const tab = await context.newPage();
      listen(tab, url, complaints);
      return tab;
    },
    takeComplaints: () => complaints.splice(0),
  };
}

function cookiesOf(client: Client, url: string): { name: string; value: string; url: string }[] {
  return client
    .cookie()
    .split('; ')
    .map((text) => {
      const [name = '', value = ''] = text.split('=');
      return { name, value, url };
    });
}

function listen(tab: Tab, url: string, complaints: string[]): void {
  const complain = (text: string) => void complaints.push(`${new URL(tab.url()).pathname}: ${text}`);
  tab.on('pageerror', ({ message }) => complain(message));
  tab.on('console', (message) => {
    // That the server refused something, or is away, is for the test to expect.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complain(message.text());
  });
  tab.on('request', (request) => {
    if (new URL(request.url()).origin !== url) complain(`it loads ${request.url().slice(0, 200)}`);
  });
  tab.on('response', (response) => {
    if (response.status() >= 400 && response.request().resourceType() !== 'document')
      complain(`${response.url()} answers ${response.status()}`);
  });
}
