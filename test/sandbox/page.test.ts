import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const BASIC = { authorization: `Basic ${Buffer.from('shop:secret-password').toString('base64')}` };

async function upload(url: string, body: string, fileName: string): Promise<void> {
  const path = `/us2/public/offer/process?fileName=${encodeURIComponent(fileName)}`;
  await fetch(url + path, { method: 'POST', body, headers: { ...BASIC, 'content-type': 'text/csv' } });
}

test('shows what is served, the logins, and their uploads as they change', async () => {
  const { url, settled } = await sandboxForTest({ faults: [{ fault: 'stuck', nth: 2 }] });
  const page = async () => (await fetch(url)).text();

  expect(await page()).toContain('There are no uploads yet.');
  await upload(url, 'brand,oem\nATE,1\n,2\n', 'first.csv');
  await settled();
  await until(async () => (await page()).includes('state success') || undefined);
  await upload(url, 'brand,oem\nATE,1\n', 'second.csv');

  const shown = await page();
  expect(shown).toContain('POST /us2/public/offer/process');
  expect(shown).toContain('POST /listQuickGroup');
  expect(shown).toMatch(/Login\s+shop/);
  expect(shown).toContain('offer 9007199254740993 is live');
  expect(shown).toMatch(/first\.csv[^]*?state success[^]*?<td class="number">2<\/td>\s*<td class="number">1<\/td>/);
  expect(shown).toMatch(/second\.csv[^]*?state (?:queued|processing)/);
  expect(shown).toContain('Faults that wait for calls: stuck.');
  expect(shown).not.toContain('secret-password');
});

test('shows names of files as text', async () => {
  const { url } = await sandboxForTest();
  await upload(url, 'brand,oem\nATE,1\n', '<b>bold.csv');

  const reply = await fetch(url);
  expect(await reply.text()).toContain('&lt;b&gt;bold.csv');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('is for this machine only', async () => {
  const { port } = await sandboxForTest();
  const asked = request({ host: '127.0.0.1', port, path: '/', headers: { host: 'shop.example.com' } });
  const reply = await new Promise<Parameters<typeof text>[0] & { statusCode?: number }>((resolve) => {
    asked.on('response', resolve).end();
  });

  expect(reply.statusCode).toBe(403);
  expect(await text(reply)).toContain('PAGE_LOCAL_ONLY');
});

test('searches as a login, also beside a vehicle, and shows what was found as text', async () => {
  const { url, settled } = await sandboxForTest({
    faults: [{ fault: 'refuse', operation: 'search', times: 'forever' }],
  });
  await upload(url, 'brand,oem,name\nBOSCH,0986424797,Oil filter\nATE,1,<i>Brake pads\n', 'first.csv');
  await settled();
  const find = async (query: string) =>
    (await fetch(`${url}/?${new URLSearchParams({ login: '0', query }).toString()}`)).text();

  const found = await until(async () => {
    const page = await find('oil filter');
    return page.includes('0986424797') ? page : undefined;
  });
  expect(found).toContain('value="oil filter"');
  expect(found).toContain('<option value="0" selected>shop</option>');
  expect(await find('brake pads')).toContain('&lt;i&gt;Brake pads');
  const hostile = await find('"><script>alert(1)</script>\u0000\u001B');
  expect(hostile).not.toContain('<script>alert');
  expect(hostile).toContain('Nothing was found');
  expect(await find('x'.repeat(8000))).toMatch(/Nothing was found|refuses the search/u);
  const links = [...found.matchAll(/href="(\/\?[^"]+)"/gu)].map(([, link]) => link!.replaceAll('&amp;', '&'));
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect((await fetch(url + link)).status).toBe(200);
});

test('links to the file that was uploaded and to its errors', async () => {
  const { url, settled } = await sandboxForTest();
  await upload(url, 'brand,oem\nATE,1\n,2\n', 'first.csv');
  await settled();
  const page = await until(async () => {
    const shown = await (await fetch(url)).text();
    return shown.includes('.errors</a>') ? shown : undefined;
  });
  const [offer = '', errors = ''] = [...page.matchAll(/href="(\/file\?[^"]+)"/gu)].map(
    ([, link]) => url + link!.replaceAll('&amp;', '&'),
  );
  expect(await (await fetch(offer)).text()).toBe('brand,oem\nATE,1\n,2\n');
  expect(await (await fetch(errors)).text()).toContain('BRAND_EMPTY');
  expect((await fetch(offer.replace('login=0', 'login=7'))).status).toBe(404);
  expect((await fetch(offer, { headers: { origin: 'https://shop.example.com' } })).status).toBe(403);
});

test('the calls that it shows for a terminal are answered as they stand', async () => {
  const { url } = await sandboxForTest();
  await upload(url, 'brand,oem\nATE,1\n', 'first.csv');
  const page = await (await fetch(url)).text();
  const calls = [...page.matchAll(/curl (-X POST )?(?:-u \S+ )?(?:&#39;|')(http[^'&]+?)(?:&#39;|')/gu)];
  expect(calls.length).toBeGreaterThan(2);
  for (const [, post, address = ''] of calls.filter(([, , to]) => !to!.includes('=ID'))) {
    const reply = await fetch(address, { method: post === undefined ? 'GET' : 'POST', headers: BASIC });
    expect(reply.status).toBe(200);
  }
});
