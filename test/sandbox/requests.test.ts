import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { errorOf, GOOD, idOf, startWorld } from './world.ts';

test('ids are 64-bit integers that a double cannot hold, written with all their digits', async () => {
  const world = await startWorld();
  const first = await world.upload(GOOD);
  expect(first.text).toMatch(/^\{"id":9007199254740993,/);
  await world.finish();
  await world.upload(GOOD);
  const list = await world.call('/us2/public/offer/list');
  expect([...list.text.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual(['9007199254740995', '9007199254740993']);
  expect((await world.get('get', '9007199254740993')).status).toBe(200);
  expect((await world.get('get', '9007199254740992')).status).toBe(404);
});

test('the greatest ids work too', async () => {
  const world = await startWorld({ settings: { firstOfferId: '9223372036854775805' } });
  expect(idOf(await world.upload(GOOD))).toBe('9223372036854775805');
  expect((await world.get('get', '9223372036854775805')).json).toMatchObject({ state: 'queued' });
});

test('get answers with the bare record, list and listTags with data and a requestId of their own', async () => {
  const world = await startWorld();
  const { id } = await world.uploaded(GOOD);
  expect((await world.get('get', id)).json).not.toHaveProperty('data');
  const list = await world.call('/us2/public/offer/list');
  const tags = await world.get('listTags', id);
  for (const { json } of [list, tags]) {
    expect(Object.keys(json)).toEqual(['data', 'requestId']);
    expect(json['requestId']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(list.json['requestId']).not.toBe(tags.json['requestId']);
});

test('list gives the newest first, 20 to a page, pages from 0', async () => {
  const world = await startWorld();
  for (let count = 0; count < 25; count += 1) await world.uploaded(GOOD, { name: `${count}.txt` });
  const names = async (query: string) => (await world.list(query)).map((offer) => String(offer['sourceFile']));
  expect(await names('')).toEqual(Array.from({ length: 20 }, (_, at) => `${24 - at}.txt`));
  expect(await names('?page=0&size=2')).toEqual(['24.txt', '23.txt']);
  expect(await names('?page=1')).toEqual(['4.txt', '3.txt', '2.txt', '1.txt', '0.txt']);
  expect(await names('?page=8&size=3')).toEqual(['0.txt']);
  expect(await names('?page=2147483647&size=2147483647')).toEqual([]);
  expect(await names('?size=1000')).toHaveLength(25);
});

test.each(['page=-1', 'page=x', 'page=1.5', 'page=2147483648', 'size=0', 'size=-1', 'size=', 'size=99999999999'])(
  'list refuses %s',
  async (query) => {
    const world = await startWorld();
    const reply = await world.call(`/us2/public/offer/list?${query}`);
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'INVALID_PARAMETER']);
  },
);

test.each([
  ['get', '', 'The parameter offerId is missing.'],
  ['errors', '', 'The parameter offerId is missing.'],
  ['listTags', '', 'The parameter offerId is missing.'],
  ['get', '?offerId=', 'The parameter offerId is not a whole number.'],
  ['get', '?offerId=1e3', 'The parameter offerId is not a whole number.'],
  ['source', '?offerId=abc', 'The parameter offerId is not a whole number.'],
  ['get', '?offerId=9223372036854775808', 'The parameter offerId is beyond 64 bits.'],
  ['get', '?offerId=1&offerId=2', 'The parameter offerId is given more than once.'],
  ['listTags', '?offerId=1&page=0', 'The parameter page is not known here; known are offerId.'],
  ['source', '?offerid=1', 'The parameter offerid is not known here; known are offerId.'],
  ['list', '?page=0&page=1', 'The parameter page is given more than once.'],
  ['list', '?sise=5', 'The parameter sise is not known here; known are page, size.'],
])('%s%s is refused', async (operation, query, message) => {
  const world = await startWorld();
  const reply = await world.call(`/us2/public/offer/${operation}${query}`);
  expect([reply.status, errorOf(reply)]).toEqual([400, { code: 'INVALID_PARAMETER', message }]);
});

test.each(['get', 'source', 'errors', 'listTags'])('%s of an unknown offer is not found', async (operation) => {
  const world = await startWorld();
  const reply = await world.get(operation, '42');
  expect([reply.status, errorOf(reply)]).toEqual([
    404,
    { code: 'OFFER_NOT_FOUND', message: 'This login has no offer 42.' },
  ]);
});

test('errors of an upload without errors are not found', async () => {
  const world = await startWorld();
  const { id } = await world.uploaded(GOOD);
  const reply = await world.get('errors', id);
  expect([reply.status, errorOf(reply).code]).toEqual([404, 'NO_ERROR_FILE']);
});

test('an unknown path and a wrong method have JSON error bodies', async () => {
  const world = await startWorld();
  const unknown = await world.call('/us2/public/offer/nothing');
  expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'UNKNOWN_PATH']);
  const wrong = await world.call('/us2/public/offer/process');
  expect([wrong.status, errorOf(wrong).code, wrong.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST']);
  expect((await world.call('/us2/public/offer/list', { method: 'POST', body: 'x' })).status).toBe(405);
});

test('health needs no login', async () => {
  const world = await startWorld({ settings: { logins: [] } });
  expect((await world.call('/health')).json).toEqual({ status: 'up' });
  expect((await world.call('/us2/public/offer/list')).status).toBe(401);
});

test('what a kill left behind is removed at the start: half received bodies and files without a record', async () => {
  const dataDir = tempFolder();
  await mkdir(join(dataDir, 'incoming'));
  await mkdir(join(dataDir, 'files'));
  for (const name of ['incoming/half', 'files/unknown', 'files/unknown.errors'])
    await writeFile(join(dataDir, name), 'x');
  const world = await startWorld({ dataDir });
  const { id } = await world.uploaded('brand\toem\nA\t\n');
  await world.restart();
  expect((await world.get('errors', id)).status).toBe(200);
  expect(await readdir(join(dataDir, 'incoming'))).toEqual([]);
  expect(await readdir(join(dataDir, 'files'))).toHaveLength(2);
});

test('a data folder serves one sandbox at a time', async () => {
  const world = await startWorld();
  await expect(startSandbox({ dataDir: world.dataDir })).rejects.toMatchObject({ code: 'EBUSY' });
});

test('a damaged database is said', async () => {
  const dataDir = tempFolder();
  await writeFile(join(dataDir, 'sandbox.sqlite'), 'no database at all');
  await expect(startSandbox({ dataDir })).rejects.toMatchObject({
    code: 'EINVAL',
    message: expect.stringContaining('is damaged') as string,
  });
});
