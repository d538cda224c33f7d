import { describe, expect, test } from 'vitest';
import { dateOf } from '../../../src/service/operation/reply-values.ts';
import { scripted, type Asked } from '../scripted.ts';

const VIN = 'WAUZZZ8K9AA000001';
const vehicle = (state: string, more: object = {}) => ({
  id: 9,
  brand: 'AUDI',
  name: 'A4',
  attributes: [{ code: 'engine', label: 'Engine', values: ['2.0'] }],
  state,
  identString: VIN,
  processingStage: state === 'success' ? 'indexed' : 'identified',
  createdTime: 1_770_000_000_000,
  updatedTime: 1_770_000_000_001,
  error: null,
  ...more,
});

test.each([
  ['identify', { identString: VIN }, '/us2/public/vehicle/identify'],
  ['identifyBySsd', { ssd: '$a=b$', vehicleId: '0', catalog: 'AU1' }, '/us2/public/vehicle/identifyBySsd'],
  ['findByIdentString', { identString: VIN }, '/us2/public/autoInfo/findByIdentString'],
] as const)('%s gives several vehicles', async (name, parameters, path) => {
  const { service, asked } = await scripted({ data: [vehicle('created'), vehicle('resting')], requestId: 'r' });
  const reply = await service.vehicles[name](parameters as never);
  expect(asked[0]).toMatchObject({ method: 'GET', path });
  expect(Object.fromEntries(asked[0]!.query)).toEqual(parameters);
  expect(reply.data.map(({ id, state }) => [id, state])).toEqual([
    ['9', 'created'],
    ['9', 'resting'],
  ]);
});

test('times are epoch milliseconds, and dateOf makes them dates', async () => {
  const { service } = await scripted({ data: [vehicle('success')] });
  const { data } = await service.vehicles.findByIdentString({ identString: VIN });
  expect(data[0]?.createdTime).toBe(1_770_000_000_000);
  expect(dateOf(data[0]?.createdTime ?? 0).toISOString()).toBe('2026-02-02T02:40:00.000Z');
});

test('the list has totals, and every vehicle is read up to the last page that is counted', async () => {
  const { service, asked } = await scripted(({ query }: Asked) => {
    const page = Number(query.get('page'));
    return { data: [vehicle('success', { id: page })], pageNumber: page, pageSize: 1, totalPages: 3, totalElements: 3 };
  });
  expect(await service.vehicles.listAutoInfo()).toMatchObject({ totalPages: 3, totalElements: 3 });
  const ids: string[] = [];
  for await (const one of service.vehicles.listAutoInfo.each({ size: 1 })) ids.push(one.id);
  expect(ids).toEqual(['0', '1', '2']);
  expect(asked).toHaveLength(4);
});

describe('waiting until a vehicle is indexed', () => {
  const indexing = (looks: number, last: object) => {
    let asked = 0;
    return ({ path }: Asked) => {
      if (path.endsWith('indexVehicle')) return { data: vehicle('queued'), requestId: 'r' };
      return { data: [vehicle('created', { id: 8 }), ++asked < looks ? vehicle('queued') : last], requestId: 'r' };
    };
  };

  test('looks with growing waits until it is', async () => {
    const { service, asked, waits } = await scripted(indexing(4, vehicle('success')));
    const done = await service.vehicles.waitUntilIndexed({ autoInfoId: '9' });
    expect(done).toMatchObject({ id: '9', state: 'success', processingStage: 'indexed' });
    expect(waits).toEqual([500, 1000, 2000, 4000]);
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual([
      'indexVehicle',
      ...Array<string>(4).fill('findByIdentString'),
    ]);
  });

  test('a vehicle that is indexed already is not looked for', async () => {
    const { service, asked } = await scripted({ data: vehicle('success') });
    await service.vehicles.waitUntilIndexed({ autoInfoId: '9' });
    expect(asked).toHaveLength(1);
  });

  test('an error of the service ends it', async () => {
    const { service } = await scripted(indexing(2, vehicle('broken', { error: 'no data for it' })));
    await expect(service.vehicles.waitUntilIndexed({ autoInfoId: '9' })).rejects.toThrow('no data for it');
  });

  test('the deadline ends it, and it may be asked again', async () => {
    const { service, waits } = await scripted(indexing(Infinity, vehicle('success')));
    const waiting = service.vehicles.waitUntilIndexed({ autoInfoId: '9' }, { deadline: 10_000 });
    await expect(waiting).rejects.toMatchObject({
      code: 'service-reply',
      retryable: true,
      details: { state: 'queued' },
    });
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(10_000);
  });

  test('the caller can give it up', async () => {
    const stop = new AbortController();
    const { service } = await scripted(indexing(Infinity, vehicle('success')), {
      clock: { now: () => 0, wait: () => Promise.resolve(stop.abort()) },
    });
    const waiting = service.vehicles.waitUntilIndexed({ autoInfoId: '9' }, { signal: stop.signal });
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('without a VIN it is looked for in the list', async () => {
    const { service } = await scripted(({ path }: Asked) =>
      path.endsWith('indexVehicle')
        ? { data: vehicle('queued', { identString: null }) }
        : { data: [vehicle('success')], totalPages: 1 },
    );
    expect(await service.vehicles.waitUntilIndexed({ autoInfoId: '9' })).toMatchObject({ state: 'success' });
  });
});
