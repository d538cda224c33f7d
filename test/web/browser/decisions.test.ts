import type { Page as Tab } from 'playwright-core';
import { beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { examineConsole } from '../../../scripts/shots/examine-console.ts';
import { describeInBrowser, openTabs, type Tabs } from '../../support/browser.ts';
import { deliverAndRun, endOf, goodRows, heldRun, strangeColumns, unsureLetter } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';

describeInBrowser('decisions by their forms', () => {
  let served: ConsoleUnderTest;
  let ops: Client;
  let tabs: Tabs;
  let tab: Tab;

  beforeAll(async () => {
    served = await openConsole({
      logins: {
        main: { coalesce: '0s' },
        other: { coalesce: '0s', auth: { type: 'basic', user: 'other', password: 'secret' } },
      },
      feeds: { north: {}, south: {}, odd: {}, unsure: {}, east: { login: 'other' } },
    });
    ops = await served.signIn('ops');
    tabs = await openTabs(served);
  });

  beforeEach(async () => {
    tab = await tabs.open(ops);
  });

  afterEach(() => expect(tabs.takeComplaints()).toEqual([]));

  /** The form with this heading. */
  const form = (title: string) =>
    tab.locator('form.act').filter({ has: tab.getByRole('heading', { name: title, exact: true }) });
  const why = (title: string, reason: string) => form(title).getByRole('textbox', { name: 'Reason' }).fill(reason);
  const press = (title: string, button = title) =>
    form(title).getByRole('button', { name: button, exact: true }).click();
  const runOfTab = () => /\/runs\/([\w-]+)/u.exec(tab.url())?.[1] ?? '';

  test('approve: it is said what happens and that nothing is sent twice, and the page follows it to its end', async () => {
    const run = await heldRun('north', ops, served);
    await tab.goto(`/runs/${run}`);
    expect(await form('Approve').innerText()).toContain('Nothing can be sent twice');
    await why('Approve', 'asked the supplier');
    await press('Approve', 'Approve and upload');
    await tab.waitForURL(`**/runs/${run}?done=approve`);
    await tab.getByText('Ended').waitFor();
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 2 } });
    expect(await form('Approve').count()).toBe(0);
  });

  test('reject: only with a reason, and only when it is confirmed', async () => {
    const run = await heldRun('south', ops, served);
    await tab.goto(`/runs/${run}`);
    await press('Reject');
    await why('Reject', 'the wrong file');
    await press('Reject');
    expect(tab.url()).toMatch(new RegExp(`/runs/${run}$`));
    await form('Reject').getByRole('checkbox').check();
    await press('Reject');
    await tab.waitForURL('**?done=reject');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'rejected', cause: 'turned-down' });
  });

  test('take columns: what is proposed can be changed, and is taken', async () => {
    const { run } = await deliverAndRun('odd', strangeColumns(), ops, served);
    await tab.goto(`/runs/${run}`);
    const title = 'Take these columns';
    await form(title).getByLabel('brand', { exact: true }).selectOption({ label: '1: Qwert' });
    await form(title).getByLabel('oem', { exact: true }).selectOption({ label: '2: Zuiop' });
    await why(title, 'asked the supplier');
    await press(title, 'Use these columns and read again');
    await tab.waitForURL('**?done=columns');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 60 } });
  });

  test('take a reading: they stand side by side, none is chosen beforehand, and one is taken', async () => {
    const { run } = await deliverAndRun('unsure', unsureLetter(61), ops, served);
    await tab.goto(`/runs/${run}`);
    const title = 'Choose a reading';
    await tab.getByRole('columnheader', { name: 'windows-1251' }).waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    await why(title, 'the names are right in this one');
    await press(title, 'Use this reading and read again');
    expect(tab.url()).toMatch(new RegExp(`/runs/${run}$`));
    await form(title).getByLabel('windows-1251').check();
    await press(title, 'Use this reading and read again');
    await tab.waitForURL('**?done=reading');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 61 } });
  });

  test('run now and run again lead to the run', async () => {
    served.shop.deliver('south', 'again.csv', goodRows(41, 'south'));
    await tab.goto('/feeds/south');
    await press('Run now');
    await tab.waitForURL('**/runs/*?done=run');
    const first = runOfTab();
    await endOf(first, ops);
    await tab.goto(`/runs/${first}`);
    await form('Run again').getByLabel('read the archived file again').check();
    await press('Run again');
    await tab.waitForURL('**/runs/*?done=rerun');
    expect(runOfTab()).not.toBe(first);
    expect((await endOf(runOfTab(), ops)).outcome).toMatch(/live|partial|unchanged/u);
  });

  test('run all again: first they are counted', async () => {
    await tab.goto('/runs?feed=south');
    await press('Run all again', 'Preview');
    await tab.getByText('This run starts again.').waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    await form('Run all again').getByRole('checkbox').check();
    await press('Run all again');
    await tab.waitForURL('**/runs?outcome=open&done=rerun');
  });

  test.each([
    { kind: 'feed', path: '/feeds/south' },
    { kind: 'login', path: '/logins/main' },
  ])('pause and resume a $kind', async ({ path }) => {
    await tab.goto(path);
    await why('Pause', 'holidays');
    await press('Pause');
    await tab.waitForURL('**?done=pause');
    expect(await form('Pause').count()).toBe(0);
    expect(await tab.getByRole('main').innerText()).toContain('holidays');
    await why('Resume', 'they are back');
    await press('Resume');
    await tab.waitForURL('**?done=resume');
    expect(await form('Resume').count()).toBe(0);
  });

  test('roll back, rehearsed first, then release', async () => {
    await deliverAndRun('east', goodRows(30), ops, served);
    await deliverAndRun('east', goodRows(31), ops, served);
    const headers = { authorization: `Basic ${btoa('other:secret')}` };
    const before = await served.service.offers(headers);
    await tab.goto('/logins/other');
    await why('Roll back', 'half of it was wrong');
    await press('Roll back', 'Rehearse it first');
    await tab.getByText('REHEARSAL').waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    expect(await served.service.offers(headers)).toEqual(before);
    await tab.goBack();
    await why('Roll back', 'half of it was wrong');
    await press('Roll back');
    await tab.waitForURL('**?done=rollback');
    await tab.locator('[data-cell=standing] b', { hasText: /^30$/u }).waitFor();
    await tab.reload();
    await why('Release', 'mended by the supplier');
    await press('Release');
    await tab.waitForURL('**?done=release');
    expect(await form('Release').count()).toBe(0);
  });

  test('what the source holds, what doctor finds, and a file that is checked', async () => {
    await tab.goto('/feeds/south');
    await tab.getByRole('button', { name: 'What does it hold now?' }).click();
    await tab.getByText('again.csv', { exact: true }).waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    await tab.goto('/system');
    await tab.getByRole('button', { name: 'Examine now' }).click();
    await tab.getByRole('rowheader', { name: /redis/iu }).first().waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    await tab.goto('/check');
    const file = { name: 'ä лист.csv', mimeType: 'text/csv', buffer: Buffer.from('brand;oem\n;1\nBOSCH;2\n') };
    await tab.getByLabel('File').setInputFiles(file);
    await tab.getByRole('button', { name: 'Check', exact: true }).click();
    await tab.getByRole('heading', { name: 'ä лист.csv' }).waitFor();
    expect(await examineConsole(tab)).toEqual([]);
    await tab.getByLabel('File').setInputFiles(file);
    const saved = tab.waitForEvent('download');
    await tab.getByRole('button', { name: 'marked' }).click();
    expect((await saved).suggestedFilename()).toBe('ä лист-marked.xlsx');
  });
});
