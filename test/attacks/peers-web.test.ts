import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../support/http-server.ts';
import { accountKey } from '../support/servers/drive.ts';
import { install } from '../support/installation.ts';
import { repeat } from '../support/servers/scripted-ftp.ts';
import { attacked, refusalOf, expectLittleMemory } from './attacked.ts';
import { chosenOf } from '../support/suite/thirds.ts';

/* Replies of web servers that have no end, or are made to cost more than they say. */

/** A server that answers with a beginning, and then with a piece again and again. */
async function endless(status: number, beginning: string, piece: string, type = 'application/xml'): Promise<string> {
  const { url } = await serve((_, response) => {
    response.writeHead(status, { 'content-type': type }).write(beginning);
    repeat(response, piece);
  });
  return url;
}

function s3(endpoint: string) {
  const auth = { type: 'basic', user: 'AKIAEXAMPLE', password: 'hunter2-hunter2-hunter2' };
  return { type: 's3', endpoint, bucket: 'offers', auth };
}

const LIST = '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const OBJECT =
  '<Contents><Key>a.csv</Key><LastModified>2026-11-27T00:00:00.000Z</LastModified><Size>1</Size></Contents>';

test.each(
  chosenOf([
    ['objects', LIST, OBJECT, 'has more than 50,000 files (source.maxFiles)'],
    ['nothing', LIST, '<a/>', 'more than 1,000,000 elements in which there is no file'],
    ['blanks', LIST, ' '.repeat(1000), 'a single value or comment of more than 1 MB'],
    ['a value', `${LIST}<Contents><Key>`, 'aaaaaaaa', 'a single value or comment of more than 1 MB'],
    ['a comment', `${LIST}<!--`, 'aaaaaaaa', 'a single value or comment of more than 1 MB'],
    ['attributes', `${LIST}<Contents `, 'a="" ', 'sent a listing with an element of more than 100 attributes'],
    ['elements in one another', LIST, '<a>', 'more than 100 elements in one another'],
  ]),
)('an S3 listing of %s without end is refused', async (_, beginning, piece, sentence) => {
  expect(await refusalOf(s3(await endless(200, beginning, piece)))).toContain(sentence);
});

test('S3 pages that each name another are not followed for ever', async () => {
  let page = 0;
  const { url } = await serve((_, response) => {
    const next = `<NextContinuationToken>${(page += 1)}</NextContinuationToken>`;
    response.end(`${LIST}<IsTruncated>true</IsTruncated>${next}</ListBucketResult>`);
  });
  expect(await refusalOf(s3(url))).toContain('sent a listing of more than 2,000 pages');
});

test.each([[403], [500]])('an S3 refusal without end (%s) is not read to its end', async (status) => {
  const url = await endless(status, '<Error><Code>AccessDenied</Code><Message>', 'no ');
  expect(await refusalOf(s3(url))).toContain('sent an answer of more than 256 KB, which is not read further');
});

/** A cloud that gives a token, and then answers with a piece again and again. */
async function endlessCloud(status: number, beginning: string, piece: string): Promise<string> {
  const { url } = await serve((request, response) => {
    const isToken = request.url?.endsWith('/token') === true;
    response.writeHead(isToken ? 200 : status, { 'content-type': 'application/json' });
    if (isToken) return void response.end('{"access_token":"abc","expires_in":3600}');
    response.write(beginning);
    repeat(response, piece);
  });
  return url;
}

const CLOUDS: [string, (url: string) => Record<string, unknown>][] = [
  [
    'graph',
    (endpoint) => ({
      type: 'graph',
      drive: 'b!1',
      path: '/',
      endpoint,
      auth: { type: 'app', tenant: 'a', clientId: 'b', clientSecret: 'hunter2-hunter2', loginUrl: endpoint },
    }),
  ],
  [
    'drive',
    (endpoint) => ({
      type: 'drive',
      folderId: '1a',
      endpoint,
      auth: { type: 'serviceAccount', key: accountKey(`${endpoint}/token`) },
    }),
  ],
];

test.each(CLOUDS)('an answer of %s without end is refused', async (_, source) => {
  const url = await endlessCloud(200, '{"value":[', '{"id":"1"},');
  expect(await refusalOf(source(url))).toContain('sent a page of a listing of more than 16 MB');
});

test.each(CLOUDS)('a refusal of %s without end is not read to its end', async (_, source) => {
  const url = await endlessCloud(403, '{"error":{"code":"', 'no ');
  expect(await refusalOf(source(url))).toContain('answered 403');
});

const DAV = '<multistatus xmlns="DAV:">';
const RESOURCE =
  '<response><href>/a.csv</href><propstat><prop><getcontentlength>1</getcontentlength></prop><status>HTTP/1.1 200 OK</status></propstat></response>';

