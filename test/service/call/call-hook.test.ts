import { expect, test } from 'vitest';
import type { RequestFacts, ResponseFacts, RetryFacts } from '../../../src/service/service.ts';
import { replying, scripted } from '../scripted.ts';

/** Hooks that keep what they hear. */
function heard() {
  const requests: RequestFacts[] = [];
  const responses: ResponseFacts[] = [];
  const retries: RetryFacts[] = [];
  return {
    requests,
    responses,
    retries,
    hooks: {
      onRequest: (facts: RequestFacts) => requests.push(facts),
      onResponse: (facts: ResponseFacts) => responses.push(facts),
      onRetry: (facts: RetryFacts) => retries.push(facts),
    },
  };
}

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
