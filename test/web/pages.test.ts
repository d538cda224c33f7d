import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/jobs/standing/status.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { endWorker, showWorker } from '../../src/ledger/workers/workers.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;
let [first, second] = ['', ''];

beforeAll(async () => {
  served = await openConsole({
    logins: { main: { coalesce: '0s', guard: { maxRejected: '100%' } } },
    web: { timezone: 'Asia/Kathmandu' },
    managers: [{ email: 'south@example.com', feeds: ['south'] }],
    feeds: { north: { schedule: { cron: '0 0 1 1 *', timezone: 'Europe/Berlin' } }, south: { priority: 200 } },
  });
  served.shop.deliver('north', 'a.csv', 'brand;oem;name\nBOSCH;0 986;Pads\nATE;13.04;Disc\n');
  first = (await served.shop.ingest('north')).run;
  served.shop.deliver('north', 'b.csv', 'brand;oem;name\nBOSCH;0 986;"Pads, front"\n;7;No brand\nMANN;W 712;Filter\n');
  second = (await served.shop.ingest('north')).run;
  served.shop.deliver('south', 'c.csv', 'brand;oem\nbosch;0986\nVALEO;1\n');
  await served.shop.ingest('south');
  ops = await served.signIn('ops');
});

/** A page on one line, as its reader sees it. */
async function seen(path: string, client: Client = ops): Promise<string> {
  const text = (await client.page(path)).replace(/^[^]*<main/u, '').replace(/<\/main>[^]*$/u, '');
  return text.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

test('each number of an account opens its rows, with the supplier’s own line', async () => {
  const page = await ops.page(`/runs/${second}`);
  expect(page).toContain(`href="/runs/${second}/rows?group=rejectedLocally"`);
  expect(await seen(`/runs/${second}/rows?group=rejectedLocally`)).toMatch(/line 3 7 rejected here .* ;7;No brand/u);
  expect(await seen(`/runs/${second}/rows?group=live`)).toMatch(
    /line 2 BOSCH 0 986 live BOSCH;0 986;&quot;Pads, front&quot;/u,
  );
  expect(await seen(`/runs/${second}/rows?group=read&search=w712`)).toMatch(/1 entry 1 of 1/u);
  expect((await ops.get(`/runs/${second}/rows?group=nothing`)).status).toBe(404);
});

test('a feed of which rows are not live has no tick, a link to them, and there is no all-clear; scripts read the same as ever', async () => {
  const text = await seen('/');
  expect(text).toContain('Nothing needs attention; 1 feed has rows that are not live.');
  expect(text).not.toContain('All clear');
  expect(text).toMatch(/◐ live, but not all rows: north .* rejected here: 1 .*✓ good: login main .*✓ good: south/u);
  expect(await ops.page('/')).toContain(`href="/runs/${second}/rows?group=rejectedLocally"`);
  expect(await ops.page('/feeds/north')).toContain('>◐<');
  const status = JSON.parse((await served.shop.offerline('status', '--json')).stdout) as StatusAnswer;
  expect(status).toMatchObject({ clear: true, lines: [{ tone: 'good' }, { tone: 'good' }, { tone: 'good' }] });
  expect(JSON.parse(await ops.page('/api/v1/status'))).toMatchObject({ clear: true });
});

test('a feed shows what its brands and tags lost beside their guards', async () => {
  const text = await seen('/feeds/north');
  expect(text).toMatch(/maxBrandDrop off 100% .*maxTagDrop off –/u);
});

test('a feed shows how its newest file was read, with the evidence', async () => {
  const text = await seen('/feeds/north');
  expect(text).toMatch(/How the newest file was read run \S+ Read as utf-8, delimiter “;”/iu);
  expect(text).toContain('Evidence');
  expect(text).toMatch(/oem 2: oem yes &quot;oem&quot; is a known name of this column/u);
});

test('a feed shows the scorecard of its supplier, and nobody else’s', async () => {
  const [, scores] = (await ops.page('/feeds/north')).split('Scorecard of the last 90 days');
  const table = scores?.split('</section>')[0];
  expect(table).toMatch(/href="\/feeds\/north"[^]*\d%/u);
  expect(table).not.toContain('/feeds/south');
  expect(await ops.page('/suppliers')).toMatch(/href="\/feeds\/north"[^]*href="\/feeds\/south"/u);
});

test('all times of a page are in the zone that it names', async () => {
  const page = await ops.page(`/runs/${second}`);
  expect(page).toMatch(/All times: Asia\/Kathmandu/u);
  expect(page).toMatch(/GMT\+5:45/u);
  expect(page).not.toMatch(/ CES?T\b|Europe\/Berlin| UTC\b/u);
});

test('two deliveries are compared, and only what differs is shown', async () => {
  const text = await seen(`/compare?of=runs&a=${first}&b=${second}`);
  expect(text).toMatch(/Added 1 Removed 1 Changed 1 Same 0/u);
  expect(text).toMatch(/Changed BOSCH 0 986 name: Pads → Pads, front/u);
  expect(text).toMatch(/Removed ATE 13\.04/u);
});

test('two datasets of a login are compared, chosen from those that were proved', async () => {
  const uploads = [...(await ops.page('/uploads?state=success')).matchAll(/href="\/uploads\/([\w-]+)"/gu)];
  const [newest = '', ...earlier] = [...new Set(uploads.map(([, id]) => id ?? ''))];
  const choices = await ops.page(`/compare?of=uploads&b=${newest}`);
  const offered = [...choices.matchAll(/<option\s+value="([^"]+)"/gu)].map(([, value]) => value);
  expect(offered).toEqual(expect.arrayContaining(earlier));
  // The first one had the rows of north's first file only.
  const text = await seen(`/compare?of=uploads&a=${earlier.at(-1)}&b=${newest}`);
  expect(text).toMatch(/Added 2 Removed 1 Changed 1 Same 0/u);
  expect(text).toMatch(/Removed ATE 13\.04/u);
  expect((await (await served.signIn('manager', 'south@example.com')).get('/compare?of=uploads')).status).toBe(404);
});

test('a part is found in any spelling, with its history', async () => {
  expect(await seen('/part?brand=bosch&number=0986')).toMatch(
    /Live from north in upload \d+, verified by its receipt\./u,
  );
  const history = await seen('/part?brand=Bosch&number=0-986&history=yes');
  expect(history).toMatch(/came north/u);
  expect(history).toMatch(/changed north .*Pads, front/u);
  expect(await seen('/part?brand=nobody&number=1')).toContain('Not live.');
  const manager = await served.signIn('manager', 'south@example.com');
  expect(await seen('/part?brand=bosch&number=0986', manager)).toMatch(/Live from another feed in upload \d+/u);
});

test('reports and deliveries are downloaded as files, never shown', async () => {
  for (const [file, type, start] of [
    ['report.html', 'text/html', '<!doctype html>'],
    ['report.csv', 'text/csv', '\ufeff'],
    ['report.json', 'application/json', '{'],
    ['report.xlsx', 'application/vnd.openxmlformats', 'PK'],
    ['delivery', 'application/octet-stream', 'brand;oem;name'],
  ] as const) {
    const reply = await ops.get(`/runs/${second}/${file}`);
    expect({ file, status: reply.status }).toEqual({ file, status: 200 });
    expect(reply.headers.get('content-type')).toContain(type);
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; /u);
    expect((await reply.text()).startsWith(start.replace('\ufeff', ''))).toBe(true);
  }
});

