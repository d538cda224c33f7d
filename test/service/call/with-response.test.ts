import { expect, expectTypeOf, test } from 'vitest';
import { Agent } from 'undici';
import { atEnd } from '../../support/at-end.ts';
import { replying, scripted } from '../scripted.ts';

const HEADERS = { 'content-type': 'application/json', 'x-limit-left': '41', 'set-cookie': 'a=1' };
const RECORD = {
  id: 5,
  state: 'queued',
  createdTime: 1,
  lastModifiedTime: 2,
  linesProcessed: 0,
  errorFileExists: false,
};

test('status and headers are given beside the reply', async () => {
  const { service } = await scripted(replying(203, '{"data":[],"requestId":"r"}', HEADERS));
  const { reply, status, headers } = await service.search.search.withResponse({ query: 'x' }, { retries: 0 });
  expect([reply.requestId, status, headers['x-limit-left']]).toEqual(['r', 203, '41']);
  expectTypeOf(reply).toEqualTypeOf<Awaited<ReturnType<typeof service.search.search>>>();
});

test('uploads, files and operations of a catalog have them as well', async () => {
  const { service } = await scripted(({ path }: { path: string }) => {
    if (path.endsWith('/process')) return replying(202, JSON.stringify(RECORD), HEADERS);
    if (path.endsWith('/errors')) return replying(200, 'a\tb\n', { 'x-limit-left': '41' });
    return path.endsWith('Info')
      ? { name: 'A', code: 'AU1', operations: [{ name: 'byModel' }] }
      : replying(200, '[]', HEADERS);
  });
  const file = { name: 'a.txt', content: Buffer.from('brand\toem\n') };
  expect(await service.offers.process.withResponse(file)).toMatchObject({ reply: { id: '5' }, status: 202 });
  const errors = await service.offers.errors.withResponse({ offerId: 5 });
  expect(errors.headers).toMatchObject({ 'x-limit-left': '41' });
  expect(await errors.reply.toArray()).toEqual([Buffer.from('a\tb\n')]);
  const found = await service.catalog.execCustomOperation.withResponse({ catalog: 'AU1', operation: 'byModel' });
  expect(found).toMatchObject({ reply: [], status: 200, headers: { 'x-limit-left': '41' } });
});

test('a dispatcher of the caller sends every call, uploads too', async () => {
  const agent = new Agent({ connections: 1 });
  atEnd(() => agent.close());
  const sent: string[] = [];
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    sent.push(`${options.method} ${options.path}`);
    return dispatch(options, handler);
  });
  const { service } = await scripted(RECORD, { dispatcher });
  await service.offers.get({ offerId: 5 });
  await service.offers.process({ name: 'a.txt', content: Buffer.from('brand\toem\n') });
  expect(sent).toEqual(['GET /us2/public/offer/get?offerId=5', 'POST /us2/public/offer/process']);
});
