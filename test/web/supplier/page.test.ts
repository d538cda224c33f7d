import { DatabaseSync } from 'node:sqlite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { RunAnswer } from '../../../src/model.ts';
import { languages, openLanguage } from '../../../src/wording/language/language.ts';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { readBook } from '../../support/marked-book.ts';
import { openPage, sendFile, type OpenedPage } from '../../support/supplier-page.ts';
import { until } from '../../support/until.ts';

const push = { type: 'push', pattern: '*.csv' };

let served: ConsoleUnderTest;
let ops: Client;
let north: OpenedPage;

beforeAll(async () => {
  served = await openConsole({
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: {
      north: { source: push, supplier: { name: 'Nord <b>Teile</b>', language: 'en', page: true } },
      south: { source: push, supplier: { name: 'Canary & Sons', page: true } },
      folder: { supplier: { page: true } },
      ...Object.fromEntries(
        languages().map((language) => [`of-${language}`, { source: push, supplier: { language, page: true } }]),
      ),
    },
  });
  ops = await served.signIn('ops');
  north = await openPage('north', served);
});

/** The newest run of a feed, at its end. */
async function newestEnd(feed: string): Promise<RunAnswer> {
  const run = await until(async () => {
    const [newest] = (await (await ops.get(`/api/v1/runs?feed=${feed}`)).json()) as { run: string }[];
    return newest?.run;
  });
  return endOf(run, ops);
}

/** Rows of which the last has no number. */
const withMistake = (feed: string, count = 20) => `${goodRows(count, feed)}BOSCH;\n`;

test('a corrected file is sent, becomes a run like any other, and the page says what became of it', async () => {
  const sent = await sendFile(north, served.url, { name: 'preise.csv', content: withMistake('north') });
  expect({ status: sent.status, to: sent.headers.get('location') }).toEqual({
    status: 303,
    to: `${north.path}?sent=yes`,
  });
  expect(await north.client.page(`${north.path}?sent=yes`)).toContain('Your file has arrived.');
  expect(await newestEnd('north')).toMatchObject({ outcome: 'partial', cause: 'uploaded', feed: 'north' });
  const page = await north.client.page(north.path);
  expect(page).toContain('<bdi>Nord &lt;b&gt;Teile&lt;/b&gt;</bdi>');
  expect(page).toMatch(/preise\.csv[\s\S]*accepted, except for some rows[\s\S]*>\s*21\s*<[\s\S]*>\s*1\s*</u);
  expect(page).toContain('Your last 90 days');
  const audit = await ops.page('/audit?action=push');
  expect(audit).toContain(`supplier link ${north.path.split('/').at(-1)}`);
});

test('each mistake has its line and what to do, and the marked workbook can be had', async () => {
  const [, details = ''] = /href="(\/supplier\/[\w-]+\/deliveries\/[\w-]+)"/u.exec(
    await north.client.page(north.path),
  )!;
  const page = await north.client.page(details);
  expect(page).toContain('1 of the 21 rows of your file has a mistake');
  expect(page).toMatch(/The article number is missing\.[\s\S]*Write the article number\.[\s\S]*line 22/u);
  expect(page).toContain('Line 22 of your file');
  const workbook = await north.client.get(`${details}/workbook`);
  expect(workbook.headers.get('content-disposition')).toContain('preise-marked.xlsx');
  const file = join(served.shop.folder, 'marked.xlsx');
  writeFileSync(file, Buffer.from(await workbook.arrayBuffer()));
  const [first] = await readBook(file);
  expect(first!.name).toBe('Read me');
});

test('nothing of another feed is shown or reached, not even a number', async () => {
  const south = await openPage('south', served);
  await sendFile(south, served.url, { name: 'canary-7e1.csv', content: withMistake('canary', 4321) });
  const run = await newestEnd('south');
  expect(await south.client.page(south.path)).toContain('4,322');
  const pages = [
    await north.client.page(north.path),
    await (await north.client.get(`${north.path}/deliveries/${run.run}`)).text(),
  ];
  const [, details = ''] = /href="(\/supplier\/[\w-]+\/deliveries\/[\w-]+)"/u.exec(pages[0]!)!;
  pages.push(await north.client.page(details));
  for (const page of pages) expect(page).not.toMatch(/canary|south|4,32[12]|\brank\b/iu);
  for (const path of [`${north.path}/deliveries/${run.run}`, `${north.path}/deliveries/${run.run}/workbook`])
    expect((await north.client.get(path)).status).toBe(404);
});

