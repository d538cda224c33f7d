import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorOf, GOOD, idOf, startWorld } from './world.ts';

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

test('each credential is a login of its own, with its own history and its own unfinished upload', async () => {
  const world = await startWorld();
  const credentials: Record<string, string>[] = [
    {},
    basic('shop', 'one'),
    basic('shop', 'two'),
    { authorization: 'Bearer one' },
    { authorization: 'bearer two' },
    { 'x-api-key': 'one' },
    { 'X-Shop-Token': 'one' },
  ];
  const ids = new Set<string>();
  for (const headers of credentials) {
    expect(await world.list('', headers)).toEqual([]);
    ids.add(idOf(await world.upload(GOOD, { headers })));
    expect((await world.upload(GOOD, { headers })).status).toBe(409);
    expect(await world.list('', headers)).toHaveLength(1);
  }
  expect(ids.size).toBe(credentials.length);
});

test("another login's offer is not found", async () => {
  const world = await startWorld();
  const { id } = await world.uploaded(GOOD, { headers: basic('shop', 'one') });
  for (const operation of ['get', 'source', 'errors', 'listTags']) {
    expect((await world.get(operation, id, basic('shop', 'two'))).status).toBe(404);
  }
});

test('ordinary headers are no credentials', async () => {
  const world = await startWorld();
  await world.upload(GOOD, {
    headers: { 'user-agent': 'a', 'x-request-id': '1', 'idempotency-key': '2', 'x-csrf-token': '3' },
  });
  expect(await world.list('', { 'user-agent': 'b' })).toHaveLength(1);
});

test('a header of any name is a credential when the settings say so', async () => {
  const world = await startWorld({ settings: { credentialHeaders: ['X-Shop'] } });
  await world.upload(GOOD, { headers: { 'x-shop': 'one' } });
  expect(await world.list('', { 'x-shop': 'one' })).toHaveLength(1);
  expect(await world.list('', { 'x-shop': 'two' })).toEqual([]);
});

test('a login is known again after a restart, and its secret is nowhere on disk', async () => {
  const world = await startWorld();
  const headers = basic('shop', 'the-secret-password');
  await world.uploaded(GOOD, { headers });
  await world.restart();
  expect(await world.list('', headers)).toHaveLength(1);
  const database =
    (await readFile(join(world.dataDir, 'sandbox.sqlite'), 'latin1')) +
    (await readFile(join(world.dataDir, 'sandbox.sqlite-wal'), 'latin1'));
  expect(database).not.toContain('the-secret-password');
  expect(database).not.toContain(headers.authorization.slice(6));
});

test('with a list of logins others are refused, and offers need the right', async () => {
  const world = await startWorld({
    settings: {
      logins: [
        { auth: { type: 'basic', user: 'shop', password: 'right' } },
        { auth: { type: 'bearer', token: 'reader' }, rights: [] },
        { auth: { type: 'header', name: 'X-Shop', value: 'north' } },
      ],
    },
  });
  const unknown = await world.upload(GOOD, { headers: basic('shop', 'wrong') });
  expect([unknown.status, errorOf(unknown)]).toEqual([
    401,
    { code: 'UNAUTHORIZED', message: 'These credentials are not known.' },
  ]);
  expect(unknown.headers.get('www-authenticate')).toBe('Basic realm="offerline sandbox"');
  const nobody = await world.call('/us2/public/offer/list');
  expect([nobody.status, errorOf(nobody).message]).toEqual([401, 'Credentials are needed.']);
  expect(nobody.json['requestId']).toMatch(/^[0-9a-f-]{36}$/);

  const reader = { authorization: 'Bearer reader' };
  const forbidden = await world.upload(GOOD, { headers: reader });
  expect([forbidden.status, errorOf(forbidden)]).toEqual([
    403,
    { code: 'FORBIDDEN', message: 'This login does not hold the right MANAGE_OFFERS.' },
  ]);
  expect(await world.list('', reader)).toEqual([]);
  expect((await world.upload(GOOD, { headers: basic('shop', 'right') })).status).toBe(200);
  expect((await world.upload(GOOD, { headers: { 'x-shop': 'north' } })).status).toBe(200);
  expect((await world.call('/health')).status).toBe(200);
});
