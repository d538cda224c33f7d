import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { AuthConfig } from '../../../src/config/schema/sources/auth.ts';
import { GOOD, startWorld } from '../../sandbox/world.ts';
import { serve } from '../../support/http-server.ts';
import { clientOf, FREELY, offerOf } from '../client.ts';

const RECORD = { state: 'queued', createdTime: 1, lastModifiedTime: 2, linesProcessed: 0, errorFileExists: false };

describe('with the sandbox', () => {
  test.each([
    ['multipart, parameters in the query', {}],
    ['multipart, parameters in the body', { parametersIn: 'body' }],
    ['a raw body', { body: 'raw' }],
  ] as const)('an upload goes all the way: %s', async (_name, layout) => {
    const world = await startWorld();
    const offers = clientOf(world.url(), { layout });
    const csv = GOOD.replaceAll(',', '|').replaceAll('\t', ';').replaceAll('|', ',');
    const pieces = [csv.slice(0, 20), csv.slice(20, 21), csv.slice(21)];
    const file = offerOf(pieces, { name: 'offerline-main-abc.csv', delimiter: ';' });
    const sent = await offers.process(file, FREELY);
    expect(sent).toMatchObject({ id: '9007199254740993', sourceFile: 'offerline-main-abc.csv', delimiter: ';' });
    await world.finish();
    expect(await offers.get(sent.id)).toMatchObject({ id: sent.id, state: 'success', linesProcessed: 2 });
    expect(await offers.listTags(sent.id)).toEqual(['brakes', 'front']);
    expect(await text(await offers.source(sent.id))).toBe(csv);
  });

  test('ids beyond 2^53 are kept both ways, and pages are followed', async () => {
    const world = await startWorld();
    const offers = clientOf(world.url());
    for (let n = 0; n < 3; n++) {
      await offers.process(offerOf([GOOD]), FREELY);
      await world.finish();
    }
    const ids = (records: { id: string }[]) => records.map((record) => record.id);
    expect(ids(await offers.list(0, 2))).toEqual(['9007199254740997', '9007199254740995']);
    expect(ids(await offers.list(1, 2))).toEqual(['9007199254740993']);
    expect((await offers.get('9007199254740995')).id).toBe('9007199254740995');
  });

  test('the errors file is downloaded', async () => {
    const world = await startWorld();
    const offers = clientOf(world.url());
    const { id } = await offers.process(offerOf([GOOD, '\tNo brand\t\t\n']), FREELY);
    await world.finish();
    expect(await text(await offers.errors(id))).toContain('No brand');
  });

  test('an upload beside an unfinished one is refused with status and text', async () => {
    const world = await startWorld();
    const offers = clientOf(world.url());
    await offers.process(offerOf([GOOD]), FREELY);
    await expect(offers.process(offerOf([GOOD]), FREELY)).rejects.toMatchObject({
      code: 'service-refused',
      retryable: false,
      details: { status: 409, text: expect.stringContaining('UPLOAD_UNFINISHED') as string },
    });
  });

  test.each<AuthConfig>([
    { type: 'basic', user: 'shop', password: secret('pässword:1') },
    { type: 'bearer', token: secret('t0ken') },
    { type: 'header', name: 'X-Api-Key', value: secret('k3y') },
  ])('a login enters by $type, and nobody else', async (auth) => {
    const entry = JSON.parse(JSON.stringify(auth)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(auth)) {
      if (typeof value === 'object') entry[key] = value.reveal();
    }
    const world = await startWorld({ settings: { logins: [{ auth: entry }] as never } });
    expect(await clientOf(world.url(), { auth }).list(0, 10)).toEqual([]);
    await expect(clientOf(world.url()).list(0, 10)).rejects.toMatchObject({
      code: 'service-unauthorized',
      details: { status: 401 },
      message: expect.stringContaining("check the login's `auth` and its right MANAGE_OFFERS") as string,
    });
  });

  test('a login without the right is told apart from a refused file', async () => {
    const auth = { type: 'bearer', token: 'reader' } as const;
    const world = await startWorld({ settings: { logins: [{ auth, rights: [] }] } });
    const offers = clientOf(world.url(), { auth: { type: 'bearer', token: secret('reader') } });
    await expect(offers.process(offerOf([GOOD]), FREELY)).rejects.toMatchObject({
      code: 'service-unauthorized',
      details: { status: 403 },
    });
  });
});

