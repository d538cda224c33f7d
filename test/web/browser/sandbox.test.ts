import { expect, test } from 'vitest';
import { examineConsole } from '../../../scripts/shots/examine-console.ts';
import { describeInBrowser, openTabs } from '../../support/browser.ts';
import { openConsole } from '../../support/console.ts';

describeInBrowser('a console of the sandbox without users', () => {
  test('says on every page that nothing is real, and that it can only be read', async () => {
    const served = await openConsole({ service: { baseUrl: 'sandbox' } });
    const tabs = await openTabs(served);
    const tab = await tabs.open();
    for (const path of [
      '/',
      '/runs',
      '/feeds/north',
      '/logins/main',
      '/incidents',
      '/system',
      '/sign-in',
      '/nowhere',
    ]) {
      await tab.goto(path);
      expect(await tab.getByText('SANDBOX').first().isVisible()).toBe(true);
      expect(await tab.locator('form.act').count()).toBe(0);
      expect(await examineConsole(tab)).toEqual([]);
    }
    await tab.goto('/');
    expect(await tab.getByText('Read-only: no users yet').isVisible()).toBe(true);
    expect(tabs.takeComplaints()).toEqual([]);
  });
});
