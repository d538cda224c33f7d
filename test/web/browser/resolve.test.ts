import { expect, test } from 'vitest';
import { examineConsole } from '../../../scripts/shots/examine-console.ts';
import { describeInBrowser, openTabs } from '../../support/browser.ts';
import { endOf, goodRows, startRun } from '../../support/console-work.ts';
import { openConsole } from '../../support/console.ts';

describeInBrowser('an upload whose outcome nobody can tell', () => {
  test('is found on the first page, and settled by its form: with a reason, and only after asking the service', async () => {
    const served = await openConsole(
      { service: { poll: { settle: '1h' } } },
      { faults: [{ fault: 'reset', afterBytes: 10 }] },
    );
    const ops = await served.signIn('ops');
    const tabs = await openTabs(served);
    const tab = await tabs.open(ops);
    served.shop.deliver('north', 'a.csv', goodRows(20));
    const run = await startRun('north', ops);
    await tab.goto('/');
    await tab.getByRole('link', { name: 'Resolve' }).click();
    await tab.waitForURL('**/uploads/*');
    expect(await examineConsole(tab)).toEqual([]);
    const form = tab.locator('form.act');
    expect(await form.innerText()).toContain('the dataset is sent twice');
    await form.getByRole('textbox', { name: 'Reason' }).fill('the service has no trace of it');
    await form.getByRole('button', { name: 'Resolve' }).click();
    expect(new URL(tab.url()).search).toBe('');
    await form.getByLabel('lost').check();
    await form.getByLabel('I have checked with the service').check();
    await form.getByRole('button', { name: 'Resolve' }).click();
    await tab.waitForURL('**?done=resolve');
    expect(await tab.getByRole('main').innerText()).toContain('Done.');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 20 } });
    expect(await served.service.offers()).toHaveLength(1);
    expect(await ops.page('/audit')).toContain('the service has no trace of it');
    expect(tabs.takeComplaints()).toEqual([]);
  });
});
