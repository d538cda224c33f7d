import { describe, expect, test } from 'vitest';
import { contractWorld } from './world.ts';

/** One VIN of three vehicles; a VIN of one. */
const SHARED_VIN = 'YX9ZZZF2CFN114439';
const VIN = '1Z9M25CA2EC152943';

const START = 1_767_225_600_000;
const clock = { time: START };
const world = await contractWorld({ now: () => clock.time, indexTime: 1000 });

/** The vehicles of a login of its own. */
const loginOf = (name: string) => world.client({ auth: { type: 'bearer', token: name } });
const { vehicles, catalog } = loginOf('main');

const identified = async (identString: string) => (await vehicles.identify({ identString })).data;

describe('GET /us2/public/vehicle/identify', () => {
  test('identString: required', () => expect(vehicles.identify({} as never)).rejects.toMatchObject({ code: 'usage' }));

  test('several vehicles can come back for one VIN', async () => expect(await identified(SHARED_VIN)).toHaveLength(3));

  test('none for a VIN that nobody knows', async () => expect(await identified('WVWZZZ1JZXW000000')).toEqual([]));

  test('a Frame number', async () => expect(await identified('HA12-0133691')).toMatchObject([{ brand: 'HIKAMI' }]));

  test('reply: id, brand, name, attributes, state, and nothing that identify lacks', async () => {
    const [vehicle] = await identified(VIN);
    expect(Object.keys(vehicle!).toSorted()).toEqual(['attributes', 'brand', 'id', 'name', 'state']);
  });

  test('attributes: code, label, values', async () => {
    const [vehicle] = await identified(SHARED_VIN);
    const { label, values } = vehicle!.attributes!.find(({ code }) => code === 'options')!;
    expect(label).toBe('Options');
    expect(values!.length).toBeGreaterThan(1);
  });

  test('locale: default en_US, attribute names in it', async () => {
    const labels = async (more: object) =>
      (await vehicles.identify({ identString: VIN, ...more })).data[0]?.attributes?.map(({ label }) => label);
    expect(await labels({})).toEqual(await labels({ locale: 'en_US' }));
    expect(await labels({ locale: 'ru_RU' })).not.toEqual(await labels({}));
  });
});

describe('GET /us2/public/vehicle/identifyBySsd', () => {
  test('ssd, vehicleId, catalog: the vehicle that the catalog found', async () => {
    const [known] = await catalog.findVehicle({ identString: VIN });
    const asked = { ssd: known!.ssd, vehicleId: known!.vehicleId, catalog: known!.catalog };
    const { data } = await vehicles.identifyBySsd(asked);
    expect(data).toEqual(await identified(VIN));
    const german = await vehicles.identifyBySsd({ ...asked, locale: 'de_DE' });
    expect(german.data).toEqual((await vehicles.identify({ identString: VIN, locale: 'de_DE' })).data);
  });

  test('ssd, vehicleId and catalog are required', () =>
    expect(vehicles.identifyBySsd({} as never)).rejects.toMatchObject({
      details: {
        problems: [/^ssd is/, /^vehicleId is/, /^catalog is/].map((one) => expect.stringMatching(one) as string),
      },
    }));

  test('an ssd of another vehicle is refused', async () => {
    const [known] = await catalog.findVehicle({ identString: VIN });
    const asked = { ssd: known!.ssd, vehicleId: '1', catalog: known!.catalog };
    await expect(vehicles.identifyBySsd(asked)).rejects.toMatchObject({ code: 'service-refused' });
  });
});

