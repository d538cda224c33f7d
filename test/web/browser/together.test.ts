import type { Page as Tab } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { endOf, heldRun } from '../../support/console-work.ts';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../../support/console.ts';

describeInBrowser('several people, sessions and programs', () => {
  let served: ConsoleUnderTest;
  let ops: Client;
  let tabs: Tabs;

  beforeAll(async () => {
    served = await openConsole({ feeds: { north: {}, south: {}, east: {} } });
    ops = await served.signIn('ops');
    tabs = await openTabs(served);
  });

  afterEach(() => expect(tabs.takeComplaints()).toEqual([]));

  const followed = (tab: Tab, state: 'on' | 'off' | 'ended') =>
    tab.locator(`html[data-live=${state}]`).waitFor({ state: 'attached' });
  const approval = (tab: Tab) => tab.locator('form.act', { hasText: 'Approve and upload' });

  test('of two who approve at once the second is told, and one upload happens', async () => {
    const run = await heldRun('north', ops, served);
    const before = (await served.service.offers()).length;
    const pair = await Promise.all([tabs.open(ops), tabs.open(await served.signIn('admin'))]);
    for (const tab of pair) {
      await tab.goto(`/runs/${run}`);
      await approval(tab).getByRole('textbox').fill('checked by phone');
    }
    const replies = await Promise.all(
      pair.map(async (tab) => {
        const reply = tab.waitForResponse((response) => response.request().method() === 'POST');
        await approval(tab).getByRole('button', { name: 'Approve and upload' }).click();
        return (await reply).status();
      }),
    );
    expect(replies.sort((a, b) => a - b)).toEqual([303, 409]);
    const told = pair.map((tab) => tab.getByText(`Run ${run} is not held`));
    await told[0]!.or(pair[0].getByText('Done.')).waitFor();
    await told[1]!.or(pair[1].getByText('Done.')).waitFor();
    expect((await Promise.all(told.map((text) => text.count()))).sort((a, b) => a - b)).toEqual([0, 1]);
    await endOf(run, ops);
    expect((await served.service.offers()).length).toBe(before + 1);
  });

  test('when a session ends under a page nothing is done, and signing in leads back to it', async () => {
    const name = await served.addUser('ops');
    const tab = await tabs.open();
    const run = await heldRun('south', ops, served);
    await tab.goto(`/runs/${run}`);
    await signIn(tab, name);
    await tab.waitForURL(`**/runs/${run}`);
    const [now, other] = [await tab.context().newPage(), await tab.context().newPage()];
    await now.goto('/');
    await followed(now, 'on');
    await other.goto('/account');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/sign-in');
    await approval(tab).getByRole('textbox').fill('asked the supplier');
    await approval(tab).getByRole('button', { name: 'Approve and upload' }).click();
    await tab.getByText('Sign in first.').waitFor();
    expect((await ops.get(`/api/v1/runs/${run}`)).status).toBe(200);
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'held' });
    await ops.post('/feeds/east/pause', { reason: 'so that something changes' });
    await followed(now, 'ended');
    expect(await now.getByText('No longer updating').isVisible()).toBe(true);
    await tab.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(tab, name);
    await tab.waitForURL(`**/runs/${run}`);
    expect(await approval(tab).isVisible()).toBe(true);
    await ops.post('/feeds/east/resume', { reason: 'over' });
  });

  test('when the program is started again, an open page says so, comes back and catches up', async () => {
    const tab = await tabs.open(ops);
    await tab.goto('/');
    await followed(tab, 'on');
    served.up().child.kill('SIGTERM');
    await followed(tab, 'off');
    expect(await tab.getByText('Connection lost').isVisible()).toBe(true);
    await served.up().ended;
    const { status } = await served.shop.offerline('pause', 'feed:east', '--reason', 'while nobody served');
    expect(status).toBe(0);
    await served.restart();
    await followed(tab, 'on');
    await tab.getByText('while nobody served').waitFor();
    expect(await tab.getByText('Connection lost').isVisible()).toBe(false);
  });
});

async function signIn(tab: Tab, name: string): Promise<void> {
  await tab.getByLabel('Name').fill(name);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}
