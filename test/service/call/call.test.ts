import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { serve } from '../../support/http-server.ts';
import { OPERATIONS } from '../../../src/service/operations.ts';
import { createService, type Service } from '../../../src/service/service.ts';
import { replying, scripted } from '../scripted.ts';

const RECORD = { state: 'queued', createdTime: 1, lastModifiedTime: 2, linesProcessed: 0, errorFileExists: false };

/** Answers one after the other, the last one again and again. */
function inTurn(...answers: unknown[]) {
  return () => (answers.length > 1 ? answers.shift() : answers[0]);
}

describe('repeating', () => {
  test.each([
    ['no reply', replying(0, '')],
    ['503', replying(503, 'later')],
    ['429', replying(429, 'slowly')],
    ['a reply that is cut', replying(200, '{"data":[')],
  ])('%s is asked again with waits that grow', async (_name, trouble) => {
    const { service, asked, waits } = await scripted(inTurn(trouble, trouble, { data: [] }));
    expect((await service.search.search({ query: 'x' })).data).toEqual([]);
    expect([asked.length, waits]).toEqual([3, [250, 500]]);
  });

  test('it ends after three times, with the last failure', async () => {
    const { service, asked } = await scripted(replying(503, 'later'));
    await expect(service.search.advancedSearch({ searchBy: 'OFFER' })).rejects.toThrow(
      'answered 503 (the service failed): later',
    );
    expect(asked).toHaveLength(4);
  });

  test('Retry-After is waited for, but not a long one', async () => {
    const soon = await scripted(inTurn(replying(503, '', { 'retry-after': '7' }), { data: [] }));
    await soon.service.search.search({ query: 'x' });
    expect(soon.waits).toEqual([7000]);
    const late = await scripted(replying(503, '', { 'retry-after': '3000' }));
    await expect(late.service.search.search({ query: 'x' })).rejects.toThrow('answered 503');
    expect([late.asked.length, late.waits]).toEqual([1, []]);
  });

  test.each([400, 401, 404, 409])('%i is not asked again', async (status) => {
    const { service, asked } = await scripted(replying(status, 'no'));
    await expect(service.search.search({ query: 'x' })).rejects.toThrow(`answered ${status}`);
    expect(asked).toHaveLength(1);
  });

  test('an upload is never sent again', async () => {
    const { service, asked } = await scripted(replying(503, 'later'));
    const file = { name: 'a.txt', content: Buffer.from('brand\toem\n') };
    await expect(service.offers.process(file)).rejects.toMatchObject({ retryable: true });
    expect(asked).toHaveLength(1);
    expect([...OPERATIONS.values()].filter(({ repeatable }) => !repeatable).map(({ name }) => name)).toEqual([
      'process',
    ]);
  });

  test('a call that was given up is said to be, and not repeated', async () => {
    const stop = new AbortController();
    const { service, asked } = await scripted(() => {
      stop.abort();
      return replying(0, '');
    });
    const call = service.search.search({ query: 'x' }, { signal: stop.signal });
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(asked).toHaveLength(1);
  });
});

describe('a reply that stops in the middle', () => {
  const begin = (response: ServerResponse, then: () => void) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('brand\toem\n', then);
  };
  const givenUp = { code: 'interrupted', message: 'The call was cancelled.' };

  test('a file that is given up is said to be', async () => {
    const { url } = await serve((_request, response) => begin(response, () => {}));
    const stop = new AbortController();
    const file = await createService({ baseUrl: url }).offers.source({ offerId: 1 }, { signal: stop.signal });
    await once(file, 'readable');
    stop.abort('SIGINT');
    await expect(text(file)).rejects.toMatchObject(givenUp);
  });

  test('a file that breaks off is none that was given up', async () => {
    const { url } = await serve((_request, response) => begin(response, () => response.destroy()));
    const file = await createService({ baseUrl: url }).offers.source({ offerId: 1 });
    await expect(text(file)).rejects.toMatchObject({ code: 'service-unreachable', retryable: true });
  });

  test.each([
    ['a value', (service: Service, signal: AbortSignal) => service.search.search({ query: 'x' }, { signal })],
    [
      'an upload',
      (service: Service, signal: AbortSignal) =>
        service.offers.process({ name: 'a.txt', content: Buffer.from('brand\toem\n') }, { signal }),
    ],
  ])('%s that is given up is said to be', async (_what, call) => {
    const stop = new AbortController();
    const { url } = await serve((request, response) => {
      request.resume().on('end', () => begin(response, () => stop.abort('SIGINT')));
    });
    await expect(call(createService({ baseUrl: url }), stop.signal)).rejects.toMatchObject(givenUp);
  });
});

