import { request } from 'node:http';
import { expect, test } from 'vitest';
import { controlOf } from '../support/control.ts';
import { errorOf, GOOD, START, startWorld } from './world.ts';

test('the control endpoint is not there unless it is asked for', async () => {
  const { call } = await startWorld();
  for (const path of ['faults', 'uploads', 'clock']) expect((await call(`/control/${path}`)).status).toBe(404);
});

test('it answers neither pages of a browser nor callers under another name', async () => {
  const { call, url } = await startWorld({ control: true });
  const page = await call('/control/faults', { headers: { origin: 'http://example.com' } });
  expect([page.status, errorOf(page).code]).toEqual([403, 'CONTROL_LOCAL_ONLY']);
  const status = await new Promise((resolve) => {
    const headers = { host: 'rebound.example.com' };
    request(`${url()}/control/uploads`, { headers }, (reply) => resolve(reply.resume().statusCode)).end();
  });
  expect(status).toBe(403);
});

test('what it does not understand is said, and nothing changes', async () => {
  const { call } = await startWorld({ control: true });
  const put = (body: string) => call('/control/faults', { method: 'PUT', body });
  await put('{"faults":[{"fault":"hang"}]}');
  for (const [body, said] of [
    ['{', 'the body is not JSON'],
    ['{"fault":"hand"}', 'fault: expected one of lose-reply, hang'],
    ['{"faults":[{"fault":"slow","for":"long"}]}', 'faults.0.for: expected a duration such as 250ms'],
    ['{"faults":[{"fault":"stuck","times":0}]}', 'faults.0.times: expected a whole number from 1, or forever'],
    ['{"faults":{}}', 'faults: expected a list of faults'],
    ['[]', 'expected'],
  ] as const) {
    const reply = await put(body);
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'INVALID_CONTROL']);
    expect(errorOf(reply).message).toContain(said);
  }
  const clock = await call('/control/clock', { method: 'POST', body: '{"advance":"soon"}' });
  expect([clock.status, errorOf(clock).message]).toEqual([
    400,
    'Not understood: advance: expected a duration such as 250ms, 5s, 15m, 2h or 14d.',
  ]);
  expect((await call('/control/faults', { method: 'DELETE' })).json).toEqual({ removed: 1 });
  expect((await call('/control/faults?id=x', { method: 'DELETE' })).status).toBe(400);
});

test('the clock goes on when it is told to', async () => {
  const world = await startWorld({ control: true });
  const control = controlOf(world.url());
  await world.upload(GOOD);
  expect(await control.advance('1100ms')).toEqual({ now: START + 1100, ahead: 1100 });
  expect(await world.list()).toMatchObject([{ state: 'success', lastModifiedTime: START + 1100, linesProcessed: 2 }]);
  expect((await world.call('/control/clock')).json).toEqual({ now: START + 1100, ahead: 1100 });
});

test('the book of what arrived outlives a restart', async () => {
  const world = await startWorld({ control: true });
  await world.upload(GOOD, { name: 'a.txt' });
  const before = await controlOf(world.url()).uploads();
  await world.restart();
  expect(await controlOf(world.url()).uploads()).toEqual(before);
  expect(before).toEqual([
    {
      arrival: 1,
      login: { id: expect.stringMatching(/^[\da-f]{32}$/) as string, name: 'none' },
      by: 'client',
      file: 'a.txt',
      bytes: GOOD.length,
      outcome: 'accepted',
      startedAt: START,
      endedAt: START,
      acceptedAt: START,
      offerId: '9007199254740993',
      status: null,
      code: null,
      faults: [],
    },
  ]);
});
