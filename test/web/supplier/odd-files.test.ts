import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { openPage, sendFile, type OpenedPage } from '../../support/supplier-page.ts';
import { until } from '../../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;
let north: OpenedPage;

beforeAll(async () => {
  const source = { type: 'push', pattern: '*.csv' };
  served = await openConsole({
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: { north: { source, supplier: { name: '<script>alert(0)</script>', language: 'en', page: true } } },
  });
  ops = await served.signIn('ops');
  north = await openPage('north', served);
});

function pushes(): { id: string; name: string; run: string }[] {
  using db = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { readOnly: true });
  const rows = db.prepare('select id, name, run from pushed order by at').all();
  return rows as { id: string; name: string; run: string }[];
}

test('a corrected file that is sent twice at once is one delivery', async () => {
  const file = { name: 'twice.csv', content: goodRows(20, 'north') };
  const replies = await Promise.all([sendFile(north, served.url, file), sendFile(north, served.url, file)]);
  expect(replies.map(({ status }) => status)).toEqual([303, 303]);
  expect(pushes().filter(({ name }) => name === 'twice.csv')).toHaveLength(1);
  await endOf(pushes().at(-1)!.run, ops);
});

test('what stands in names and cells is text, on every page', async () => {
  const name = '"><svg onload=alert(1)>\'{{7*7}}.csv';
  const cells = '<script>alert(2)</script>;"=cmd|\' /C calc\'!A0"\n"<img src=x onerror=alert(3)>";\n';
  const sent = await sendFile(north, served.url, { name, content: `${goodRows(20, 'north')}${cells}` });
  expect(sent.status).toBe(303);
  await endOf(pushes().at(-1)!.run, ops);
  const list = await north.client.page(north.path);
  const [, details = ''] = /href="(\/supplier\/[\w-]+\/deliveries\/[\w-]+)"/u.exec(list)!;
  for (const page of [list, await north.client.page(details)]) {
    expect(page).toContain('&lt;svg onload=alert(1)&gt;');
    expect(page).not.toMatch(/<script|<svg|<img/u);
  }
});

test('a link that is ended while a file comes delivers nothing', async () => {
  const late = await openPage('north', served);
  const [, key = ''] = /name="key" value="(\w+)"/u.exec(await late.client.page(late.path)) ?? [];
  const before = pushes();
  const head = [
    '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n',
    `${key}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="late.csv"\r\n\r\n`,
  ].join('');
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    start: async (controller) => {
      controller.enqueue(Buffer.from(head));
      await ended;
      controller.enqueue(Buffer.from(`${goodRows(20, 'late')}\r\n--b--\r\n`));
      controller.close();
    },
  });
  const headers = { cookie: late.client.cookie(), origin: 'null', 'sec-fetch-site': 'same-origin' };
  const sending = fetch(`${served.url}${late.path}/deliveries`, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    redirect: 'manual',
    duplex: 'half',
  });
  const link = late.path.split('/').at(-1)!;
  const { status, stderr } = await served.shop.offerline('supplier-page', 'north', '--end-link', link);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  end();
  expect((await sending).status).toBe(404);
  expect(pushes()).toEqual(before);
});

test('whoever looks at a page in advance, as scanners of mails do, ends and opens nothing for others', async () => {
  const { pathname } = new URL(north.link);
  const asked = await fetch(`${served.url}${pathname}`, { method: 'HEAD' });
  expect(asked.status).toBe(200);
  expect(await asked.text()).toBe('');
  expect((await north.client.get(north.path)).status).toBe(200);
});

test('the link of a feed that was removed opens nothing once its name is used again', async () => {
  const { pathname } = new URL(north.link);
  const common = { service: { baseUrl: served.service.url }, web: { listen: new URL(served.url).host } };
  const source = { type: 'push', pattern: '*.csv' };
  const isEnded = () => {
    using db = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { readOnly: true });
    return db.prepare('select id from supplier_links where ended_at is null').get() === undefined ? true : undefined;
  };
  // Any prune of this day is over.
  expect(isEnded()).toBeUndefined();
  served.shop.configure({ ...common, feeds: { other: { source } } });
  await served.restart();
  await until(isEnded);
  served.shop.configure({ ...common, feeds: { north: { source, supplier: { page: true } } } });
  await served.restart();
  expect((await served.visitor().get(pathname)).status).toBe(404);
  expect((await north.client.get(north.path)).status).toBe(404);
});
