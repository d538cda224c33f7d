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
