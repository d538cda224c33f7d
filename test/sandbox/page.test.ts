import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const BASIC = { authorization: `Basic ${Buffer.from('shop:secret-password').toString('base64')}` };
const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

async function upload(url: string, body: string, fileName: string): Promise<void> {
  const path = `/us2/public/offer/process?fileName=${encodeURIComponent(fileName)}`;
  await fetch(url + path, { method: 'POST', body, headers: { ...BASIC, 'content-type': 'text/csv' } });
}

/** A sandbox whose login `shop` has a live dataset, and how its page is asked. */
async function live(body: string, fileName: string) {
  const sandbox = await sandboxForTest();
  await upload(sandbox.url, body, fileName);
  await sandbox.settled();
  const page = async (query: Record<string, string> = {}) => {
    const reply = await fetch(`${sandbox.url}/?${new URLSearchParams(query).toString()}`);
    return { status: reply.status, text: await reply.text() };
  };
  await until(async () => (await page()).text.includes('state success') || undefined);
  return { ...sandbox, page };
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

test('searches the live dataset without a script', async () => {
  const { page } = await live('brand,oem,name\nATE,13.0460,Brake pads\nATE,77,Oil filter\n', 'offers.csv');

  const { status, text: shown } = await page({ query: 'pads' });
  expect(status).toBe(200);
  expect(shown).toContain('13.0460');
  expect(shown).not.toContain('>77</td>');
  expect(shown).toMatch(/<input[^>]*value="pads"/);
  expect(shown).toContain('--data-urlencode &#39;query=pads&#39;');
  expect((await page({ query: 'nosuchpart' })).text).toContain('Nothing was found.');
});

test('has VINs to try and lines to copy that this sandbox answers', async () => {
  const { url } = await sandboxForTest();
  const shown = await (await fetch(url)).text();
  const lines = [...shown.matchAll(/<pre><code>(.*?)<\/code><\/pre>/g)].map(([, line]) => line!);

  expect(shown).toContain('YX9ZZZF2CFN114439');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line).toMatch(new RegExp(`^curl .*${url}/`));
  const identify = lines.find((line) => line.includes('/vehicle/identify'))!;
  const [, address, parameter] = /-G (\S+) -d (\S+)/.exec(identify)!;
  const { data } = (await (await fetch(`${address}?${parameter}`)).json()) as { data: { id: number }[] };
  expect(lines.join('\n')).toContain(`autoInfoId=${data[0]!.id}`);
});

test('links to the files of each dataset, which are saved and never shown', async () => {
  const { url, page } = await live('brand,oem\nATE,1\n,2\n', 'page.html');
  const { text: shown } = await page();
  const links = [...shown.matchAll(/href="(\/page\/(?:source|errors)[^"]*)"/g)].map(([, link]) =>
    link!.replaceAll('&amp;', '&'),
  );

  const replies = await Promise.all(links.map((link) => fetch(url + link)));
  expect(replies.map(({ headers }) => headers.get('content-disposition')?.split(';')[1])).toEqual([
    ' filename="page.offer"',
    ' filename="page.errors"',
  ]);
  for (const { headers } of replies) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
  }
  expect(await replies[0]!.text()).toBe('brand,oem\nATE,1\n,2\n');
  expect(await replies[1]!.text()).toContain('BRAND_EMPTY');
});

test('shows everything as text: names of files and logins, rows, queries', async () => {
  const cell = HOSTILE.replaceAll('"', '""');
  const { url, page } = await live(`brand,oem,name\n"${cell}",1,"pads ${cell}"\n`, `${HOSTILE}.csv`);
  const login = `Basic ${Buffer.from(`${HOSTILE}:x`).toString('base64')}`;
  await fetch(`${url}/us2/public/offer/process`, { method: 'POST', body: 'x', headers: { authorization: login } });

  for (const query of ['pads', `pads ${HOSTILE}`, `'; rm -rf ~; '`]) {
    const { text: shown } = await page({ query });
    expect(shown).not.toMatch(/<script>|<img|onerror='/);
    expect(shown.match(/<script/g)).toHaveLength(1);
  }
  const quoted = (await page({ query: `'; rm -rf ~; '` })).text;
  expect(quoted).toContain(String.raw`&#39;query=&#39;\&#39;&#39;; rm -rf ~; &#39;\&#39;&#39;&#39;`);
});

test('allows nothing inline and nothing from elsewhere', async () => {
  const { url } = await sandboxForTest();
  const reply = await fetch(url);
  const shown = await reply.text();
  const policy = reply.headers.get('content-security-policy')!;

  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|nonce|\*/);
  expect(shown).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/page\/live\.js" defer><\/script>)/);
  const types = await Promise.all(
    ['/page/style.css', '/page/live.js'].map(async (path) => (await fetch(url + path)).headers.get('content-type')),
  );
  expect(types).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
});

describe('odd requests get a page or a refusal, never a failure', () => {
  test.each([
    { what: 'control characters', query: { query: '\u0000\u0007pads\r\n' }, status: 200, shows: '13.0460' },
    { what: 'an empty query', query: { query: '' }, status: 200, shows: '13.0460' },
    { what: 'a lone surrogate and signs', query: { query: '\uD800 %00 "*" NEAR( ?' }, status: 200, shows: 'Nothing' },
    { what: 'too many words', query: { query: 'a '.repeat(3000) }, status: 400, shows: 'at most 200 are allowed' },
    { what: 'an unknown login', query: { query: 'x', login: HOSTILE }, status: 404, shows: 'no such login' },
    { what: 'an unknown parameter', query: { colour: 'red' }, status: 200, shows: 'offers.csv' },
  ])('$what', async ({ query, status, shows }) => {
    const { page } = await live('brand,oem,name\nATE,13.0460,Brake pads\n', 'offers.csv');

    const reply = await page(query);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(shows);
  });

  test('files of an upload that is not there', async () => {
    const { url } = await sandboxForTest();
    const asked = [
      'source?login=x&offerId=1',
      'errors?login=x&offerId=1',
      'source?login=x',
      'source?login=x&offerId=-',
    ];
    const replies = await Promise.all(asked.map((path) => fetch(`${url}/page/${path}`)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 400, 400]);
  });

  test('while many logins upload', async () => {
    const { page, url } = await live('brand,oem,name\nATE,13.0460,Brake pads\n', 'offers.csv');
    const rows = Array.from({ length: 2000 }, (_, at) => `ATE,${at},pads\n`).join('');
    const uploads = Array.from({ length: 8 }, async (_, at) => {
      const init = { method: 'POST', body: `brand,oem,name\n${rows}`, headers: { authorization: `Bearer ${at}` } };
      return (await fetch(`${url}/us2/public/offer/process?fileName=${at}.csv`, init)).status;
    });
    const pages = Array.from({ length: 20 }, async () => (await page({ query: 'pads' })).status);

    expect(new Set(await Promise.all([...uploads, ...pages]))).toEqual(new Set([200]));
  });
});

test.each(['/', '/page/source', '/page/errors', '/page/live.js'])('%s is for this machine only', async (path) => {
  const { port } = await sandboxForTest();
  const asked = request({ host: '127.0.0.1', port, path, headers: { host: 'shop.example.com' } });
  const reply = await new Promise<Parameters<typeof text>[0] & { statusCode?: number }>((resolve) => {
    asked.on('response', resolve).end();
  });

  expect(reply.statusCode).toBe(403);
  expect(await text(reply)).toContain('PAGE_LOCAL_ONLY');
});
