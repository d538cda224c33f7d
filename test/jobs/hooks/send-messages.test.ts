import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listIncidents, raise } from '../../../src/ledger/alerts/incidents.ts';
import { failingHooks, failureOf } from '../../../src/ledger/hooks/failures.ts';
import { forgetUntold, newestMessages } from '../../../src/ledger/hooks/messages.ts';
import { hookAnswers, messageAnswers } from '../../../src/jobs/hooks/answer.ts';
import { handOutEvents } from '../../../src/jobs/hooks/hand-out.ts';
import { replayHook, testHook } from '../../../src/jobs/hooks/test-hook.ts';
import { openTelling } from '../../../src/jobs/hooks/tell-hooks.ts';
import { notifyOfIncidents } from '../../../src/jobs/alerts/notify.ts';
import { createRun, decideRun } from '../../../src/ledger/runs/runs.ts';
import { decided } from '../../support/answers.ts';
import { newestMails } from '../../../src/ledger/alerts/mails.ts';
import { answering, answeringInTurn, HOOK_SECRET, isSigned, receiveHooks } from '../../support/hook-receiver.ts';
import { serve } from '../../support/http-server.ts';
import { until } from '../../support/until.ts';
import { BY, goRight, goWrong, hookTo, hookWorld, HOUR, MINUTE, START, tell, typesOf } from './hook-world.ts';

const SIGNAL = new AbortController().signal;

async function stateOf(ctx: Awaited<ReturnType<typeof hookWorld>>['ctx'], hook = 'ops'): Promise<string[]> {
  const rows = await newestMessages(ctx.ledger.db, { hook, limit: 100 });
  return rows.toReversed().map(({ event, state }) => `${event} ${state}`);
}

test('what happens is told once, signed, in order', async () => {
  const receiver = await receiveHooks();
  const { ctx } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await goRight(ctx);
  await tell(ctx);
  await tell(ctx);
  expect(typesOf(receiver)).toEqual(['incident.opened', 'incident.closed']);
  const [opened] = receiver.received;
  expect(isSigned(opened!, HOOK_SECRET)).toBe(true);
  expect(opened!.payload).toMatchObject({
    timestamp: new Date(START).toISOString(),
    sandbox: false,
    data: { kind: 'credentials', severity: 'high', login: 'main', feed: null, change: null, since: START, until: null },
  });
  expect(await stateOf(ctx)).toEqual(['incident.opened sent', 'incident.closed sent']);
});

test('a message that fails is sent again under the same id, after growing pauses', async () => {
  const receiver = await receiveHooks(answeringInTurn(500, 500, 200));
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await tell(ctx);
  await tell(ctx);
  expect(receiver.received).toHaveLength(1);
  time.now = START + 15_000;
  await tell(ctx);
  time.now += 29_000;
  await tell(ctx);
  expect(receiver.received).toHaveLength(2);
  time.now += 1000;
  await tell(ctx);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(await stateOf(ctx)).toEqual(['incident.opened sent']);
  expect(await failureOf(ctx.ledger.db, 'ops')).toBeUndefined();
});

test('nothing about an incident passes an earlier message by; others go on', async () => {
  const receiver = await receiveHooks((response, { payload }) => {
    response.writeHead(payload.data['kind'] === 'credentials' ? 422 : 200).end();
  });
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await goRight(ctx);
  time.now += 1;
  await raise(ctx.ledger.db, { kind: 'unreachable', login: 'main', reason: { code: 'expired' } }, time.now);
  await tell(ctx);
  expect(receiver.received.map(({ payload }) => `${payload.type} ${String(payload.data['kind'])}`)).toEqual([
    'incident.opened credentials',
    'incident.opened unreachable',
  ]);
  expect(await stateOf(ctx)).toEqual(
    expect.arrayContaining(['incident.opened open', 'incident.closed open', 'incident.opened sent']),
  );
});

test('a message that has nothing left to say is not taken for one that the hook took', async () => {
  const receiver = await receiveHooks(answering(500));
  const hook = hookTo(receiver, { format: 'slack', secret: undefined, events: ['run.ended'] });
  const { ctx, time } = await hookWorld({ ops: hook });
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: START });
  await decideRun(db, run, { ...decided('held'), reason: null, now: START });
  await tell(ctx);
  time.now += MINUTE;
  await decideRun(db, run, { ...decided('rejected'), reason: null, now: time.now });
  await tell(ctx);
  expect(await stateOf(ctx)).toEqual(['run.ended skipped', 'run.ended open']);
  expect(await failureOf(db, 'ops')).toMatchObject({ since: START, times: 2 });
});

