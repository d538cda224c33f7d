import { describe, expect, test } from 'vitest';
import { catalogForTest, FJELL, SHARED_VIN } from './world.ts';

type Vehicle = {
  catalog?: string;
  name: string;
  ssd: string;
  vehicleId: string;
  attributes: { key: string; value: string; name?: string }[];
  sysProperties: { filter_level: string };
};

const catalog = await catalogForTest();

describe('findVehicle', () => {
  test('finds a vehicle by its VIN, however it is typed', async () => {
    const [vehicle, ...more] = await catalog.json<Vehicle[]>('findVehicle', { identString: 'yx9zzz f1acn-104813' });

    expect(more).toEqual([]);
    expect(vehicle).toMatchObject({
      catalog: 'NRD2611',
      brand: 'NORDMARK',
      name: 'Fjell 1.6',
      vehicleId: '10101',
      sysProperties: { filter_level: 'full' },
    });
    expect(vehicle!.attributes).toContainEqual({ key: 'engine', value: 'N16A' });
  });

  test('finds every vehicle of a VIN in all catalogs, or in one', async () => {
    const all = await catalog.json<Vehicle[]>('findVehicle', { identString: SHARED_VIN });
    const [first] = all;
    const some = await catalog.json<Vehicle[]>('findVehicle', { identString: SHARED_VIN, catalog: first!.catalog! });

    expect(await catalog.json('findVehicle', { identString: SHARED_VIN, catalog: '' })).toHaveLength(3);
    expect(all).toHaveLength(3);
    expect(new Set(all.map((vehicle) => vehicle.catalog)).size).toBe(2);
    expect(some.length).toBeLessThan(3);
    expect(new Set(some.map((vehicle) => vehicle.catalog))).toEqual(new Set([first!.catalog]));
  });

  test('answers an unknown VIN with an empty list', async () => {
    expect(await catalog.json('findVehicle', { identString: 'WVWZZZ1JZXW000000' })).toEqual([]);
    expect(await catalog.xml('FindVehicle', { IdentString: 'WVWZZZ1JZXW000000' })).toMatchObject({ FindVehicle: '' });
  });

  test('names attributes in the locale when it is localised', async () => {
    const values = { identString: FJELL, localized: 'true', locale: 'ru_RU' };
    const [vehicle] = await catalog.json<Vehicle[]>('findVehicle', values);

    expect(vehicle!.attributes).toContainEqual({ key: 'fuel', value: 'бензин', name: 'Топливо' });
  });

  test('speaks English in a locale whose language it does not know', async () => {
    const values = { identString: FJELL, localized: 'true', locale: 'fi_FI' };
    const [vehicle] = await catalog.json<Vehicle[]>('findVehicle', values);

    expect(vehicle!.attributes).toContainEqual({ key: 'fuel', value: 'petrol', name: 'Fuel' });
  });

  test('joins several values of one key when it is not localised', async () => {
    const localised = await catalog.json<Vehicle[]>('findVehicle', { identString: SHARED_VIN, localized: 'true' });
    const plain = await catalog.json<Vehicle[]>('findVehicle', { identString: SHARED_VIN });
    const options = ({ attributes }: Vehicle) =>
      attributes.filter(({ key }) => key === 'options').map((one) => one.value);

    const several = localised.findIndex((vehicle) => options(vehicle).length > 1);
    expect(several).not.toBe(-1);
    expect(options(plain[several]!)).toEqual([options(localised[several]!).join('; ')]);
  });
});

describe('findVehicleByPlateNumber', () => {
  test('finds the vehicle of a Russian plate, also when typed in Latin letters', async () => {
    const values = { countryCode: 'ru', plateNumber: 'a123bc 77' };

    expect(await catalog.json('findVehicleByPlateNumber', values)).toMatchObject([{ name: 'Fjell Kombi 2.0' }]);
  });

  test('knows no plates of other countries', async () => {
    expect(await catalog.json('findVehicleByPlateNumber', { countryCode: 'de', plateNumber: 'А123ВС77' })).toEqual([]);
  });

  test('refuses what is no country code', async () => {
    const reply = await catalog.post('/findVehicleByPlateNumber', { countryCode: 'Russia', plateNumber: 'А123ВС77' });

    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { code: 'INVALID_PARAMETER' } });
  });
});