describe('replies', () => {
  const replying = async (body: unknown) => {
    const { url } = await serve((request, response) => {
      request.resume();
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    return clientOf(url);
  };

  test.each([
    ['bare', { id: 5, ...RECORD }],
    ['wrapped', { data: { id: 5, ...RECORD }, requestId: 'x' }],
    ['wrapped in a list of one', { data: [{ id: '5', ...RECORD }], requestId: 'x' }],
    ['with fields and values that are not documented', { id: 5, ...RECORD, state: 'resting', colour: { a: 1 } }],
  ])('a process reply is read: %s', async (_name, body) => {
    const offers = await replying(body);
    expect(await offers.process(offerOf([GOOD]), FREELY)).toMatchObject({ id: '5', linesProcessed: 0 });
    expect(await offers.get('5')).toMatchObject({ id: '5' });
  });

  test.each([
    [
      {
        data: [
          { id: 5, ...RECORD },
          { id: 6, ...RECORD, errorFileExists: 'no' },
        ],
      },
      'data[1].errorFileExists: expected boolean, received "no"',
    ],
    [{ data: [{ id: 1.5, ...RECORD }] }, 'data[0].id: expected an id, received 1.5'],
    [
      { data: [{ id: 5, ...RECORD, linesProcessed: null }] },
      'data[0].linesProcessed: expected a whole number, received null',
    ],
    [{ data: {} }, 'data: expected array, received {}'],
    [{ requestId: 'r-7' }, 'data: expected array, received nothing (requestId r-7)'],
    [[], 'its root: expected object, received []'],
  ])('a wrong type is named with its path: %j', async (body, path) => {
    const listing = (await replying(body)).list(0, 10);
    await expect(listing).rejects.toMatchObject({
      code: 'service-reply',
      message: expect.stringContaining(`GET /us2/public/offer/list returned an unexpected value at ${path}`) as string,
    });
  });

  test('a wrong type inside a wrapped record is named too', async () => {
    const offers = await replying({ data: { id: 5, ...RECORD, state: 7 } });
    await expect(offers.get('5')).rejects.toThrow('at state: expected string, received 7');
  });

  test.each([
    ['<!doctype html><h1>Bad gateway</h1>', 'HTML or XML', '<!doctype html><h1>Bad gateway</h1>'],
    ['{"data":[{"id":900719925474', 'something that is not JSON', '{"data":[{"id":900719925474'],
    ['', 'nothing', '(empty body)'],
    ['\u0000\u0001binary\n\nwith   space', 'something that is not JSON', 'binary with space'],
  ])('a reply that is no JSON is shown: %j', async (body, what, shown) => {
    const offers = await replying(body);
    await expect(offers.list(0, 10)).rejects.toMatchObject({
      code: 'service-reply',
      message: `GET /us2/public/offer/list returned ${what} instead of JSON: ${shown}`,
    });
    await expect(offers.process(offerOf([GOOD]), FREELY)).rejects.toMatchObject({ code: 'service-reply' });
  });

  test('a password that is the name of a state hides the name nowhere, and itself where the service repeats it', async () => {
    const offers = await replying({
      id: 5,
      ...RECORD,
      state: 'success',
      sourceFile: 'success.csv',
      error: 'no success',
    });
    secret('success');
    expect(await offers.get('5')).toMatchObject({
      state: 'success',
      sourceFile: 'success.csv',
      error: 'no [secret]',
    });
  });

  test('a text with a zero character can be kept by every ledger', async () => {
    const offers = await replying({ id: 5, ...RECORD, state: 'failed', error: 'row \0 is broken' });
    expect((await offers.get('5')).error).toBe('row \uFFFD is broken');
  });
});
