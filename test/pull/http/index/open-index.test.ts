import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { secret } from '../../../../src/config/secrets/secret.ts';
import { lookAt } from '../../../../src/pull/look-at.ts';
import { pull } from '../../../../src/pull/pull.ts';
import { serve } from '../../../support/http-server.ts';
import { lacks } from '../../../support/programs.ts';
import { startApache } from '../../../support/servers/apache.ts';
import { pullInput } from '../../pull-input.ts';
import { serverConformance } from '../../server/server-conformance.ts';
import { supplierIn } from '../../server/supplier.ts';
import { sourceConformance } from '../../source-conformance.ts';
import { index } from '../http-source.ts';

const missing = lacks('apache2');

async function start() {
  const { index: url, ...rest } = await startApache();
  return { ...rest, source: index(url, { pattern: '*' }), nowhere: index(`${url}nowhere/`) };
}

serverConformance('http (a page of links)', missing, start, { readOnly: true });

describe.skipIf(missing)("Apache's page of links", () => {
  sourceConformance('http (a page of links)', async () => {
    const { source, folder, stop } = await start();
    const place = source.url.replace(/\/$/u, '');
    return { source, twin: { ...source, url: `${place}/.` }, place, ...supplierIn(folder), close: stop };
  });
});

const TIMES = { 'a.csv': 'Tue, 05 May 2026 06:00:00 GMT', 'b.csv': 'Tue, 05 May 2026 07:00:00 GMT' } as const;

/** A page with these links, on a server that answers for files with their names and times. */
async function page(body: string, more: RequestListener = () => undefined) {
  const server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/list') return void response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    more(request, response);
    if (response.writableEnded) return;
    const name = pathname.split('/').at(-1) ?? '';
    const time = Object.hasOwn(TIMES, name) ? { 'last-modified': TIMES[name as keyof typeof TIMES] } : {};
    response.writeHead(200, { ...time, 'content-length': name.length }).end(name);
  });
  return { ...server, list: `${server.url}/list` };
}

test('the newest by its time is taken, and only links that match are asked about', async () => {
  const { list, requests } = await page(
    '<a href="files/a.csv">A</a><a href="/files/b.csv#top">B</a><a href="c.pdf">C</a><a href="mailto:a@b.example">D</a>',
  );
  const pulled = await pull(index(list), pullInput());
  expect(pulled).toMatchObject({
    name: 'b.csv',
    bytes: 5,
    superseded: ['a.csv'],
    modifiedAt: Date.parse(TIMES['b.csv']),
  });
  expect(requests.some(({ url }) => url?.includes('.pdf'))).toBe(false);
});

test('a file is named by a query or the text of its link where its address does not name it', async () => {
  const { list } = await page(
    '<base href="/get/"><a href="?id=1&amp;file=price_2026-05-05.csv">x</a><a href="?id=2"> price_2026-05-06.csv </a>',
  );
  const { files } = (await lookAt(index(list, { pattern: 'price_{yyyy-MM-dd}.csv' })))!;
  expect(files.map(({ name, decision }) => [name, decision])).toEqual([
    ['price_2026-05-06.csv', 'take'],
    ['price_2026-05-05.csv', 'superseded'],
  ]);
});

test('links to other hosts, to what is gone and of one name are passed over, with the reason', async () => {
  const away = await serve((_, response) => void response.end('x'));
  const { list } = await page(
    `<a href="${away.url}/a.csv">A</a><a href="gone.csv">B</a><a href="x/b.csv">C</a><a href="y/b.csv">D</a>`,
    ({ url }, response) => (url === '/gone.csv' ? void response.writeHead(404).end() : undefined),
  );
  const { files } = (await lookAt(index(list)))!;
  expect(files.map(({ name, decision, why }) => [name, decision, why])).toEqual([
    ['b.csv', 'take', 'the newest that fits'],
    ['a.csv', 'pass over', expect.stringContaining('source.allowHosts')],
    ['b.csv', 'pass over', 'is the name of several links'],
    ['gone.csv', 'pass over', 'is linked, but not there'],
  ]);
  expect(away.requests).toEqual([]);
});

test('a listed host is asked, without the credentials', async () => {
  const away = await serve((_, response) => void response.end('x'));
  const { list, requests } = await page(`<a href="${away.url}/a.csv">A</a>`);
  const auth = { type: 'basic', user: 'me', password: secret('geheim') } as const;
  expect(await pull(index(list, { allowHosts: ['127.0.0.1'], auth }), pullInput())).toMatchObject({ bytes: 1 });
  expect(requests.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
  expect(away.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
});

test('a server that knows GET only brings a file whose size it did not say', async () => {
  const { list } = await page('<a href="a.csv">A</a>', ({ method }, response) => {
    if (method === 'HEAD') response.writeHead(405).end();
  });
  expect(await pull(index(list), pullInput())).toMatchObject({ name: 'a.csv', bytes: 5 });
});

test('a file in place of the page is named', async () => {
  const { url } = await serve((_, response) => void response.end('brand;oem\n'));
  await expect(pull(index(url), pullInput())).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining('remove source.pattern') as string,
  });
});

test('a page without a link that matches is nothing, and says so', async () => {
  const { list } = await page('<p>Come back tomorrow</p>');
  expect(await pull(index(list), pullInput())).toMatchObject({ kind: 'nothing' });
});
