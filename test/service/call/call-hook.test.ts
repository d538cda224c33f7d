import { expect, test } from 'vitest';
import type { EndFacts, RequestFacts, ResponseFacts, RetryFacts } from '../../../src/service/service.ts';
import { replying, scripted } from '../scripted.ts';

/** Hooks that keep what they hear. */
function heard() {
  const requests: RequestFacts[] = [];
  const responses: ResponseFacts[] = [];
  const ends: EndFacts[] = [];
  const retries: RetryFacts[] = [];
  return {
    requests,
    responses,
    ends,
    retries,
    hooks: {
      onRequest: (facts: RequestFacts) => requests.push(facts),
      onResponse: (facts: ResponseFacts) => responses.push(facts),
      onEnd: (facts: EndFacts) => ends.push(facts),
      onRetry: (facts: RetryFacts) => retries.push(facts),
    },
  };
}

const RECORD = { state: 'queued', createdTime: 1, lastModifiedTime: 1, linesProcessed: 0, errorFileExists: false };
const SHORT = '/us2/public/advancedSearch';
const LONG = '/us2/public/search/advancedSearch';

test('hooks hear of every request, its reply, and why it is sent again', async () => {
  const { requests, responses, retries, hooks } = heard();
  const answers = [replying(0, ''), replying(503, 'later', { 'retry-after': '7' }), { data: [] }];
  const { service } = await scripted(() => answers.shift(), hooks);
  await service.search.search({ query: 'WAUZZZ8K9AA000001' });
  const known = { operation: 'search', method: 'GET', path: '/us2/public/search/search' };
  expect(requests).toEqual([
    { ...known, attempt: 1 },
    { ...known, attempt: 2 },
    { ...known, attempt: 3 },
  ]);
  expect(responses).toMatchObject([
    { ...known, attempt: 2, status: 503, headers: { 'retry-after': '7' }, ms: 0 },
    { ...known, attempt: 3, status: 200, ms: 0 },
  ]);
  expect(retries).toMatchObject([
    { operation: 'search', attempt: 1, wait: 250, error: { code: 'service-unreachable' } },
    { operation: 'search', attempt: 2, wait: 7000, error: { code: 'service-refused', details: { status: 503 } } },
  ]);
  expect(JSON.stringify([requests, responses, retries])).not.toContain('WAUZZZ');
});

test('the second spelling of a path is a request of its own, and no retry', async () => {
  const { requests, retries, hooks } = heard();
  const { service } = await scripted(
    ({ path }: { path: string }) => (path === LONG ? { data: [] } : replying(404, 'no')),
    hooks,
  );
  await service.search.advancedSearch({ searchBy: 'OFFER' });
  expect(requests.map(({ path, attempt }) => [path, attempt])).toEqual([
    [SHORT, 1],
    [LONG, 1],
  ]);
  expect(retries).toEqual([]);
});

test('an upload and a file are heard of as well', async () => {
  const { responses, hooks } = heard();
  const { service } = await scripted(replying(409, 'busy'), hooks);
  await expect(service.offers.process({ name: 'a.txt', content: Buffer.from('x') })).rejects.toThrow('answered 409');
  await expect(service.offers.errors({ offerId: 1 })).rejects.toThrow('answered 409');
  expect(responses.map(({ operation, status }) => [operation, status])).toEqual([
    ['process', 409],
    ['errors', 409],
  ]);
});

test('the end of a request is heard of with its status and requestId, also without a reply', async () => {
  const { ends, hooks } = heard();
  const answers = [
    replying(0, ''),
    replying(400, '{"message":"no","requestId":"r-1"}'),
    { data: [], requestId: 'r-2' },
    replying(200, '{"data":[]}', { 'x-request-id': 'r-3' }),
    replying(200, 'no JSON', { 'x-request-id': 'r-4' }),
    { data: { ...RECORD, id: 5 }, requestId: 'r-5' },
  ];
  const { service } = await scripted(() => answers.shift(), { ...hooks, retries: 0 });
  const search = () => service.search.search({ query: 'WAUZZZ8K9AA000001' }).catch(() => undefined);
  for (let call = 0; call < 5; call++) await search();
  expect(await service.offers.get({ offerId: 5 })).toMatchObject({ id: '5', requestId: 'r-5' });
  expect(ends.map(({ status, requestId, error }) => [status, requestId, error?.code ?? null])).toEqual([
    [null, null, 'service-unreachable'],
    [400, 'r-1', 'service-refused'],
    [200, 'r-2', null],
    [200, 'r-3', null],
    [200, 'r-4', 'service-reply'],
    [200, 'r-5', null],
  ]);
  expect(ends[0]).toMatchObject({ operation: 'search', method: 'GET', attempt: 1, ms: 0 });
  expect(JSON.stringify(ends)).not.toContain('WAUZZZ');
});

test('a request that its caller gave up has ended as interrupted', async () => {
  const { ends, hooks } = heard();
  const stop = new AbortController();
  const { service } = await scripted(
    () => {
      stop.abort();
      return replying(0, '');
    },
    { ...hooks, retries: 0 },
  );
  await expect(service.search.search({ query: 'x' }, { signal: stop.signal })).rejects.toThrow('cancelled');
  expect(ends).toMatchObject([{ status: null, error: { code: 'interrupted' } }]);
});

test('a hook that throws, at once or later, costs no reply and is logged', async () => {
  const warnings: object[] = [];
  const log = { debug: () => {}, warn: (fields: object) => warnings.push(fields) };
  const { service } = await scripted(
    { data: [], requestId: 'r' },
    {
      log,
      onRequest: () => {
        throw new Error('no disk');
      },
      onResponse: () => Promise.reject(new Error('no net')),
    },
  );
  expect(await service.search.search({ query: 'x' })).toMatchObject({ requestId: 'r' });
  expect(warnings).toEqual([
    { hook: 'onRequest', operation: 'search', error: 'no disk' },
    { hook: 'onResponse', operation: 'search', error: 'no net' },
  ]);
});
