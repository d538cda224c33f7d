import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { REST, restingSource, sourceDenied, sourceTaken } from '../../../src/jobs/feeds/source-denial.ts';
import { standingNotes } from '../../../src/jobs/queries/feed-standing.ts';
import { startDue } from '../../../src/jobs/queue/schedule.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { serve } from '../../support/http-server.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;

/** A feed that is due every five minutes at a server which knows one password, and a clock that is set by hand. */
async function feed(password: string, refusal = 401) {
  let asked = 0;
  const { url } = await serve((request, response) => {
    if (request.headers.authorization !== undefined) asked += 1;
    const right = `Basic ${Buffer.from('me:right').toString('base64')}`;
    response.statusCode = request.headers.authorization === right ? 200 : refusal;
    response.end('brand;oem\nATE;1\n');
  });
  const source = { type: 'http', url: `${url}/prices.csv`, auth: { type: 'basic', user: 'me', password } };
  const schedule = { cron: '*/5 * * * *', timezone: 'UTC' };
  const real = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source, schedule } } });
  let now = Date.UTC(2026, 4, 4, 6);
  const ctx: Context = { ...real, clock: { ...real.clock, now: () => now } };
  await feedState(ctx.ledger.db, 'north', 'main');
  return { ctx, pass: (ms: number) => (now += ms), asked: () => asked };
}

/** What the schedule does when a feed is due: false when its source is left alone. */
async function due(ctx: Context): Promise<boolean> {
  await updateFeed(ctx.ledger.db, 'north', { next_due: ctx.clock.now() });
  const id = await startDue('north', ctx);
  if (id === null) return false;
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL).catch((error: unknown) => error);
  return true;
}

test('a wrong password is tried three times, then once an hour', async () => {
  const { ctx, pass, asked } = await feed('wrong');
  const minutes = Array.from({ length: 36 });
  for (const _ of minutes) {
    await due(ctx);
    pass(300_000);
  }
  // At 0, 5 and 10 minutes, then at 70 and 130.
  expect(asked()).toBe(5);
});

test.each([403, 407])('access that is refused with %i is left alone as a wrong password is', async (refusal) => {
  const { ctx, asked } = await feed('wrong', refusal);
  for (let tries = 0; tries < 5; tries++) await due(ctx);
  expect(asked()).toBe(3);
});

test('a source that is only broken is asked each time', async () => {
  const { ctx, asked } = await feed('wrong', 404);
  for (let tries = 0; tries < 5; tries++) await due(ctx);
  expect(asked()).toBe(5);
});

test('other credentials are tried at once, and the right ones end it', async () => {
  const { ctx, asked } = await feed('wrong');
  for (let tries = 0; tries < 3; tries++) await due(ctx);
  expect(await due(ctx)).toBe(false);
  const north = ctx.config.feeds['north']!;
  const auth = { type: 'basic', user: 'me', password: secret('right') } as const;
  const corrected = {
    ...ctx.config,
    feeds: { north: { ...north, source: { ...north.source, auth } as typeof north.source } },
  };
  const after = { ...ctx, config: corrected };
  expect(await due(after)).toBe(true);
  expect(asked()).toBe(4);
  expect(await restingSource('north', ctx)).toBeNull();
});

test('a person may ask at any time, which counts', async () => {
  const { ctx, pass, asked } = await feed('wrong');
  for (let tries = 0; tries < 3; tries++) await due(ctx);
  pass(REST - 1);
  const manual = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...manual, now: ctx.clock.now() });
  await expect(pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)).rejects.toMatchObject({
    code: 'pull-failed',
  });
  pass(2);
  expect(await due(ctx)).toBe(false);
  expect(asked()).toBe(4);
});

test('a clock that was set back lets it be asked, and who looks is told since when', async () => {
  const { ctx, pass } = await feed('wrong');
  for (let tries = 0; tries < 3; tries++) await sourceDenied('north', ctx);
  const [note] = await standingNotes(await feedState(ctx.ledger.db, 'north', 'main'), undefined, ctx);
  expect(note).toContain('has refused its credentials since');
  expect(note).toContain('(3 times); the schedule asks again from');
  pass(-86_400_000);
  expect(await restingSource('north', ctx)).toBeNull();
  pass(86_400_000);
  expect(await restingSource('north', ctx)).toMatchObject({ tries: 3 });
  await sourceTaken('north', ctx);
  expect(await restingSource('north', ctx)).toBeNull();
});

test('nothing of the credentials is kept', async () => {
  const { ctx } = await feed('very-secret-word');
  await sourceDenied('north', ctx);
  const rows = await ctx.ledger.db.selectFrom('source_denials').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('very-secret');
});
