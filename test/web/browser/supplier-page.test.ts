import { beforeAll, expect, test } from 'vitest';
import { examineConsole } from '../../../scripts/shots/examine-console.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { goodRows } from '../../support/console-work.ts';
import { openConsole, type ConsoleUnderTest } from '../../support/console.ts';
import { linkTo } from '../../support/supplier-page.ts';
import { until } from '../../support/until.ts';

describeInBrowser('the page of a supplier', () => {
  let served: ConsoleUnderTest;
  let tabs: Tabs;

  beforeAll(async () => {
    const supplier = { name: 'Nordteile', language: 'de', page: true };
    const logins = { main: { coalesce: '0s', guard: { maxRejected: '90%' } } };
    served = await openConsole({ logins, feeds: { north: { source: { type: 'push', pattern: '*.csv' }, supplier } } });
    await served.addUser('ops');
    tabs = await openTabs(served);
  });

  test(
    'opens from a link of another site, takes a file by keyboard, and is accessible',
    { timeout: 300_000 },
    async () => {
      const tab = await tabs.open();
      await tab.setContent(`<a href="${await linkTo('north', served)}">link</a>`);
      await tab.click('a');
      await tab.waitForURL(/\/supplier\/\d{8}-/u);
      expect(tab.url()).not.toContain('ofs_');
      await tab.setInputFiles('#file', {
        name: 'preise.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`${goodRows(20, 'north')}BOSCH;\n`),
      });
      await tab.focus('form button');
      await tab.keyboard.press('Enter');
      await tab.waitForURL(/sent=yes/u);
      expect(await tab.textContent('.notice')).toContain('Ihre Datei ist angekommen.');
      await until(async () => {
        await tab.click('text=Aktualisieren');
        return (await tab.textContent('main'))?.includes('übernommen, außer einigen Zeilen') === true
          ? true
          : undefined;
      });
      const findings = await examineConsole(tab);
      await tab.click('text=preise.csv');
      await tab.waitForURL(/\/deliveries\//u);
      expect(await tab.textContent('main')).toContain('Zeile 22 Ihrer Datei');
      expect([...findings, ...(await examineConsole(tab))]).toEqual([]);
      expect(tabs.takeComplaints()).toEqual([]);
    },
  );
});
