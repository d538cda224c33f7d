import { readlinkSync, readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { sendOffer } from '../../../src/upload/send/send.ts';
import { startWorld } from '../../sandbox/world.ts';
import { serve } from '../../support/http-server.ts';
import { startReceiver } from '../receiver.ts';
import { contextFor, intend, leaseOf } from '../upload-world.ts';

const ROWS = [
  ['BOSCH', '0986424797', 'Brake pads', 'brakes'],
  ['ATE', '13046027822', 'Pads', ''],
];
const manyRows = (count: number) => Array.from({ length: count }, (_, n) => ['BOSCH', `${n}`, 'x'.repeat(200), '']);
const never = () => new AbortController().signal;

async function sending(url: string, written: Parameters<typeof contextFor>[1] = {}, rows = ROWS) {
  const ctx = await contextFor(url, written);
  const lease = await leaseOf(ctx);
  return { ctx, send: { ...(await intend(ctx, lease, rows)), lease, signal: never() } };
}

test('an accepted upload answers with its record, and its name carries the token', async () => {
  const world = await startWorld();
  const { ctx, send } = await sending(world.url());
  expect(await sendOffer(send, ctx)).toMatchObject({
    type: 'accepted',
    record: { id: '9007199254740993', state: 'queued', sourceFile: `offerline-main-${send.token}.txt` },
  });
  expect(await text(await ctx.offers('main').source('9007199254740993'))).toContain('ATE\t13046027822\tPads\t\n');
});

test('a zip carries the token outside and inside', async () => {
  const world = await startWorld();
  const { ctx, send } = await sending(world.url(), { offer: { zip: true } });
  expect(await sendOffer(send, ctx)).toMatchObject({
    record: { sourceFile: `offerline-main-${send.token}.zip` },
  });
  await world.finish();
  expect(await ctx.offers('main').get('9007199254740993')).toMatchObject({ state: 'success', linesProcessed: 2 });
});

test.each([
  [400, 'refused'],
  [401, 'refused'],
  [409, 'refused'],
  [413, 'refused'],
  [408, 'unclear'],
  [425, 'unclear'],
  [429, 'throttled'],
  [301, 'unclear'],
  [500, 'unclear'],
  [502, 'unclear'],
])('%i is %s', async (status, type) => {
  const { url } = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end('because'));
  });
  const { ctx, send } = await sending(url);
  const event = await sendOffer(send, ctx);
  expect(event.type).toBe(type);
  expect(JSON.stringify(event)).toContain('because');
});

test.each([
  ['a small body', ROWS],
  ['a large body', manyRows(60_000)],
])('a service that refuses before it has read %s, and closes, is heard', async (_what, rows) => {
  const { url } = await serve((_request, response) => {
    response.writeHead(403, { connection: 'close' }).end('not you');
  });
  const { ctx, send } = await sending(url, {}, rows);
  for (let n = 0; n < 20; n++) {
    expect(await sendOffer(send, ctx)).toMatchObject({ type: 'refused', refusal: { status: 403 } });
  }
});

test('HTML instead of JSON says nothing of the outcome', async () => {
  const { url } = await serve((request, response) => {
    request.resume().on('end', () => response.end('<html>Thank you'));
  });
  const { ctx, send } = await sending(url);
  expect(await sendOffer(send, ctx)).toMatchObject({ type: 'unclear', why: expect.stringContaining('HTML') as string });
});

test('Retry-After is passed on', async () => {
  const { url } = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(503, { 'retry-after': '5' }).end());
  });
  const { ctx, send } = await sending(url);
  expect(await sendOffer(send, ctx)).toMatchObject({ type: 'unclear', retryAfter: 5000 });
});

test('a closed port was never connected, and no file stays open', async () => {
  const { ctx, send } = await sending('http://127.0.0.1:1');
  for (let n = 0; n < 3; n++) expect((await sendOffer(send, ctx)).type).toBe('not-connected');
  const target = ctx.archive.file(send.dataset.sha256).unverifiedPath;
  const open = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === target);
  expect(open).toEqual([]);
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

test('a server that takes the body and stays silent is noticed', async () => {
  const receiver = await startReceiver();
  const { ctx, send } = await sending(receiver.url, { service: { timeout: '300ms' } });
  expect(await sendOffer(send, ctx)).toMatchObject({ type: 'unclear', retryAfter: null });
  await receiver.closed;
});

test('a server that stops reading in mid-body is noticed, and the connection is closed', async () => {
  const receiver = await startReceiver({ deaf: true });
  const { ctx, send } = await sending(receiver.url, { service: { timeout: '300ms' } }, manyRows(60_000));
  expect(await sendOffer(send, ctx)).toMatchObject({ type: 'unclear' });
});

test('a connection that is reset in mid-body leaves the outcome open', async () => {
  const { url } = await serve((request) => void request.once('data', () => request.socket.resetAndDestroy()));
  const { ctx, send } = await sending(url, {}, manyRows(60_000));
  expect(await sendOffer(send, ctx)).toMatchObject({ type: 'unclear' });
});

test('a lease that was taken over ends the upload with lease-lost', async () => {
  const world = await startWorld();
  const { ctx, send } = await sending(world.url());
  await ctx.ledger.db.updateTable('leases').set({ until: 0 }).execute();
  await expect(sendOffer(send, ctx)).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await world.list()).toEqual([]);
});

test('a worker that is told to stop lets an upload that is nearly done finish', async () => {
  const receiver = await startReceiver();
  const { ctx, send } = await sending(receiver.url);
  const stop = new AbortController();
  const sent = sendOffer({ ...send, signal: stop.signal }, ctx);
  await receiver.saw('Pads');
  stop.abort(new OfferlineError('interrupted', 'told to stop'));
  const record = { id: 7, state: 'queued', createdTime: 1, lastModifiedTime: 1, linesProcessed: 0 };
  receiver.answer('200 OK', JSON.stringify({ ...record, errorFileExists: false }));
  expect(await sent).toMatchObject({ type: 'accepted', record: { id: '7' } });
});