test('after a day messages are given up: an incident by mail, which ends when the hook takes something', async () => {
  const receiver = await receiveHooks((response) => void response.writeHead(state.status).end('go away'));
  const state = { status: 500 };
  const managers = [{ email: 'ops@example.com', audience: 'ops' }];
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) }, { managers });
  const open = () => listIncidents(ctx.ledger.db, { kind: 'hook-stopped' });
  await goWrong(ctx);
  for (; time.now < START + 24 * HOUR; time.now += 30 * MINUTE) await tell(ctx);
  expect(await open()).toEqual([]);
  expect(receiver.received.length).toBeGreaterThan(20);
  time.now += HOUR;
  await tell(ctx);
  expect(await open()).toMatchObject([
    { numbers: { hooks: 'ops', lost: 1 }, text: expect.stringContaining('hook ops has taken nothing since') },
  ]);
  // What a receiver says goes no further than to the list of its messages.
  expect((await open())[0]!.text).not.toContain('go away');
  await notifyOfIncidents(ctx);
  const mails = await newestMails(ctx.ledger.db, { limit: 10 });
  expect(mails.map(({ recipient }) => recipient)).toEqual(['ops@example.com', 'ops@example.com']);
  expect(await stateOf(ctx)).toContain('incident.opened given-up');

  state.status = 200;
  time.now += 2 * HOUR;
  await goRight(ctx);
  await tell(ctx);
  expect(await open()).toEqual([]);
  expect(await replayHook('ops', null, BY, ctx)).toBe(1);
  await tell(ctx);
  expect((await stateOf(ctx)).filter((one) => !one.endsWith(' sent'))).toEqual([]);
});

test('a message that is given up alone stays wrong until it is replayed, and the hook is not told of that', async () => {
  const state = { refuses: true };
  const receiver = await receiveHooks((response, { payload }) => {
    response.writeHead(state.refuses && payload.data['kind'] === 'credentials' ? 422 : 200).end();
  });
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  const open = () => listIncidents(ctx.ledger.db, { kind: 'hook-stopped' });
  await goWrong(ctx);
  for (; time.now <= START + 26 * HOUR; time.now += 2 * HOUR) await tell(ctx);
  await raise(ctx.ledger.db, { kind: 'unreachable', login: 'main', reason: { code: 'expired' } }, time.now);
  await tell(ctx);
  expect(await open()).toMatchObject([{ text: 'hook ops refused 1 message, which was given up' }]);
  expect(await stateOf(ctx)).toEqual(['incident.opened refused', 'incident.opened sent']);
  state.refuses = false;
  expect(await replayHook('ops', null, BY, ctx)).toBe(1);
  expect(await open()).toEqual([]);
  await tell(ctx);
  expect((await stateOf(ctx)).filter((one) => !one.endsWith(' sent'))).toEqual([]);
});

test('a hook that is gone is left alone until its settings change or somebody tests it', async () => {
  const answer = { status: 410 };
  const receiver = await receiveHooks((response) => void response.writeHead(answer.status).end());
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await tell(ctx);
  expect(await listIncidents(ctx.ledger.db, { kind: 'hook-stopped' })).toHaveLength(1);
  time.now += 5 * HOUR;
  await tell(ctx);
  expect(receiver.received).toHaveLength(1);
  expect(await testHook('ops', BY, ctx, SIGNAL)).toEqual({
    hook: 'ops',
    taken: false,
    status: null,
    error: 'answered 410',
  });
  answer.status = 202;
  expect(await testHook('ops', BY, ctx, SIGNAL)).toEqual({ hook: 'ops', taken: true, status: 202, error: null });
  await tell(ctx);
  // It is not told of the incident about itself.
  expect(typesOf(receiver).slice(3)).toEqual([]);
  expect(await listIncidents(ctx.ledger.db, { kind: 'hook-stopped' })).toEqual([]);
});

