import { expect, test } from 'vitest';
import { rollback } from '../../../src/jobs/decisions/rollback.ts';
import { eventsOf, getRun } from '../../../src/ledger/runs/runs.ts';
import { verifiedUploads } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const FOREIGN = 'brand\toem\tprice\nATE\t7\t1.50\nATE\t8\t2\nATE\t9\t3\n';

test('what the service held before the first upload is archived as the baseline, and rollback brings it back', async () => {
  const { world, ctx, deliver, live, toRest } = await laneWorld();
  const { id } = await world.uploaded(FOREIGN);
  expectLive(await deliver('1', '2'));
  const good = await verifiedUploads(ctx.ledger.db, 'main');
  expect(good.map(({ intent, dataset }) => [intent.cause, dataset.rows])).toEqual([
    ['composed', 2],
    ['baseline', 3],
  ]);
  const { intent } = await rollback(
    'main',
    undefined,
    { who: 'ops', reason: 'the old prices', via: 'cli', origin: null },
    ctx,
  );
  await toRest();
  expect(await live()).toEqual(['7', '8', '9']);
  expect((await world.call('/us2/public/offer/source')).text).toBe(FOREIGN);
  const [now] = await verifiedUploads(ctx.ledger.db, 'main');
  expect(now).toMatchObject({ intent: { id: intent.id, result: 'met' } });
  await expect(
    rollback('main', id, { who: 'ops', reason: 'again', via: 'cli', origin: null }, ctx),
  ).resolves.toBeDefined();
});

test.each([
  ['CSV with semicolons', 'brand;oem;name\nATE;7;"a;b"\nATE;8;c\n', { name: 'a.csv', query: '?delimiter=%3B' }, 'csv'],
  ['UTF-16', Buffer.from('\uFEFFbrand\toem\nATE\t7\nATE\t8\n', 'utf16le'), {}, 'txt'],
] as const)('a baseline in %s is sent again as it came', async (_what, content, options, layout) => {
  const { world, ctx, deliver, toRest } = await laneWorld();
  const before = await world.uploaded(content, options);
  expect(before).toMatchObject({ state: 'success' });
  expectLive(await deliver('1', '2'));
  await rollback('main', undefined, { who: 'ops', reason: 'x', via: 'cli', origin: null }, ctx);
  await toRest();
  const [now] = await verifiedUploads(ctx.ledger.db, 'main');
  expect(now?.intent.receipt).toMatchObject({ verified: true });
  expect(now?.dataset.offer).toMatchObject({ layout });
});

test('a first upload that was refused and taken all the same is no baseline: its run is amended, and nothing is sent again', async () => {
  const { world, ctx, control, deliver, live, uploads } = await laneWorld();
  await control.faults({ fault: 'refuse', status: 409 });
  const refused = await deliver('1', '2');
  expect(refused).toMatchObject({ outcome: 'failed' });
  const { token, state } = await ctx.ledger.db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow();
  expect(state).toBe('refused');
  const content = 'brand\toem\tname\ttags\nBOSCH\t1\t\t\nBOSCH\t2\t\t\n';
  await world.uploaded(content, { name: `offerline-main-${token}.txt` });
  expect(await deliver('1', '2')).toMatchObject({ outcome: 'unchanged' });
  expect(await getRun(ctx.ledger.db, refused.id)).toMatchObject({ outcome: 'live', amended: 'failed' });
  expect(await live()).toEqual(['1', '2']);
  expect(await uploads()).toHaveLength(1);
  expect((await verifiedUploads(ctx.ledger.db, 'main')).map(({ intent }) => intent.cause)).toEqual(['composed']);
});

test("the first upload must not shrink what was there: the login's guard compares with the baseline", async () => {
  const { world, deliver, live } = await laneWorld();
  await world.uploaded(FOREIGN);
  const run = await deliver('1');
  expect(run).toMatchObject({ outcome: 'held', reason: expect.stringContaining('from 3 to 1 rows') as string });
  expect(await live()).toEqual(['7', '8', '9']);
});

test('an empty baseline is no rollback target, and no guard compares with it', async () => {
  const { world, ctx, deliver } = await laneWorld({ guard: { maxRowGrowth: '10%' } });
  await world.uploaded('brand\toem\n');
  expectLive(await deliver('1'));
  await expect(
    rollback('main', undefined, { who: 'ops', reason: 'x', via: 'cli', origin: null }, ctx),
  ).rejects.toMatchObject({
    code: 'conflict',
  });
});

test.each([
  [{ fault: 'refuse', operation: 'source', status: 403 }, 'answered 403'],
  [{ fault: 'html', operation: 'source' }, 'cannot be read as a table'],
] as const)('a baseline that cannot be had is said, and the upload goes on (%j)', async (fault, why) => {
  const { world, ctx, control, deliver } = await laneWorld();
  await world.uploaded(FOREIGN);
  await control.faults(fault);
  const run = await deliver('1');
  expectLive(run);
  const events = (await eventsOf(ctx.ledger.db, run.id)).map(({ message }) => message);
  expect(events.find((message) => message.includes('taken over'))).toContain(why);
});

test('a service that does not answer before the first upload is waited for, and the run answers in time', async () => {
  const { ctx, control, deliver, world, uploads } = await laneWorld(
    {},
    { poll: { initial: '5ms', max: '20ms', settle: '40ms', patience: '30ms' } },
  );
  await world.uploaded(FOREIGN);
  await control.faults({ fault: 'refuse', operation: 'list', times: 12 });
  const run = await deliver('1', '2');
  expectLive(run);
  expect(run).toMatchObject({ amended: 'failed' });
  expect((await verifiedUploads(ctx.ledger.db, 'main')).map(({ intent }) => intent.cause)).toEqual([
    'composed',
    'baseline',
  ]);
  expect(await uploads()).toHaveLength(2);
});