test('the guards hold what comes by the page, and only say that somebody looks at it', async () => {
  const held = await sendFile(north, served.url, { name: 'few.csv', content: goodRows(2, 'north') });
  expect(held.status).toBe(303);
  expect(await newestEnd('north')).toMatchObject({ outcome: 'held' });
  const page = await north.client.page(north.path);
  expect(page).toMatch(/few\.csv[\s\S]*checked by us before use/u);
  expect(page).not.toMatch(/guard|maxRowDrop/iu);
});

test.each(languages())('a page speaks the language of its supplier: %s', async (language) => {
  const page = await openPage(`of-${language}`, served);
  const { say } = openLanguage(language);
  const empty = await page.client.page(page.path);
  expect(empty).toContain(`<html lang="${language}"`);
  for (const key of ['supplier.page.lead', 'supplier.page.noDeliveries', 'supplier.page.send.full'] as const)
    expect(empty).toContain(say(key));
  await sendFile(page, served.url, { name: 'a.csv', content: withMistake(language) });
  await newestEnd(`of-${language}`);
  const list = await page.client.page(page.path);
  expect(list).toContain(say('supplier.page.outcome.partial'));
  const [, details = ''] = /href="(\/supplier\/[\w-]+\/deliveries\/[\w-]+)"/u.exec(list)!;
  const told = await page.client.page(details);
  expect(told).toContain(say('supplier.comment.line', { line: 22 }));
  expect(told).not.toMatch(/supplier\.page\.|\{\w+\}/u);
});

test('where files are fetched, the page says to deliver as always, and takes none', async () => {
  const folder = await openPage('folder', served);
  const page = await folder.client.page(folder.path);
  expect(page).toContain('Please deliver the corrected list where you always deliver your files.');
  expect(page).not.toContain('type="file"');
  expect((await sendFile(folder, served.url, { name: 'a.csv', content: 'x' })).status).toBe(404);
});