test('other settings are tried at once', async () => {
  const away = await receiveHooks(answering(500));
  const { ctx } = await hookWorld({ ops: hookTo(away) });
  await goWrong(ctx);
  await tell(ctx);
  const there = await receiveHooks();
  const { ctx: corrected } = await hookWorld({ ops: hookTo(there) });
  await tell({ ...ctx, config: corrected.config });
  expect(typesOf(there)).toEqual(['incident.opened']);
});

test('hooks that hang delay neither the others nor whoever tells them', async () => {
  const hanging = await serve(() => undefined);
  const receiver = await receiveHooks();
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`slow${at}`, hookTo(hanging)]));
  const { ctx } = await hookWorld({ ...many, ops: hookTo(receiver) });
  const stop = new AbortController();
  const telling = openTelling(ctx, stop.signal);
  await goWrong(ctx);
  await telling.tell();
  await goRight(ctx);
  await telling.tell();
  await until(() => (hanging.requests.length === 50 ? true : undefined));
  await until(async () => {
    await telling.tell();
    return receiver.received.length === 2 ? true : undefined;
  });
  stop.abort();
  await telling.settled();
  // What this worker broke off says nothing about the hooks.
  expect(await failureOf(ctx.ledger.db, 'slow7')).toBeUndefined();
  expect(await stateOf(ctx, 'slow7')).toEqual(['incident.opened open', 'incident.closed open']);
});

test('two workers send a message once', async () => {
  const receiver = await receiveHooks();
  const { ctx } = await hookWorld({ ops: hookTo(receiver) });
  for (let at = 0; at < 20; at++) await (at % 2 === 0 ? goWrong(ctx) : goRight(ctx));
  const other = { ...ctx, owner: 'another worker' };
  await Promise.all([tell(ctx), tell(other)]);
  await tell(ctx);
  expect(typesOf(receiver)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'incident.opened' : 'incident.closed')),
  );
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(20);
});

test('what a hook was to be told that is not configured here waits for a day, for another machine may know it', async () => {
  const receiver = await receiveHooks(answering(503));
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await tell(ctx);
  const { ctx: other } = await hookWorld({});
  const without = { ...ctx, config: other.config };
  await tell(without);
  expect(await stateOf(ctx)).toEqual(['incident.opened open']);
  time.now += 25 * HOUR;
  await tell(without);
  expect(await stateOf(ctx)).toEqual(['incident.opened given-up']);
  expect(await newestMessages(ctx.ledger.db, { hook: 'ops', limit: 1 })).toMatchObject([
    { error: expect.stringMatching(/503|not configured/u) as string },
  ]);
  expect(await failingHooks(ctx.ledger.db)).toEqual([]);
});

test('an event that cannot be told keeps no other one from being told', async () => {
  const receiver = await receiveHooks();
  const { ctx, entries } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await sql`update hook_events set facts = replace(facts, '"credentials"', '"of a newer version"')`.execute(
    ctx.ledger.db,
  );
  await goRight(ctx);
  await tell(ctx);
  expect(typesOf(receiver)).toEqual(['incident.closed']);
  expect(entries.some(({ msg }) => msg === 'event cannot be told to hooks')).toBe(true);
});

test('what was to be told when a backup was made is not told after a restore, unless somebody asks for it', async () => {
  const receiver = await receiveHooks(answering(503));
  const { ctx } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await tell(ctx);
  await goRight(ctx);
  await ctx.ledger.transaction((trx) => forgetUntold(trx, ctx.clock.now()));
  await tell(ctx);
  expect(receiver.received).toHaveLength(1);
  expect(await stateOf(ctx)).toEqual(['incident.opened given-up']);
});

test('a worker that was stopped writes nothing over what the one that took over recorded', async () => {
  const { promise: wakes, resolve: wake } = Promise.withResolvers<void>();
  const times = { asked: 0 };
  const receiver = await receiveHooks((response) => {
    times.asked += 1;
    if (times.asked === 1) void wakes.then(() => response.writeHead(500).end());
    else response.writeHead(200).end();
  });
  const { ctx } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await goRight(ctx);
  const stopped = tell(ctx);
  await until(() => receiver.received[0]);
  // Its lease ends while it is stopped.
  await ctx.ledger.db.updateTable('leases').set({ until: 0 }).where('name', '=', 'hook-ops').execute();
  await tell({ ...ctx, owner: 'another worker' });
  wake();
  await stopped;
  expect(typesOf(receiver)).toEqual(['incident.opened', 'incident.opened', 'incident.closed']);
  expect(await stateOf(ctx)).toEqual(['incident.opened sent', 'incident.closed sent']);
  expect(await failureOf(ctx.ledger.db, 'ops')).toBeUndefined();
});