test('lists keep their filters in the address', async () => {
  const text = await seen(`/runs?feed=north&text=${second}`);
  expect(text).toContain(second);
  expect(text).not.toContain(first);
  expect(await ops.page('/runs?feed=north')).toMatch(/<option value="north" selected>/u);
  expect(await seen('/uploads?state=success')).toMatch(/success .* verified/u);
  expect((await ops.get('/runs?after=nonsense')).status).toBe(400);
  expect(await ops.page('/incidents')).toMatch(/<option value="">Open<\/option>\s*<option value="over"/u);
});

test('everybody reads in their language, and every page says that it is a sandbox where it is one', async () => {
  const client = await served.signIn('viewer');
  await client.post('/language', { language: 'de', to: '/runs' });
  expect(await client.page('/')).toMatch(/<html lang="de"/u);
  expect(await seen('/', client)).toMatch(/Alles in Ordnung|Niemand wird gebraucht/u);
  const other = served.visitor();
  await other.post('/language', { language: 'ru' });
  expect(await other.page('/sign-in')).toContain('Вход');
  expect((await other.post('/language', { language: 'xx' })).status).toBe(303);
  expect(await other.page('/sign-in')).toMatch(/<html lang="en"/u);
});

test('a reader of Polish has words, numbers and times of Polish, and finds the other languages in their own names', async () => {
  const client = await served.signIn('viewer');
  await client.post('/language', { language: 'pl', to: '/' });
  const page = await client.page('/');
  expect(page).toMatch(/<html lang="pl"/u);
  expect(page).toMatch(/Wszystkie godziny: Asia\/Kathmandu ·\s*\d+ \p{L}+ \d{4} \d\d:\d\d GMT\+5:45/u);
  expect(page).toMatch(/lang="pl"\s+aria-pressed="true"\s*>\s*Polski/u);
  for (const name of ['Deutsch', 'English', 'Русский']) expect(page).toContain(name);
  expect(await seen('/', client)).toContain('Nic nie wymaga uwagi; 1 feed ma wiersze, które nie są online.');
  expect(await seen(`/runs/${second}/rows?group=rejectedLocally`, client)).toContain('Brakuje marki.');
});

