import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { controlOf } from '../support/control.ts';
import { until } from '../support/until.ts';
import { errorOf, GOOD, idOf, startWorld, type World } from './world.ts';

async function worldWith(...faults: FaultInput[]) {
  const world = await startWorld({ control: true, faults });
  return { ...world, control: controlOf(world.url()) };
}

/** What a client sees of a call whose connection breaks or stays silent. */
const NO_REPLY = expect.stringMatching(/fetch failed|terminated/) as string;

const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'a reply',
    (error: unknown) => (error as Error).message,
  );

async function accepted(world: World): Promise<(string | null)[]> {
  const uploads = await controlOf(world.url()).uploads();
  return uploads.filter(({ outcome }) => outcome === 'accepted').map(({ file }) => file);
}

test('lose-reply: the upload is accepted, and nobody hears of it', async () => {
  const world = await worldWith({ fault: 'lose-reply' });
  expect(await messageOf(world.upload(GOOD))).toEqual(NO_REPLY);
  expect(await world.list()).toMatchObject([{ state: 'queued', sourceFile: 'offers.txt' }]);
  expect((await world.upload(GOOD)).status).toBe(409);
  expect(await world.control.uploads()).toMatchObject([
    { outcome: 'accepted', by: 'client', file: 'offers.txt', bytes: GOOD.length, faults: ['lose-reply'] },
    { outcome: 'refused', status: 409, code: 'UPLOAD_UNFINISHED', file: null, faults: [] },
  ]);
});

test.each(['before', 'after'] as const)('hang %s the upload is accepted: the connection stays silent', async (when) => {
  const world = await worldWith({ fault: 'hang', when });
  const call = request(`${world.url()}/us2/public/offer/process?fileName=a.txt`, { method: 'POST' });
  const outcome = once(call, 'response').then(
    () => 'a reply',
    (error: unknown) => (error as Error).message,
  );
  call.end(GOOD);
  const wanted = when === 'after' ? 1 : 0;
  await until(async () => ((await world.control.shown())[0]?.acted === 1 ? true : undefined));
  await until(async () => (await world.list()).length === wanted || undefined);
  call.destroy();
  expect(await outcome).toBe('socket hang up');
  expect(await accepted(world)).toHaveLength(wanted);
});

test('a sandbox with a silent connection ends at once', async () => {
  const world = await worldWith({ fault: 'hang', operation: 'list' });
  const call = messageOf(world.list());
  await until(async () => (await world.control.shown())[0]?.acted === 1 || undefined);
  await world.restart();
  expect(await call).toEqual(NO_REPLY);
});

test('refuse: 503 before anything is accepted, with Retry-After', async () => {
  const world = await worldWith({ fault: 'refuse', times: 2, retryAfter: '1500ms' });
  for (const _ of [1, 2]) {
    const reply = await world.upload(GOOD);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(errorOf(reply).code).toBe('UNAVAILABLE');
  }
  expect((await world.upload(GOOD)).status).toBe(200);
  expect((await world.control.uploads()).map(({ outcome, status }) => [outcome, status])).toEqual([
    ['refused', 503],
    ['refused', 503],
    ['accepted', null],
  ]);
});

test('refuse may say anything, at any operation', async () => {
  const fault = { fault: 'refuse', operation: 'any', status: 429, code: 'SLOW_DOWN', message: 'Later.' } as const;
  const world = await worldWith({ ...fault, times: 'forever' });
  for (const path of ['list', 'get?offerId=1', 'source', 'listTags?offerId=1', 'errors?offerId=1']) {
    const reply = await world.call(`/us2/public/offer/${path}`);
    expect([reply.status, errorOf(reply)]).toEqual([429, { code: 'SLOW_DOWN', message: 'Later.' }]);
  }
  expect((await world.call('/health')).status).toBe(200);
});

test('reset: the connection breaks in the middle of the body, and nothing is left', async () => {
  const world = await worldWith({ fault: 'reset', afterBytes: 1_000_000 });
  const big = `brand\toem\n${'BOSCH\t12345\n'.repeat(500_000)}`;
  expect(await messageOf(world.upload(big))).toEqual(NO_REPLY);
  const [arrival] = await until(async () => {
    const uploads = await world.control.uploads();
    return uploads[0]?.outcome === 'broken-off' ? uploads : undefined;
  });
  expect(arrival).toMatchObject({ faults: ['reset'], file: 'offers.txt', offerId: null });
  expect(arrival?.bytes).toBeGreaterThanOrEqual(1_000_000);
  expect(arrival?.bytes).toBeLessThan(big.length);
  expect(await world.list()).toEqual([]);
  expect((await world.upload(big)).status).toBe(200);
});

test('reset: at another operation the connection breaks before the reply', async () => {
  const world = await worldWith({ fault: 'reset', operation: 'list' });
  expect(await messageOf(world.list())).toEqual(NO_REPLY);
  expect(await world.list()).toEqual([]);
});

test('a client that breaks off by itself is in the book, too', async () => {
  const world = await worldWith();
  const socket = createConnection(Number(new URL(world.url()).port), '127.0.0.1');
  socket.write(
    'POST /us2/public/offer/process?fileName=a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbrand\toem\n',
  );
  await until(async () => ((await world.control.uploads())[0]?.outcome === 'receiving' ? true : undefined));
  socket.resetAndDestroy();
  const [arrival] = await until(async () => {
    const uploads = await world.control.uploads();
    return uploads[0]?.outcome === 'broken-off' ? uploads : undefined;
  });
  expect(arrival).toMatchObject({ file: 'a.txt', bytes: 10, status: null, faults: [] });
});

test('cut-reply: the connection breaks in the middle of the reply', async () => {
  const world = await worldWith({ fault: 'cut-reply' });
  expect(await messageOf(world.upload(GOOD))).toEqual(NO_REPLY);
  expect(await accepted(world)).toEqual(['offers.txt']);
});

test('truncate: half of the JSON, as if it were all', async () => {
  const world = await worldWith({ fault: 'truncate', operation: 'list' });
  const reply = await fetch(`${world.url()}/us2/public/offer/list`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const text = await reply.text();
  expect(text).toMatch(/^\{"data"/);
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
});

test.each(['before', 'after'] as const)('html: a page instead of JSON, %s the upload is accepted', async (when) => {
  const world = await worldWith({ fault: 'html', when, status: 502 });
  const reply = await world.upload(GOOD);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
  expect(reply.text).toContain('<h1>Please wait</h1>');
  expect(await accepted(world)).toHaveLength(when === 'after' ? 1 : 0);
});

test('slow-reply: the reply comes when the time has passed on the clock of the sandbox', async () => {
  const world = await worldWith({ fault: 'slow-reply', delay: '10m' });
  let replied = false;
  const call = world.upload(GOOD).then((reply) => {
    replied = true;
    return reply;
  });
  await until(async () => (await world.list()).length === 1 || undefined);
  expect(replied).toBe(false);
  await world.control.advance('10m');
  expect(idOf(await call)).toBe('9007199254740993');
});

test('every fault may wait before it acts', async () => {
  const world = await worldWith({ fault: 'refuse', operation: 'list', delay: '1h' });
  const call = world.call('/us2/public/offer/list');
  await until(async () => (await world.control.shown())[0]?.acted === 1 || undefined);
  await world.control.advance('1h');
  expect((await call).status).toBe(503);
});