test.each(
  chosenOf([
    ['files', DAV, RESOURCE, 'has more than 50,000 files (source.maxFiles)'],
    ['elements that nobody asked for', DAV, '<a/>', 'more than 1,000,000 elements in which there is no file'],
    ['a value', `${DAV}<response><href>`, 'aaaaaaaa', 'a single value or comment of more than 1 MB'],
  ]),
)('a WebDAV listing of %s without end is refused', async (_, beginning, piece, sentence) => {
  expect(await refusalOf({ type: 'webdav', url: `${await endless(207, beginning, piece)}/out/` })).toContain(sentence);
});

test('a page of links without end is refused', async () => {
  const url = await endless(200, '<html>', '<a href="a.csv">a</a>', 'text/html');
  expect(await refusalOf({ type: 'http', url, pattern: '*.csv' })).toContain('sent a listing of more than 15 MB');
});

test.each([
  ['of links', '<a href="NUMBER.csv">', 'has more than 50,000 files (source.maxFiles)'],
  ['of elements in one another', '<div>', 'more than 512 elements in one another'],
])('a page of 14 MB %s is refused', async (_, piece, sentence) => {
  const pieces = Math.floor(14_000_000 / (piece.length + 1));
  const page = Array.from({ length: pieces }, (__, at) => piece.replace('NUMBER', String(at)))
    .join('')
    .slice(0, 14_000_000);
  const { url } = await serve((__, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  expect(await refusalOf({ type: 'http', url, pattern: '*.csv' })).toContain(sentence);
});

test('a look at a page of links, each of which is answered late, ends at source.deadline', async () => {
  const links = Array.from({ length: 2000 }, (_, at) => `<a href="${at}.csv">${at}</a>`).join('');
  const { url } = await serve((request, response) => {
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(links);
    else setTimeout(() => response.end(), 100);
  });
  const shop = install({ feeds: { north: { source: { type: 'http', url, pattern: '*.csv', deadline: '2s' } } } });
  const { status, stderr } = await shop.offerline('pull', 'north', '--list');
  expect({ status, stderr }).toMatchObject({ status: 4, stderr: expect.stringContaining('(source.deadline)') });
});

test('a page with an element of a million attributes is refused', async () => {
  const page = `<html><a ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}>`;
  const { url } = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  expect(await refusalOf({ type: 'http', url, pattern: '*.csv' })).toContain('an element of more than 1000 attributes');
});

test('a page to sign in on without end is refused', async () => {
  const url = await endless(200, '<form>', '<input name="a">', 'text/html');
  const login = { url, fields: { user: 'shop', password: 'hunter2-hunter2-hunter2' } };
  expect(await refusalOf({ type: 'http', url: `${url}/a.csv`, login })).toContain('sent a page of more than 4 MB');
});

test('a token without end is refused', async () => {
  const tokenUrl = await endless(200, '{"access_token":"', 'aaaaaaaa', 'application/json');
  const auth = { type: 'oauth2', tokenUrl, clientId: 'shop', clientSecret: 'hunter2-hunter2-hunter2' };
  const source = { type: 'http', url: `${tokenUrl}/a.csv`, auth };
  expect(await refusalOf(source)).toContain('sent an answer to the request for a token of more than 1 MB');
});

test('a redirect and a refusal with a body without end are left unread', async () => {
  const moved: RequestListener = (request, response) => {
    response.writeHead(request.url === '/a.csv' ? 302 : 404, { location: '/b.csv' });
    repeat(response, 'moved ');
  };
  const { url } = await serve(moved);
  expect(await refusalOf({ type: 'http', url: `${url}/a.csv` })).toContain(
    'answered 404: there is no file at this address',
  );
});

test.each(
  chosenOf([
    ['objects', '{"data":[', '{},'],
    ['numbers', '{"data":[', '1,'],
    ['a text', '{"data":["', 'aaaaaaaa'],
  ]),
)('a reply of the service of %s without end is refused', async (_, beginning, piece) => {
  const baseUrl = await endless(200, beginning, piece, 'application/json');
  const shop = install({ service: { baseUrl, retries: 0 } });
  const result = await attacked(shop, 'api', 'list', '--json');
  expect(result).toMatchObject({ status: 4, said: expect.stringContaining('returned more than 8 MB') as string });
  await expectLittleMemory(result);
});

test.each(
  chosenOf([
    ['objects', '{}'],
    ['numbers', '1'],
    ['lists', '[]'],
  ]),
)('a reply of the service of 8 MB of %s is refused', async (_, piece) => {
  const times = Math.floor(8_000_000 / (piece.length + 1));
  const body = `{"data":[${Array.from({ length: times }, () => piece).join(',')}]}`;
  const { url } = await serve((__, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const shop = install({ service: { baseUrl: url, retries: 0 } });
  const result = await attacked(shop, 'api', 'list', '--json');
  expect(result).toMatchObject({ status: 4, said: expect.stringContaining('more than 200,000 values') as string });
  await expectLittleMemory(result);
});