describe('GET /us2/public/autoInfo/listAutoInfo', () => {
  test('page, size: defaults 0 and 20; pageNumber, pageSize, totalPages, totalElements', async () => {
    const login = loginOf('many').vehicles;
    const idents = world.rows('SELECT DISTINCT ident FROM vehicles').map(({ ident }) => String(ident));
    for (const identString of idents) await login.identify({ identString });
    const { data, ...totals } = await login.listAutoInfo();
    expect(data).toHaveLength(20);
    expect(totals).toMatchObject({ pageNumber: 0, pageSize: 20, totalPages: 1, totalElements: 20 });
    const third = await login.listAutoInfo({ page: 2, size: 7 });
    expect(third).toMatchObject({ pageNumber: 2, pageSize: 7, totalPages: 3, totalElements: 20 });
    expect(third.data).toEqual(data.slice(14));
    const all: unknown[] = [];
    for await (const vehicle of login.listAutoInfo.each({ size: 7 })) all.push(vehicle);
    expect(all).toEqual(data);
  });

  test("a login's own vehicles", async () => {
    expect(await loginOf('nobody').vehicles.listAutoInfo()).toMatchObject({ data: [], totalElements: 0 });
  });
});

describe('AutoInfo: states and transitions', () => {
  test('created (identified), indexVehicle, queued (identified), indexing finished, success (indexed)', async () => {
    const own = loginOf('states').vehicles;
    const [{ id } = { id: '' }] = (await own.identify({ identString: VIN })).data;
    const look = async () => (await own.findByIdentString({ identString: VIN })).data;
    const times = { createdTime: START, updatedTime: START };
    expect(await look()).toMatchObject([
      { id, state: 'created', processingStage: 'identified', error: null, ...times },
    ]);
    clock.time += 500;
    const { data: queued, requestId } = await own.indexVehicle({ autoInfoId: id });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(queued).toMatchObject({ id, identString: VIN, state: 'queued', processingStage: 'identified' });
    expect(await look()).toEqual([queued]);
    clock.time += 1000;
    const [done] = await look();
    expect(done).toMatchObject({ id, state: 'success', processingStage: 'indexed', createdTime: START });
    expect(done!.updatedTime).toBeGreaterThan(queued.updatedTime!);
    clock.time = START;
  });

  test('an indexed vehicle can be used as autoInfoId in search, one that is not cannot', async () => {
    const { vehicles: own, search } = loginOf('search');
    const [{ id } = { id: '' }] = (await own.identify({ identString: VIN })).data;
    const use = () => search.search({ query: 'x', autoInfoId: id });
    await expect(use()).rejects.toMatchObject({ code: 'service-refused', details: { status: 409 } });
    const waitClock = { now: () => clock.time, wait: async (ms: number) => void (clock.time += Math.ceil(ms)) };
    const patient = world.client({ auth: { type: 'bearer', token: 'search' }, clock: waitClock }).vehicles;
    expect(await patient.waitUntilIndexed({ autoInfoId: id })).toMatchObject({ id, state: 'success' });
    expect((await use()).data).toEqual([]);
  });
});

describe('GET /us2/public/autoInfo/indexVehicle and findByIdentString', () => {
  test('indexVehicle: autoInfoId is required', () =>
    expect(vehicles.indexVehicle({} as never)).rejects.toMatchObject({ code: 'usage' }));

  test('indexVehicle: a vehicle that does not exist', () =>
    expect(vehicles.indexVehicle({ autoInfoId: '9223372036854775807' })).rejects.toMatchObject({
      details: { status: 404 },
    }));

  test('indexVehicle: locale, default en_US', async () => {
    const own = loginOf('locale').vehicles;
    const [{ id } = { id: '' }] = (await own.identify({ identString: VIN })).data;
    const label = async (more: object) =>
      (await own.indexVehicle({ autoInfoId: id, ...more })).data.attributes?.[0]?.label;
    expect(await label({})).toBe(await label({ locale: 'en_US' }));
    expect(await label({ locale: 'ru_RU' })).toBe('Модель');
  });

  test('findByIdentString: identString is required', () =>
    expect(vehicles.findByIdentString({} as never)).rejects.toMatchObject({ code: 'usage' }));

  test('findByIdentString: all vehicles of one VIN, none before they were identified', async () => {
    const own = loginOf('finder').vehicles;
    expect((await own.findByIdentString({ identString: SHARED_VIN })).data).toEqual([]);
    await own.identify({ identString: SHARED_VIN });
    const { data } = await own.findByIdentString({ identString: SHARED_VIN });
    expect(data.map(({ identString }) => identString)).toEqual(Array(3).fill(SHARED_VIN));
  });
});
