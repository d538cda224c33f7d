import { expect, test } from 'vitest';
import { controlOf } from '../support/control.ts';
import { GOOD, startWorld } from './world.ts';

const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:secret`).toString('base64')}` });

async function controlled() {
  const world = await startWorld({ control: true });
  const control = controlOf(world.url());
  const statusOf = async (options: Parameters<typeof world.upload>[1]) => {
    const { status } = await world.upload(GOOD, options);
    await world.finish();
    return status;
  };
  return { ...world, control, statusOf };
}

test('a fault acts from its nth call on, so many times', async () => {
  const { control, statusOf } = await controlled();
  await control.faults({ fault: 'refuse', nth: 2, times: 2 });
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push(await statusOf({}));
  expect(statuses).toEqual([200, 503, 503, 200]);
  expect(await control.shown()).toMatchObject([{ fault: 'refuse', matched: 4, acted: 2 }]);
});

test('a fault asks for a login: the user of basic credentials, none, or a credential', async () => {
  const { control, statusOf } = await controlled();
  await control.faults(
    { fault: 'refuse', login: 'shop', status: 500, times: 'forever' },
    { fault: 'refuse', login: 'none', status: 501, times: 'forever' },
    { fault: 'refuse', login: { type: 'bearer', token: 'T' }, status: 502, times: 'forever' },
  );
  expect(await statusOf({ headers: basic('shop') })).toBe(500);
  expect(await statusOf({ headers: basic('other') })).toBe(200);
  expect(await statusOf({})).toBe(501);
  expect(await statusOf({ headers: { authorization: 'Bearer T' } })).toBe(502);
  expect(await statusOf({ headers: { authorization: 'Bearer other' } })).toBe(200);
  expect(JSON.stringify(await control.shown())).not.toContain('"T"');
});

test('a fault asks for a file, in the body of an upload or behind an offer id', async () => {
  const { control, statusOf, list, call } = await controlled();
  await control.faults({ fault: 'refuse', file: 'north-*.txt', operation: 'any', times: 'forever' });
  expect(await statusOf({ name: 'south.txt' })).toBe(200);
  expect(await statusOf({ name: 'north-1.txt' })).toBe(503);
  await control.clear();
  expect(await statusOf({ name: 'north-1.txt' })).toBe(200);
  await control.faults({ fault: 'refuse', file: 'north-*.txt', operation: 'any', times: 'forever' });
  const { text } = await call('/us2/public/offer/list');
  const ids = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => id);
  expect(await list()).toHaveLength(2);
  expect((await call(`/us2/public/offer/get?offerId=${ids[0]}`)).status).toBe(503);
  expect((await call(`/us2/public/offer/get?offerId=${ids[1]}`)).status).toBe(200);
});

test('of the faults that decide the reply only the first acts; the others keep their turn', async () => {
  const { control, statusOf } = await controlled();
  await control.faults({ fault: 'refuse', status: 500 }, { fault: 'refuse', status: 502 }, { fault: 'html' });
  expect([await statusOf({}), await statusOf({}), await statusOf({}), await statusOf({})]).toEqual([
    500, 502, 200, 200,
  ]);
});

test('faults are added and removed while it runs', async () => {
  const { control, call, statusOf } = await controlled();
  await control.add({ fault: 'refuse', times: 'forever' });
  await control.add({ fault: 'stuck' }, { fault: 'slow', for: '1h' });
  const ids = (await control.shown()).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect((await call(`/control/faults?id=${ids[0]}`, { method: 'DELETE' })).json).toEqual({ removed: 1 });
  expect(await statusOf({})).toBe(200);
  expect((await call('/control/faults', { method: 'DELETE' })).json).toEqual({ removed: 2 });
  expect(await control.shown()).toEqual([]);
});

test('one fault may be posted without a list', async () => {
  const { call, statusOf } = await controlled();
  const reply = await call('/control/faults', { method: 'POST', body: '{"fault":"refuse"}' });
  expect(reply.json).toMatchObject({ faults: [{ fault: 'refuse', times: 1, operation: 'process', status: 503 }] });
  expect(await statusOf({})).toBe(503);
});
