import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { UploadRow } from '../../../src/ledger/schema/schema.ts';
import { getIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { newestAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { drive, type Progress } from '../../../src/upload/send/drive.ts';
import { sendOffer } from '../../../src/upload/send/send.ts';
import { startWorld, type World } from '../../sandbox/world.ts';
import { standingClock } from '../../support/clock.ts';
import { serve } from '../../support/http-server.ts';
import { contextFor, intend, leaseOf } from '../upload-world.ts';

const ROWS = [
  ['BOSCH', '0986424797', 'Brake pads', 'brakes'],
  ['ATE', '13046027822', 'Pads', ''],
];
const never = new AbortController().signal;

/** An intent to upload the rows, and a clock that stands until the test moves it. */
async function intending(url: string) {
  const clock = standingClock(Date.UTC(2026, 4, 4));
  const ctx: Context = { ...(await contextFor(url)), clock: clock.clock };
  const lease = await leaseOf(ctx);
  const work = { ...(await intend(ctx, lease, ROWS)), lease, signal: never };
  const once = async (): Promise<Progress> =>
    drive({ ...work, intent: Object.freeze(await getIntent(ctx.ledger.db, work.intent.id)) }, ctx);
  /** Goes on until the upload is closed; all waits pass at once, and the service gets on in each. */
  const toTheEnd = async (world: World): Promise<UploadRow> => {
    for (;;) {
      const progress = await once();
      if ('closed' in progress) return progress.closed;
      if (!('waitUntil' in progress)) throw new Error('denied or unsendable');
      clock.time = Math.max(clock.time, Math.ceil(progress.waitUntil - clock.ahead));
      await world.finish();
    }
  };
  const waiting = async (): Promise<UploadRow> => {
    const progress = await once();
    if (!('waitUntil' in progress)) throw new Error('closed or denied');
    clock.time = Math.max(clock.time, Math.ceil(progress.waitUntil - clock.ahead));
    return progress.upload;
  };
  return { ctx, clock, lease, work, once, waiting, toTheEnd };
}

/** The attempt as a killed worker leaves it: `sending` on disk, nobody at work. */
async function killedWhileSending({ ctx, work }: Awaited<ReturnType<typeof intending>>): Promise<void> {
  const { known_ids } = await getIntent(ctx.ledger.db, work.intent.id);
  if (known_ids === null) await updateIntent(ctx.ledger.db, work.intent.id, { known_ids: [] });
  const row = await newestAttempt(ctx.ledger.db, work.intent.id);
  await updateUpload(ctx.ledger.db, row?.id ?? '', { state: 'sending' });
}

const attempts = (ctx: Context) =>
  ctx.ledger.db.selectFrom('uploads').select(['attempt', 'state']).orderBy('attempt').execute();

test('an upload is sent, watched and closed', async () => {
  const world = await startWorld();
  const { ctx, waiting, toTheEnd } = await intending(world.url());
  expect(await waiting()).toMatchObject({ state: 'submitted', note: 'the service says queued, 0 lines' });
  const closed = await toTheEnd(world);
  expect(closed).toMatchObject({ state: 'success', adopted: 0, lines_processed: 2, note: null, waits: 0 });
  expect(await newestAttempt(ctx.ledger.db, closed.intent)).toMatchObject({
    state: 'success',
    offer_id: closed.offer_id,
  });
  expect(await world.list()).toHaveLength(1);
});

test('an upload whose sender was killed after the service had accepted it is adopted, not sent again', async () => {
  const world = await startWorld();
  const upload = await intending(world.url());
  await sendOffer({ ...upload.work, token: upload.work.token }, upload.ctx);
  await killedWhileSending(upload);
  expect(await upload.toTheEnd(world)).toMatchObject({ state: 'success', adopted: 1, attempt: 1 });
  expect(await world.list()).toHaveLength(1);
});

test('an upload whose sender was killed before it arrived is sent again after the settle window, once', async () => {
  const world = await startWorld();
  const upload = await intending(world.url());
  await killedWhileSending(upload);
  expect(await upload.toTheEnd(world)).toMatchObject({ state: 'success', adopted: 0, attempt: 2 });
  expect(await attempts(upload.ctx)).toEqual([
    { attempt: 1, state: 'lost' },
    { attempt: 2, state: 'success' },
  ]);
  expect(await world.list()).toHaveLength(1);
});

/** The service as it would be if it left `sourceFile` out of its records. */
async function nameless(world: World): Promise<string> {
  const pass = async (path: string, response: ServerResponse) => {
    const reply = await fetch(`${world.url()}${path}`);
    response.writeHead(reply.status).end((await reply.text()).replaceAll(/"sourceFile":"[^"]*",?/g, ''));
  };
  const { url } = await serve((request, response) => void pass(request.url ?? '', response));
  return url;
}

test('an accepted upload is recognised by its content when the service does not show names', async () => {
  const world = await startWorld();
  const upload = await intending(await nameless(world));
  const direct = await contextFor(world.url());
  await world.uploaded('brand\toem\nATE\tforeign\n');
  await sendOffer({ ...upload.work, token: upload.work.token }, { ...upload.ctx, offers: direct.offers });
  await killedWhileSending(upload);
  expect(await upload.toTheEnd(world)).toMatchObject({ state: 'success', adopted: 1, attempt: 1 });
  expect(await world.list()).toHaveLength(2);
});

test("someone else's unfinished upload is waited for", async () => {
  const world = await startWorld();
  await world.upload('brand\toem\nATE\t1\n');
  const { waiting, toTheEnd } = await intending(world.url());
  const { note, state } = await waiting();
  expect({ state, note }).toMatchObject({
    state: 'intended',
    note: expect.stringContaining('is unfinished') as string,
  });
  expect(await toTheEnd(world)).toMatchObject({ state: 'success', attempt: 1 });
});

test('a login that the service does not know is denied at the first probe, and the attempt waits', async () => {
  const world = await startWorld({ settings: { logins: [] } });
  const { once } = await intending(world.url());
  expect(await once()).toMatchObject({ denied: { status: 401 }, upload: { state: 'intended', refusal: null } });
});

test('a login without the right to upload is denied when it sends, and the attempt waits', async () => {
  const world = await startWorld({ settings: { logins: [{ auth: { type: 'none' }, rights: [] }] } });
  const { once } = await intending(world.url());
  expect(await once()).toMatchObject({ denied: { status: 403 }, upload: { state: 'unknown' } });
  expect(await world.list()).toEqual([]);
});

test('a poll that is denied leaves the upload as it is, and it goes on once the credentials are proved', async () => {
  const world = await startWorld();
  const { work, waiting, toTheEnd, ctx } = await intending(world.url());
  await waiting();
  const { url } = await serve((_request, response) => response.writeHead(403).end('expired'));
  const denied = await drive(work, { ...ctx, offers: (await contextFor(url)).offers });
  expect(denied).toMatchObject({ denied: { status: 403 }, upload: { state: 'submitted' } });
  expect(await toTheEnd(world)).toMatchObject({ state: 'success', attempt: 1 });
  expect(await world.list()).toHaveLength(1);
});

test('a service that swallows uploads gets each further attempt after a longer pause', async () => {
  const { url } = await serve((request, response) => {
    request.resume();
    const list = request.url?.includes('offer/list') === true;
    response.end(list ? '{"data":[],"requestId":"r"}' : '<html>welcome</html>');
  });
  const { ctx, once, clock } = await intending(url);
  const sentAt: number[] = [];
  while (sentAt.length < 5) {
    const progress = await once();
    if (!('waitUntil' in progress)) throw new Error('closed or denied');
    const { sent_at } = progress.upload;
    if (sent_at !== null && sentAt.at(-1) !== sent_at) sentAt.push(sent_at);
    clock.time = Math.ceil(progress.waitUntil);
  }
  const { settle } = ctx.config.service.poll;
  const pauses = sentAt.slice(1).map((at, n) => Math.round((at - (sentAt[n] ?? 0)) / settle));
  expect(pauses).toEqual([1, 2, 3, 5]);
});

test('a service that is down is asked again, and what it did not answer is remembered', async () => {
  const { ctx, waiting } = await intending('http://127.0.0.1:1');
  const first = await waiting();
  expect(first).toMatchObject({ state: 'intended', waits: 1 });
  expect(await waiting()).toMatchObject({ state: 'intended', waits: 2, silent_since: first.silent_since });
  expect(await attempts(ctx)).toEqual([{ attempt: 1, state: 'intended' }]);
});

test('a driver whose lease was taken over writes nothing and sends nothing', async () => {
  const world = await startWorld();
  const { ctx, once, work } = await intending(world.url());
  await ctx.ledger.db.updateTable('leases').set({ until: 0 }).execute();
  await expect(once()).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await world.list()).toEqual([]);
  expect(await newestAttempt(ctx.ledger.db, work.intent.id)).toMatchObject({ state: 'intended', waits: 0 });
});

test('a driver that is told to stop does nothing more', async () => {
  const world = await startWorld();
  const { ctx, work } = await intending(world.url());
  const stopped = AbortSignal.abort(new Error('stop'));
  await expect(drive({ ...work, signal: stopped }, ctx)).rejects.toThrow('stop');
  expect(await world.list()).toEqual([]);
});