test.each([
  ['a name that does not fit', { name: 'preise.pdf', content: 'x' }, 422, /does not fit \*\.csv/u],
  ['an empty file', { name: 'preise.csv', content: '' }, 400, /The file is empty/u],
  [
    'a form without its key',
    { name: 'preise.csv', content: 'x', key: 'a'.repeat(64) },
    403,
    /not sent from your page/u,
  ],
  [
    'a form of another site',
    { name: 'preise.csv', content: 'x', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
    403,
    /not sent from your page/u,
  ],
  [
    'a sandboxed frame of another site',
    { name: 'preise.csv', content: 'x', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
    403,
    /not sent from your page/u,
  ],
])('%s is refused and leaves nothing', async (_what, file, status, why) => {
  const runs = async () => (await (await ops.get('/api/v1/runs?feed=north')).json()) as unknown[];
  const before = await runs();
  const refused = await sendFile(north, served.url, file);
  expect(refused.status).toBe(status);
  expect(await refused.text()).toMatch(why);
  expect(await runs()).toHaveLength(before.length);
});

test('a failure of ours is not told as a broken file, and a file that was replaced as such', async () => {
  const page = await openPage('of-de', served);
  await sendFile(page, served.url, { name: 'a.csv', content: goodRows(30, 'de') });
  const { run } = await newestEnd('of-de');
  const told = async (set: string) => {
    const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
    ledger.prepare(`update runs set ${set} where id = ?`).run(run);
    ledger.close();
    return page.client.page(`${page.path}/deliveries/${run}`);
  };
  const { say } = openLanguage('de');
  const failed = await told("outcome = 'failed', detection = null");
  expect(failed).toContain(say('supplier.page.failed'));
  expect(failed).not.toContain(say('supplier.page.unread'));
  const replaced = await told("outcome = 'nothing', reason_code = 'superseded'");
  expect(replaced).toContain(say('supplier.page.replaced'));
  expect(await page.client.page(page.path)).toContain(say('supplier.page.outcome.replaced'));
});

test('a hostile name is only a name', async () => {
  const page = await openPage('of-en', served);
  const name = '../../"><script>alert(1)</script>\u202Efdp.csv';
  expect((await sendFile(page, served.url, { name, content: goodRows(30, 'en') })).status).toBe(303);
  await newestEnd('of-en');
  const shown = await page.client.page(page.path);
  expect(shown).toContain('script&gt;');
  expect(shown).not.toMatch(/<script|\u202E|\.\.\//u);
});

test('while the feed is paused no file is taken, and the reason stays here', async () => {
  await ops.post('/feeds/south/pause', { reason: 'they owe us money' });
  const south = await openPage('south', served);
  const shown = await south.client.page(south.path);
  expect(shown).toContain('No files are taken just now');
  expect(shown).not.toContain('type="file"');
  // A page that was opened before still has the form; what it sends is refused before it is read.
  const refused = await sendFile(south, served.url, { name: 'a.csv', content: 'x'.repeat(1_000_000) });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toMatch(/No files are taken just now(?![\s\S]*owe)/u);
});

test('a long name stays as it was written, and one that a Mac took apart is put together', async () => {
  const page = await openPage('of-pl', served);
  const names = [`Прайс-лист поставщика Северные запчасти полный склад Москва_${'о'.repeat(20)}.csv`, 'źródło.csv'];
  for (const [at, name] of names.entries()) {
    const sent = await sendFile(page, served.url, { name: name.normalize('NFD'), content: goodRows(30 + at, 'pl') });
    expect(sent.status).toBe(303);
    await newestEnd('of-pl');
    expect(await page.client.page(page.path)).toContain(name.normalize('NFC'));
  }
});

test('files that are refused count as sent: nobody sends without end', async () => {
  const page = await openPage('of-ru', served);
  const statuses: number[] = [];
  for (let at = 0; at < 31; at += 1)
    statuses.push((await sendFile(page, served.url, { name: 'a.pdf', content: 'x' })).status);
  expect(new Set(statuses)).toEqual(new Set([422, 429]));
  const last = await sendFile(page, served.url, { name: 'a.csv', content: goodRows(30) });
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(3000);
});

test('of one supplier so many files an hour are taken', async () => {
  const page = await openPage('of-de', served);
  const statuses: number[] = [];
  for (let at = 0; at < 31; at += 1) {
    const sent = await sendFile(page, served.url, { name: 'a.csv', content: goodRows(at + 40, 'de') });
    statuses.push(sent.status);
  }
  expect(new Set(statuses)).toEqual(new Set([303, 429]));
  expect(statuses.at(-1)).toBe(429);
});

test('the feed’s page in the console makes links and ends them, for those who may decide', async () => {
  expect(await ops.page('/feeds/north')).toContain('The supplier’s page');
  const made = await ops.post('/feeds/north/page', { do: 'rotate' });
  const [, secret = ''] = /\/supplier\/open\/(ofs_[\w-]{43})</u.exec(await made.text()) ?? [];
  const opened = served.visitor();
  expect((await opened.get(`/supplier/open/${secret}`)).status).toBe(200);
  expect((await north.client.get(north.path)).status).toBe(404);
  expect((await ops.post('/feeds/north/page/end')).status).toBe(303);
  expect((await opened.get(`/supplier/open/${secret}`)).status).toBe(404);
  const audit = await ops.page('/audit?subject=feed+north');
  expect(audit).toMatch(/ended links of a supplier[\s\S]*made a link for a supplier/u);
  expect(audit).not.toContain(secret);
  const viewer = await served.signIn('viewer');
  expect(await viewer.page('/feeds/north')).not.toContain('The supplier’s page');
  expect((await viewer.post('/feeds/north/page')).status).toBe(403);
  expect((await ops.post('/feeds/nowhere/page')).status).toBe(409);
});