test('a message that cannot be written is a failed try of its own, which is said; the others are sent', async () => {
  const receiver = await receiveHooks();
  const { ctx, time } = await hookWorld({ chat: hookTo(receiver, { format: 'slack', secret: undefined }) });
  await goWrong(ctx);
  await handOutEvents(ctx);
  await ctx.ledger.db.updateTable('hook_messages').set({ body: '{"type":"incident.opened"' }).execute();
  time.now += 1;
  await raise(ctx.ledger.db, { kind: 'unreachable', login: 'main', reason: { code: 'expired' } }, time.now);
  await tell(ctx);
  expect(receiver.received).toHaveLength(1);
  expect(await messageAnswers('chat', 10, ctx)).toMatchObject([
    { state: 'sent' },
    { state: 'open', failedTries: 1, error: expect.stringContaining('the message could not be written') },
  ]);
  for (; time.now < START + 26 * HOUR; time.now += HOUR) await tell(ctx);
  expect(await stateOf(ctx, 'chat')).toEqual(['incident.opened refused', 'incident.opened sent']);
  expect(await listIncidents(ctx.ledger.db, { kind: 'hook-stopped' })).toHaveLength(1);
});

test('what is replayed comes in its order and says its place, also when it comes late', async () => {
  const receiver = await receiveHooks();
  const { ctx } = await hookWorld({ ops: hookTo(receiver, { events: ['incident.opened', 'incident.closed'] }) });
  await goWrong(ctx);
  await goRight(ctx);
  await handOutEvents(ctx);
  await ctx.ledger.transaction((trx) => forgetUntold(trx, ctx.clock.now()));
  await goWrong(ctx);
  expect(await replayHook('ops', null, BY, ctx)).toBe(2);
  await tell(ctx);
  const places = () => receiver.received.map(({ payload: { type, seq } }) => `${type} ${seq}`);
  expect(places()).toEqual(['incident.opened 1', 'incident.closed 2', 'incident.opened 3']);
  const [, late] = await messageAnswers('ops', 10, ctx);
  expect(await replayHook('ops', late!.id, BY, ctx)).toBe(1);
  await tell(ctx);
  expect(places().slice(3)).toEqual([`${late!.event} ${late!.seq}`]);
});

test('who tested and replayed a hook is in the audit, without what the receiver said, and others are told of it', async () => {
  const [receiver, other] = await Promise.all([receiveHooks(answering(500, {}, 'go away')), receiveHooks()]);
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver), other: hookTo(other) });
  await testHook('ops', BY, ctx, SIGNAL);
  expect(await replayHook('ops', null, BY, ctx)).toBe(0);
  time.now += 1;
  await goWrong(ctx);
  await tell(ctx);
  const id = (await messageAnswers('ops', 1, ctx))[0]!.id;
  time.now += 1;
  expect(await replayHook('ops', id, BY, ctx)).toBe(1);
  const audit = await ctx.ledger.db.selectFrom('audit').selectAll().orderBy('at').execute();
  expect(audit).toMatchObject([
    { action: 'test-hook', subject: 'hook ops', reason: 'not taken: it answered 500', ...BY },
    { action: 'replay-hook', subject: 'hook ops', reason: `message ${id}`, ...BY },
  ]);
  await tell(ctx);
  expect(typesOf(receiver)).not.toContain('decision.made');
  expect(typesOf(other).filter((type) => type === 'decision.made')).toHaveLength(2);
});

test('the list of hooks says what has waited longest, and for how long', async () => {
  const receiver = await receiveHooks(answering(503));
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  expect(await hookAnswers(ctx)).toMatchObject([{ hook: 'ops', waiting: 0, oldest: null }]);
  await goWrong(ctx);
  time.now += HOUR;
  await goRight(ctx);
  await tell(ctx);
  time.now += HOUR;
  expect(await hookAnswers(ctx)).toMatchObject([
    {
      waiting: 2,
      oldest: { event: 'incident.opened', at: START, waits: 2 * HOUR, message: expect.stringMatching(/^evt_/u) },
    },
  ]);
});