describe('getVehicleInfo', () => {
  test('shows the vehicle of an ssd, which it hands on unchanged', async () => {
    const known = await catalog.known();
    const vehicle = await catalog.json<Vehicle>('getVehicleInfo', { ...known, localized: 'true' });

    expect(vehicle).toMatchObject({ name: 'Fjell 1.6', vehicleId: known.vehicleId, ssd: known.ssd });
  });

  test('names the catalog when the search did not', async () => {
    const searched = async (values: Record<string, string>) => {
      const [{ ssd, vehicleId }] = await catalog.json<[Vehicle]>('findVehicle', { identString: FJELL, ...values });
      return catalog.json<Vehicle>('getVehicleInfo', { catalog: 'NRD2611', ssd, vehicleId, localized: 'false' });
    };

    expect((await searched({})).catalog).toBe('NRD2611');
    expect(await searched({ catalog: 'NRD2611' })).not.toHaveProperty('catalog');
  });

  test.each([
    ['an ssd that was changed', { ssd: 'abc' }, 400, 'INVALID_SSD'],
    ['a vehicle that is not the one of the ssd', { vehicleId: '10102' }, 400, 'INVALID_PARAMETER'],
    ['an ssd of another catalog', { catalog: 'HKM2608' }, 400, 'INVALID_PARAMETER'],
    ['an unknown catalog', { catalog: 'NOPE' }, 404, 'CATALOG_NOT_FOUND'],
    ['a word that is neither true nor false', { localized: 'yes' }, 400, 'INVALID_PARAMETER'],
    ['no localized', { localized: '' }, 400, 'INVALID_PARAMETER'],
    ['what is no locale', { locale: 'english' }, 400, 'INVALID_PARAMETER'],
    ['a parameter that is misspelt', { locales: 'en_US' }, 400, 'INVALID_PARAMETER'],
    ['what is required and blank', { vehicleId: ' ' }, 400, 'INVALID_PARAMETER'],
  ])('refuses %s', async (_, change, status, code) => {
    const reply = await catalog.post('/getVehicleInfo', { ...(await catalog.known()), localized: 'true', ...change });

    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { code } });
  });
});

describe('execCustomOperation', () => {
  test('finds vehicles by the fields of an operation, ignoring those left out', async () => {
    const values = { catalog: 'NRD2611', operation: 'wizard', model: 'fjell', year: '2012' };
    const all = await catalog.json<Vehicle[]>('execCustomOperation', values);
    const some = await catalog.json<Vehicle[]>('execCustomOperation', { ...values, engine: 'n16a' });

    expect(all.length).toBeGreaterThan(some.length);
    expect(some).toMatchObject([{ name: 'Fjell 1.6' }]);
  });

  test('asks every catalog that has the operation when none is named', async () => {
    const values = { operation: 'frame', frame: 'HA10', serial: '0128878' };

    expect(await catalog.json('execCustomOperation', values)).toMatchObject([{ catalog: 'HKM2608' }]);
  });

  test.each([
    ['a value that the pattern forbids', { year: '12' }, 400, 'The parameter year does not match ^(19|20)\\d{2}$.'],
    ['a field that is missing', { model: '' }, 400, 'The parameter model does not match'],
    ['a field that is not there', { colour: 'red' }, 400, 'The parameter colour is not a field of this operation.'],
    ['an operation that is not there', { operation: 'frame' }, 404, 'NRD2611 does not have an operation frame.'],
  ])('refuses %s', async (_, change, status, message) => {
    const values = { catalog: 'NRD2611', operation: 'wizard', model: 'Fjell', year: '2012', ...change };
    const reply = await catalog.post('/execCustomOperation', values);

    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });
});

test('getCatalogInfo describes features, operations and the patterns of their fields', async () => {
  const info = await catalog.json<object>('getCatalogInfo', { catalog: 'HKM2608', locale: 'de_DE' });

  expect(info).toMatchObject({
    code: 'HKM2608',
    brand: 'HIKAMI',
    features: expect.arrayContaining([{ name: 'vinsearch', example: 'HA10-0128878' }, { name: 'quickgroups' }]),
    operations: [
      { name: 'wizard', kind: 'search_vehicle' },
      {
        name: 'frame',
        description: 'Nach Rahmennummer',
        fields: [{ name: 'frame', pattern: '^[A-Za-z]{2}[0-9]{2}$', example: 'HA10' }, { name: 'serial' }],
      },
    ],
  });
});
