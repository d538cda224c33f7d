import type { Page as Tab } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { endOf, goodRows, heldRun, startRun } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { controlOf } from '../../support/control.ts';
import { until } from '../../support/until.ts';

const ROWS = 2000;

describeInBrowser('a page that is kept open', () => {
  let served: ConsoleUnderTest;
  let control: ReturnType<typeof controlOf>;
  let ops: Client;
  let tabs: Tabs;

  beforeAll(async () => {
    const poll = { deadline: '10h', patience: '10m' };
    served = await openConsole({ service: { poll }, feeds: { north: {}, south: {} } }, { control: true });
    control = controlOf(served.service.url);
    ops = await served.signIn('ops');
    tabs = await openTabs(served);
  });

  afterEach(() => expect(tabs.takeComplaints()).toEqual([]));

  const live = (tab: Tab) => tab.locator('html[data-live=on]').waitFor({ state: 'attached' });
  const percent = (tab: Tab, share: string) =>
    tab.locator('[data-cell] .progress', { hasText: share }).first().waitFor();

  test('shows how far an upload is, and nothing that somebody does there is disturbed', async () => {
    await control.faults({ fault: 'slow', for: '100m' });
    served.shop.deliver('north', 'a.csv', goodRows(ROWS));
    const run = await startRun('north', ops);
    const [now, tab] = [await tabs.open(ops), await tabs.open(ops, { viewport: { width: 1000, height: 500 } })];
    await Promise.all([now.goto('/'), tab.goto(`/runs/${run}`)]);
    await Promise.all([live(now), live(tab)]);
    await tab.getByText('The dataset is being uploaded and verified.').waitFor();
    await until(async () => (await served.service.offers())[0]?.state === 'processing' || undefined);
    await control.advance('25m');
    await percent(tab, '25%');
    // Somebody reads below, has opened something, and has marked a word.
    const details = tab.locator('details').last();
    await details.locator('summary').click();
    await details.scrollIntoViewIfNeeded();
    const marked = await details.evaluate((element) => {
      const { document } = globalThis as unknown as { document: PageDocument };
      document.getSelection().selectAllChildren(element);
      return document.getSelection().toString();
    });
    const before = await details.boundingBox();
    await control.advance('25m');
    await percent(tab, '50%');
    await percent(now, '50%');
    expect(await details.boundingBox()).toEqual(before);
    expect(await details.getAttribute('open')).not.toBeNull();
    expect(await tab.evaluate(selectedText)).toBe(marked);
    await control.advance('60m');
    await endOf(run, ops);
    // The report waits until nobody reads in it any more, and says so.
    await tab.locator('html[data-waiting]').waitFor({ state: 'attached' });
    expect(await tab.getByText('Part of this page has changed').isVisible()).toBe(true);
    expect(await tab.evaluate(selectedText)).toBe(marked);
    await tab.getByRole('heading', { level: 1 }).click();
    await details.locator('summary').click();
    await tab.getByRole('heading', { name: 'Downloads' }).waitFor();
    await now.getByText('All clear').or(now.getByText('Nothing needs attention')).waitFor();
  });

  test('keeps what is typed until it is sent, and the focus of a link', async () => {
    const run = await heldRun('south', ops, served);
    const tab = await tabs.open(ops);
    await tab.goto(`/runs/${run}`);
    await live(tab);
    const reason = tab.locator('form.act', { hasText: 'Approve and upload' }).getByRole('textbox');
    await reason.fill('I have asked the supplier, and');
    const now = await tabs.open(ops);
    await now.goto('/');
    await live(now);
    await now.getByRole('link', { name: 'south' }).focus();
    await ops.post(`/runs/${run}/approve`, { reason: 'by somebody else' });
    await endOf(run, ops);
    await tab.locator('[data-cell=state]', { hasText: 'Ended' }).waitFor();
    expect(await reason.inputValue()).toBe('I have asked the supplier, and');
    await tab.getByRole('link', { name: 'Runs' }).focus();
    expect(await reason.inputValue()).toBe('I have asked the supplier, and');
    await now.locator('tr', { hasText: 'south' }).getByText('live', { exact: false }).first().waitFor();
    expect(await now.evaluate(focusedAddress)).toBe('/feeds/south');
    await reason.fill('');
    await reason.blur();
    await reason.waitFor({ state: 'detached' });
  });
});

type PageDocument = {
  activeElement: { getAttribute: (name: string) => string | null };
  getSelection: () => { selectAllChildren: (element: unknown) => void; toString: () => string };
};

function selectedText(): string {
  return (globalThis as unknown as { document: PageDocument }).document.getSelection().toString();
}

function focusedAddress(): string | null {
  return (globalThis as unknown as { document: PageDocument }).document.activeElement.getAttribute('href');
}
