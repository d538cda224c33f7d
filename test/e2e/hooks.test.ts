import { expect, test } from 'vitest';
import { payloadSchema, type Told } from '../../src/notify/hooks/payload.ts';
import { goodFile } from '../support/bad-input.ts';
import { answering, HOOK_SECRET, isSigned, receiveHooks, type Receiver } from '../support/hook-receiver.ts';
import { install } from '../support/installation.ts';
import { until } from '../support/until.ts';

function shopTelling(receiver: Receiver, more: object = {}) {
  const hook = { url: `${receiver.url}/in`, secret: HOOK_SECRET, allowHosts: ['127.0.0.1'], ...more };
  return install({ feeds: { north: {}, south: {} }, hooks: { shop: hook } });
}

test('a run that goes live, a decision and a rejected file are told before the commands end', async () => {
  const receiver = await receiveHooks();
  const shop = shopTelling(receiver);
  shop.deliver('north', 'a.csv', goodFile('A'));
  const { run } = await shop.ingest('north');
  await shop.offerline('pause', 'south', '--reason', 'a test');
  shop.deliver('north', 'b.csv', 'nothing that could be read\n');
  await shop.ingest('north');
  const told = receiver.received.map(({ payload }) => payload);
  const of = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data);
  expect(of('run.ended')).toMatchObject([
    { run, feed: 'north', login: 'main', outcome: 'live', before: null, rows: { live: expect.any(Number) } },
    { feed: 'north', outcome: 'rejected' },
  ]);
  expect(of('dataset.live')).toMatchObject([{ login: 'main', why: 'composed', feeds: [{ feed: 'north', run }] }]);
  expect(of('decision.made')).toContainEqual(expect.objectContaining({ action: 'pause', subject: 'feed south' }));
  expect(of('incident.opened')).toMatchObject([{ kind: 'delivery', feed: 'north', severity: 'medium' }]);
  expect(receiver.received.every((one) => isSigned(one, HOOK_SECRET))).toBe(true);
  expect(told.every(({ sandbox }) => sandbox)).toBe(true);
  for (const one of told) payloadSchema(one.type as Told).parse(one);
});

test('a worker that is killed while it tells a hook loses no message: the next one sends it again under its id', async () => {
  const behaviour = { hangs: true };
  const receiver = await receiveHooks((response) => {
    if (!behaviour.hangs) response.writeHead(200).end();
  });
  const shop = shopTelling(receiver, { events: ['run.ended'], timeout: '60s' });
  shop.deliver('north', 'a.csv', goodFile('A'));
  const first = shop.start('ingest', 'north', '--wait');
  await until(() => receiver.received[0]);
  first.child.kill('SIGKILL');
  await first.ended;
  behaviour.hangs = false;
  shop.start('worker');
  await until(() => receiver.received[1]);
  const [before, after] = receiver.received;
  expect(after!.headers['webhook-id']).toBe(before!.headers['webhook-id']);
  expect(after!.body).toBe(before!.body);
});

test('a rehearsal tells nobody', async () => {
  const receiver = await receiveHooks();
  const shop = shopTelling(receiver);
  shop.deliver('north', 'a.csv', goodFile('A'));
  const { status } = await shop.offerline('ingest', 'north', '--rehearse');
  expect({ status, told: receiver.received }).toEqual({ status: 0, told: [] });
});

test('hooks are tried, listed and replayed by hand; their addresses stay hidden', async () => {
  const answer = { status: 410 };
  const receiver = await receiveHooks((response, one) => answering(answer.status)(response, one));
  const shop = shopTelling(receiver, { events: ['decision.made'] });
  const refused = await shop.offerline('hooks', 'test', 'shop');
  expect(refused).toMatchObject({ status: 1, stdout: 'shop did not take the message: it answered 410.\n' });
  shop.deliver('north', 'a.csv', goodFile('A'));
  await shop.ingest('north');
  const [listed] = JSON.parse((await shop.offerline('hooks', 'list', '--json')).stdout) as object[];
  expect(listed).toMatchObject({ hook: 'shop', to: '127.0.0.1', givenUp: 1, failing: { error: 'answered 410' } });
  const table = (await shop.offerline('hooks', 'list', 'shop')).stdout;
  expect(table).toMatch(/decision\.made +decision \S+ +given-up +answered 410/);
  expect(table).not.toContain(receiver.url);
  answer.status = 200;
  const replayed = await shop.offerline('hooks', 'replay', 'shop');
  expect(replayed.stdout).toBe('1 message for shop will be sent by the next worker.\n');
  expect(await shop.offerline('hooks', 'replay', 'shop', 'evt_nothing')).toMatchObject({ status: 2 });
  await shop.ingest('north');
  expect(receiver.received.map(({ payload }) => payload.type)).toContain('decision.made');
  expect((await shop.offerline('hooks', 'test', 'shop')).status).toBe(0);
});