test('what is wrong with a row is said in the language of who reads it', async () => {
  const client = await served.signIn('viewer');
  await client.post('/language', { language: 'de', to: '/' });
  const rows = `/runs/${second}/rows?group=rejectedLocally`;
  expect(await seen(rows, client)).toContain('Die Marke fehlt.');
  expect(await seen(rows)).not.toContain('Die Marke fehlt.');
});

test('who sees no feed is not told that all is well', async () => {
  const nobody = await served.signIn('manager', 'nobody@example.com');
  const text = await seen('/', nobody);
  expect(text).toContain('You cannot see any feeds: no managers entry in the configuration has your address');
  expect(text).not.toContain('All clear');
});

test('a page that is not there is not there, and HEAD is answered as GET', async () => {
  const missing = await ops.get('/nothing/here');
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('There is no such page');
  const head = await fetch(`${served.url}/livez`, { method: 'HEAD' });
  expect(head.status).toBe(200);
});

test('the system page counts the jobs of each queue', async () => {
  expect(await seen('/system')).toMatch(/Queue Waiting In progress Later Failed( \S+ \d+ \d+ \d+ \d+){3} /u);
});

test('the system page lists the workers, whose names say nothing to a browser', async () => {
  expect(await seen('/system')).toMatch(/Workers Worker Version Since Last sign of life Serves Works on /u);
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  const worker = { id: 'w', host: 'h', version: '1', migration: '1', stays: 1, state: 'works' } as const;
  await showWorker(ledger, { ...worker, serves: ['<i>'], name: '<script>alert(1)</script>' }, 60_000);
  const page = await ops.page('/system');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('&lt;i&gt;');
  expect(page).not.toContain('<script>alert(1)');
  await endWorker(ledger, 'w');
  await ledger.close();
});

test('the documentation is shown, searched, and explains codes', async () => {
  expect(await seen('/docs')).toContain('Operations');
  expect(await ops.page('/docs/operations')).toContain('<article class="docs" lang="en"><h1 id="operations">');
  const found = await seen('/docs?q=maxRowDrop');
  expect(found).toMatch(/“maxRowDrop” means logins\.NAME\.guard\.maxRowDrop : A larger loss of rows/u);
  expect(found).toContain('sections match “maxRowDrop”');
  expect(await seen('/docs?q=%3Cscript%3E')).toContain('&lt;script&gt;');
  for (const path of ['/docs/none', '/docs/decisions/none', '/docs/pictures/none.png', '/docs/..%2f..%2fpackage']) {
    expect((await ops.get(path)).status).toBe(404);
  }
  expect((await ops.get('/docs/pictures/report.png')).headers.get('content-type')).toBe('image/png');
});
