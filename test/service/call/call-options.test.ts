import { describe, expect, test } from 'vitest';
import type { CallOptions, ServiceOptions } from '../../../src/service/service.ts';
import { replying, scripted } from '../scripted.ts';

const silent = () => new Promise(() => {});

describe('what is said about one call', () => {
  test('is for that call: the next one is as the client has it', async () => {
    const { service, asked } = await scripted(replying(503, 'later'), { retries: 2 });
    await expect(service.search.search({ query: 'x' }, { retries: 0 })).rejects.toThrow('answered 503');
    expect(asked).toHaveLength(1);
    await expect(service.search.search({ query: 'x' })).rejects.toThrow('answered 503');
    expect(asked).toHaveLength(4);
  });

  test('headers are sent beside those of the client', async () => {
    const { service, asked } = await scripted({ data: [] }, { auth: { type: 'bearer', token: 't0ken' } });
    await service.search.search({ query: 'x' }, { headers: { 'X-Trace': 'a-1', Accept: 'application/json' } });
    await service.search.advancedSearch({ searchBy: 'OFFER' }, { headers: { 'x-trace': 'a-2' } });
    expect(asked.map(({ headers }) => headers)).toMatchObject([
      { 'x-trace': 'a-1', accept: 'application/json', authorization: 'Bearer t0ken' },
      { 'x-trace': 'a-2', 'content-type': 'application/json', authorization: 'Bearer t0ken' },
    ]);
  });

  test('a timeout ends the silence of that call', async () => {
    const { service } = await scripted(silent);
    const call = service.search.search({ query: 'x' }, { timeout: 50, retries: 0 });
    await expect(call).rejects.toMatchObject({ code: 'service-unreachable' });
  });

  test.each<[string, object, string]>([
    ['a misspelt name', { retrys: 1 }, 'retrys is not known; did you mean retries?'],
    ['a time that is none', { timeout: '5s' }, 'timeout has to be a whole number of milliseconds from 1 to 2147483647'],
    ['a time that no timer can keep', { deadline: Infinity }, 'deadline has to be a whole number of milliseconds'],
    ['a header that identifies a login', { headers: { Authorization: 'x' } }, 'Authorization is written by the client'],
    ['the header of the login', { headers: { 'x-KEY': 'x' } }, 'the header x-KEY is written by the client'],
    ['a header that would begin another', { headers: { 'x-a': 'b\r\nhost: c' } }, 'the header x-a has to be one line'],
    ['a name that no header has', { headers: { 'x a': 'b' } }, '"x a" is no name of a header'],
  ])('%s is refused before anything is sent', async (_name, options, message) => {
    const { service, asked } = await scripted({ data: [] }, { auth: { type: 'header', name: 'X-Key', value: 'k' } });
    const call = service.search.search({ query: 'x' }, options);
    await expect(call).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message) as string,
      details: { operation: 'search' },
    });
    expect(asked).toEqual([]);
  });

  test('an upload cannot be told to be sent again', async () => {
    const { service, asked } = await scripted(replying(503, 'later'));
    const file = { name: 'a.txt', content: Buffer.from('brand\toem\n') };
    const options = { retries: 2 } as CallOptions;
    await expect(service.offers.process(file, options)).rejects.toThrow('an upload is never sent again');
    expect(asked).toEqual([]);
  });
});

describe('the deadline of a call', () => {
  test.each<[string, Partial<ServiceOptions>, CallOptions]>([
    ['said for the call', {}, { deadline: 60 }],
    ['said for the client', { deadline: 60 }, {}],
    ['said for both: that of the call', { deadline: 60_000 }, { deadline: 60 }],
  ])('ends it though the service is never silent for long, %s', async (_name, options, given) => {
    const { service, asked } = await scripted(silent, options);
    await expect(service.search.search({ query: 'x' }, given)).rejects.toMatchObject({
      code: 'service-unreachable',
      retryable: true,
      message: 'search: no whole reply within 60 ms, the deadline of the call.',
      details: { deadline: 60 },
    });
    // On a busy machine the time may be over before the service hears of it.
    expect(asked.length).toBeLessThan(2);
  });

  test('begins no wait that would end after it, and then gives the last failure', async () => {
    const { service, asked, waits } = await scripted(replying(503, 'later'));
    const call = service.search.search({ query: 'x' }, { deadline: 20_000, retries: 100 });
    await expect(call).rejects.toThrow('answered 503');
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThan(20_000);
    expect(asked).toHaveLength(waits.length + 1);
  });

  test('ends an upload', async () => {
    const { service } = await scripted(silent);
    const file = { name: 'a.txt', content: Buffer.from('brand\toem\n') };
    const call = service.offers.process(file, { deadline: 60 });
    await expect(call).rejects.toMatchObject({ code: 'service-unreachable', details: { deadline: 60 } });
  });

  test('a caller who gives up first is told so', async () => {
    const stop = new AbortController();
    const { service } = await scripted(() => {
      stop.abort();
      return silent();
    });
    const call = service.search.search({ query: 'x' }, { deadline: 600_000, signal: stop.signal });
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('covers both requests of a custom operation', async () => {
    const info = { name: 'A', code: 'AU1', operations: [{ name: 'byModel', fields: [] }] };
    let now = 0;
    const { service } = await scripted(
      ({ path }: { path: string }) => {
        now += 400;
        return path.endsWith('getCatalogInfo') ? info : silent();
      },
      { clock: { now: () => now, wait: () => Promise.resolve() } },
    );
    const call = service.catalog.execCustomOperation({ catalog: 'AU1', operation: 'byModel' }, { deadline: 450 });
    await expect(call).rejects.toMatchObject({ code: 'service-unreachable', details: { deadline: 50 } });
  });
});
