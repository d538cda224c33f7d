import { expect, test } from 'vitest';
import { createSsd } from '../../src/sandbox/ssd.ts';
import { openStore } from '../../src/sandbox/store.ts';
import { referenceForTests } from './search-world.ts';
import { errorOf, START } from './world.ts';

const reference = referenceForTests();
const VIN = '1Z9M25CA2EC152943';
const SHARED = 'YX9ZZZF2CFN114439';

type Info = Record<string, unknown> & { id: number; attributes: { code: string; label: string; values: string[] }[] };

async function startVehicles() {
  const world = await reference.start();
  const data = async (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    (await world.get(path, query, headers)).json['data'] as Info[];
  return {
    ...world,
    data,
    identify: (identString: string, more: Record<string, string> = {}) =>
      data('vehicle/identify', { identString, ...more }),
    index: async (id: number) =>
      (await world.get('autoInfo/indexVehicle', { autoInfoId: String(id) })).json['data'] as Info,
  };
}

test('identify answers with the vehicle, without what identify replies lack', async () => {
  const world = await startVehicles();
  const [info, ...others] = await world.identify(VIN);
  expect(others).toEqual([]);
  expect(Object.keys(info!)).toEqual(['id', 'brand', 'name', 'attributes', 'state']);
  expect(info).toMatchObject({ brand: 'CALDERA', name: 'Mesa 2.5', state: 'created' });
  expect(info!.attributes).toContainEqual({ code: 'engine', label: 'Engine', values: ['C25'] });
  expect(info!.attributes).toContainEqual({ code: 'options', label: 'Options', values: ['air conditioning', 'ESP'] });
});

test('identify has attributes and names in the locale; English where the locale is not known', async () => {
  const world = await startVehicles();
  const fuel = async (locale: string) => {
    const [info] = await world.identify(VIN, { locale });
    return info?.attributes.find(({ code }) => code === 'fuel');
  };
  expect(await fuel('de_DE')).toEqual({ code: 'fuel', label: 'Kraftstoff', values: ['Benzin'] });
  expect(await fuel('ru_RU')).toEqual({ code: 'fuel', label: 'Топливо', values: ['бензин'] });
  expect(await fuel('fr_FR')).toEqual({ code: 'fuel', label: 'Fuel', values: ['petrol'] });
});

test('several vehicles have one VIN; letters and separators do not matter', async () => {
  const world = await startVehicles();
  const found = await world.identify(SHARED);
  expect(found.map(({ brand, name }) => [brand, name])).toEqual([
    ['NORDMARK', 'Fjell Kombi 2.0'],
    ['NORDMARK', 'Fjell Kombi 2.0 4M'],
    ['VOLGARD', 'Kombi 2.0'],
  ]);
  expect(await world.identify('yx9zzz-f2cfn 114439')).toEqual(found);
  expect((await world.identify('ha12 0133691')).map(({ name }) => name)).toEqual(['Sora 1500']);
});

test('an unknown VIN is no vehicle', async () => {
  const world = await startVehicles();
  expect(await world.identify('1HGCM82633A004352')).toEqual([]);
  expect(await world.data('autoInfo/findByIdentString', { identString: '1HGCM82633A004352' })).toEqual([]);
});

test('a vehicle is created, queued and indexed: states, stages and times', async () => {
  const world = await startVehicles();
  const [{ id } = { id: 0 }] = await world.identify(VIN);
  const find = async () => (await world.data('autoInfo/findByIdentString', { identString: VIN }))[0];
  expect(await find()).toMatchObject({
    id,
    identString: VIN,
    state: 'created',
    processingStage: 'identified',
    createdTime: START,
    updatedTime: START,
    error: null,
  });
  world.clock.time += 500;
  expect(await world.index(id)).toMatchObject({
    state: 'queued',
    processingStage: 'identified',
    updatedTime: START + 500,
  });
  world.clock.time += 999;
  expect(await find()).toMatchObject({ state: 'queued', processingStage: 'identified', updatedTime: START + 500 });
  world.clock.time += 1;
  expect(await find()).toMatchObject({
    state: 'success',
    processingStage: 'indexed',
    createdTime: START,
    updatedTime: START + 1500,
  });
  expect((await world.identify(VIN))[0]).toMatchObject({ id, state: 'success' });
});

test('a vehicle that is indexed is not indexed again, also over a restart', async () => {
  const world = await startVehicles();
  const [{ id } = { id: 0 }] = await world.identify(VIN);
  await world.index(id);
  world.clock.time += 1000;
  await world.restart();
  expect(await world.index(id)).toMatchObject({ state: 'success', updatedTime: START + 1000 });
});

test('listAutoInfo has pages with totals, newest first', async () => {
  const world = await startVehicles();
  await world.identify(VIN);
  await world.identify(SHARED);
  const list = async (query: Record<string, string>) => (await world.get('autoInfo/listAutoInfo', query)).json;
  const first = await list({});
  expect(first).toMatchObject({ pageNumber: 0, pageSize: 20, totalPages: 1, totalElements: 4 });
  expect(Object.keys(first).toSorted()).toEqual(
    ['data', 'pageNumber', 'pageSize', 'requestId', 'totalElements', 'totalPages'].toSorted(),
  );
  const ids = (first['data'] as Info[]).map(({ id }) => id);
  expect(ids).toEqual([700_004, 700_003, 700_002, 700_001]);
  const second = await list({ page: '1', size: '3' });
  expect(second).toMatchObject({ pageNumber: 1, pageSize: 3, totalPages: 2, totalElements: 4 });
  expect((second['data'] as Info[]).map(({ id }) => id)).toEqual([700_001]);
});

test('a login has no vehicles at first, and sees none of another', async () => {
  const world = await startVehicles();
  const [{ id } = { id: 0 }] = await world.identify(VIN);
  const other = { authorization: 'Bearer other' };
  const { json } = await world.get('autoInfo/listAutoInfo', {}, other);
  expect(json).toMatchObject({ data: [], totalPages: 0, totalElements: 0 });
  expect(await world.data('autoInfo/findByIdentString', { identString: VIN }, other)).toEqual([]);
  const reply = await world.get('autoInfo/indexVehicle', { autoInfoId: String(id) }, other);
  expect([reply.status, errorOf(reply).code]).toEqual([404, 'AUTO_INFO_NOT_FOUND']);
});

test('identifyBySsd finds the vehicle of the catalog, and its VIN finds it again', async () => {
  const world = await startVehicles();
  let ssd = '';
  await world.restart(async () => {
    const store = await openStore(world.dataDir);
    ssd = createSsd(store.key).write({ catalog: 'CLD2609', vehicle: 11 });
    store.close();
  });
  const found = await world.data('vehicle/identifyBySsd', {
    ssd,
    vehicleId: '30101',
    catalog: 'CLD2609',
    locale: 'de_DE',
  });
  expect(found).toEqual(await world.identify(VIN, { locale: 'de_DE' }));
  const refused = async (query: Record<string, string>) => {
    const reply = await world.get('vehicle/identifyBySsd', { ssd, vehicleId: '30101', catalog: 'CLD2609', ...query });
    return [reply.status, errorOf(reply).code];
  };
  expect(await refused({ ssd: `${ssd}x` })).toEqual([400, 'INVALID_SSD']);
  expect(await refused({ vehicleId: '30102' })).toEqual([400, 'INVALID_SSD']);
  expect(await refused({ catalog: 'NRD2611' })).toEqual([400, 'INVALID_SSD']);
});

test.each([
  ['vehicle/identify', {}, 'The parameter identString is missing.'],
  ['vehicle/identify', { identString: ' ' }, 'The parameter identString is empty.'],
  [
    'vehicle/identify',
    { identString: 'A', locale: 'en' },
    'The parameter locale is not a language and country such as en_US.',
  ],
  [
    'vehicle/identify',
    { identString: 'A', vin: 'B' },
    'The parameter vin is not known here; known are identString, locale.',
  ],
  ['vehicle/identifyBySsd', { vehicleId: '1', catalog: 'A' }, 'The parameter ssd is missing.'],
  ['autoInfo/indexVehicle', {}, 'The parameter autoInfoId is missing.'],
  ['autoInfo/indexVehicle', { autoInfoId: 'a' }, 'The parameter autoInfoId is not a whole number.'],
  ['autoInfo/findByIdentString', {}, 'The parameter identString is missing.'],
  ['autoInfo/listAutoInfo', { size: '0' }, 'The parameter size is not a whole number from 1 to 2147483647.'],
])('%s refuses %j', async (path, query, message) => {
  const world = await startVehicles();
  const reply = await world.get(path, query);
  expect([reply.status, errorOf(reply)]).toEqual([400, { code: 'INVALID_PARAMETER', message }]);
});