describe('offers', () => {
  test('an upload goes as bytes or as a stream', async () => {
    const { service, asked } = await scripted({ id: 5, ...RECORD });
    async function* stream() {
      yield Buffer.from('brand\t');
      yield Buffer.from('oem\n');
    }
    await service.offers.process({ name: 'a.csv', content: Buffer.from('brand;oem\n'), delimiter: ';' });
    await service.offers.process({ name: 'b.txt', content: stream(), bytes: 10, charsetName: 'UTF-8' });
    expect(asked.map(({ query }) => Object.fromEntries(query))).toEqual([{ delimiter: ';' }, { charsetName: 'UTF-8' }]);
    expect(asked[0]!.body).toContain('filename="a.csv"');
    expect(asked[1]!.body).toContain('brand\toem\n');
  });

  test('records, tags and files are read', async () => {
    const { service } = await scripted(({ path }: { path: string }) => {
      if (path.endsWith('/source')) return replying(200, 'brand\toem\n', { 'content-type': 'text/plain' });
      if (path.endsWith('/listTags')) return { data: ['front'], requestId: 'r' };
      return path.endsWith('/get') ? { id: 5, ...RECORD } : { data: [{ id: 5, ...RECORD }], requestId: 'r' };
    });
    expect(await text(await service.offers.source({ offerId: 5 }))).toBe('brand\toem\n');
    expect((await service.offers.listTags({ offerId: 5 })).data).toEqual(['front']);
    expect(await service.offers.get({ offerId: '5' })).toMatchObject({ id: '5', state: 'queued' });
    expect((await service.offers.list()).data).toHaveLength(1);
  });
});

test('the log has operation, path, status and time of every call, but no value and no credential', async () => {
  const entries: string[] = [];
  const tell = (fields: object, message: string) => void entries.push(JSON.stringify({ ...fields, message }));
  const log = { debug: tell, warn: tell };
  const auth = { type: 'bearer', token: 'S3cret' } as const;
  const { service } = await scripted(inTurn(replying(503, 'S3cret'), { data: [] }), { log, auth });
  await service.search.search({ query: 'WAUZZZ8K9AA000001' });
  expect(entries.map((entry) => JSON.parse(entry) as object)).toMatchObject([
    {
      operation: 'search',
      method: 'GET',
      path: '/us2/public/search/search',
      status: 503,
      message: 'service call failed',
    },
    { operation: 'search', status: 200, message: 'service called' },
  ]);
  expect(entries.join('')).not.toMatch(/S3cret|WAUZZZ/);
});

test('a service that is silent for too long is given up', async () => {
  const { service } = await scripted(() => new Promise(() => {}), { timeout: 50, retries: 0 });
  // The scripted answer never comes: the server holds the request.
  await expect(service.search.search({ query: 'x' })).rejects.toMatchObject({ code: 'service-unreachable' });
});

test('every function is an operation of the table, and the other way round', () => {
  const groups = Object.entries(createService({ baseUrl: 'http://127.0.0.1:1' }));
  const functions = groups.flatMap(([group, calls]) => Object.keys(calls as object).map((name) => `${group}.${name}`));
  const operations = [...OPERATIONS.values()].map(({ group, name }) => `${group}.${name}`);
  const waiting = ['offers.waitUntilProcessed', 'vehicles.waitUntilIndexed'];
  expect(functions.sort()).toEqual([...operations, ...waiting].sort());
});
