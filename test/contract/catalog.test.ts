import { describe, expect, test } from 'vitest';
import { imageAddress, partFlags, walkQuickGroups } from '../../src/service/service.ts';
import { contractWorld } from './world.ts';

const world = await contractWorld();

const VIN = 'YX9ZZZF1ACN104813';
const SHARED_VIN = 'YX9ZZZF2CFN114439';
const PLATE = { countryCode: 'ru', plateNumber: 'А123ВС77' };
const WIZARD = { catalog: 'NRD2611', operation: 'wizard', fields: { model: 'Fjell', year: '2012', engine: 'N16A' } };

/** What the raw calls of the command form are asked with: a vehicle that was found before. */
const [first] = await world.client().catalog.findVehicle({ identString: VIN, catalog: 'NRD2611' });
const known = { catalog: first!.catalog, ssd: first!.ssd, vehicleId: first!.vehicleId };

describe.each(['rest', 'command'] as const)('in the form %s', (catalogForm) => {
  const { catalog } = world.client({ catalogForm });

  test('catalog info: name, code, brand, icon, features, operations with fields and patterns', async () => {
    const info = await catalog.getCatalogInfo({ catalog: 'NRD2611' });
    expect(info).toMatchObject({ name: 'Nordmark Europe', code: 'NRD2611', brand: 'NORDMARK', icon: 'nordmark.png' });
    expect(info.features).toContainEqual({ name: 'vinsearch', example: VIN });
    expect(info.operations[0]).toMatchObject({ name: 'wizard', kind: 'search_vehicle' });
    expect(info.operations[0]!.fields[1]).toMatchObject({ name: 'year', pattern: '^(19|20)\\d{2}$', example: '2012' });
  });

  test('catalog info: ssd is optional, locale gives the language of the name', async () => {
    const info = await catalog.getCatalogInfo({ catalog: 'NRD2611', ssd: known.ssd, locale: 'de_DE' });
    expect(info.name).toBe('Nordmark Europa');
  });

  test('vehicle by VIN: catalog is optional, all catalogs when absent', async () => {
    expect(await catalog.findVehicle({ identString: SHARED_VIN })).toHaveLength(3);
    expect(await catalog.findVehicle({ identString: SHARED_VIN, catalog: 'VLG2610' })).toHaveLength(1);
    expect(await catalog.findVehicle({ identString: 'WVWZZZ1JZXW000000' })).toEqual([]);
  });

  test('localized: default false, names of attributes are absent; true, they are in the locale', async () => {
    const named = async (more: object) =>
      (await catalog.findVehicle({ identString: VIN, ...more }))[0]!.attributes.find(({ key }) => key === 'model')
        ?.name;
    expect(await named({})).toBeUndefined();
    expect(await named({ localized: false })).toBeUndefined();
    expect(await named({ localized: true })).toBe('Model');
    expect(await named({ localized: true, locale: 'ru_RU' })).toBe('Модель');
  });

  test('catalog vehicle: catalog, brand, name, vehicleId, ssd, attributes, sysProperties', async () => {
    const [vehicle] = await catalog.findVehicle({ identString: VIN });
    expect(vehicle).toMatchObject({ catalog: 'NRD2611', brand: 'NORDMARK', name: 'Fjell 1.6', vehicleId: '10101' });
    expect(vehicle).toMatchObject({ ssd: expect.any(String) as string, sysProperties: { filter_level: 'full' } });
  });

  test('vehicle by plate: countryCode, plateNumber, catalog optional', async () => {
    expect(await catalog.findVehicleByPlateNumber(PLATE)).toMatchObject([{ vehicleId: '10103' }]);
    expect(await catalog.findVehicleByPlateNumber({ ...PLATE, catalog: 'VLG2610' })).toEqual([]);
  });

  test('vehicle info: catalog is present when the search ran by VIN without one', async () => {
    const infoAfter = async (more: object) => {
      const [{ ssd, vehicleId } = { ssd: '', vehicleId: '' }] = await catalog.findVehicle({
        identString: VIN,
        ...more,
      });
      return catalog.getVehicleInfo({ catalog: 'NRD2611', ssd: ssd, vehicleId, localized: true });
    };
    expect((await infoAfter({})).catalog).toBe('NRD2611');
    expect((await infoAfter({ catalog: 'NRD2611' })).catalog).toBe('');
  });

  test('note 2: an ssd that was changed is refused', async () => {
    const other = known.ssd.startsWith('x') ? 'y' : 'x';
    const changed = { ...known, ssd: `${other}${known.ssd.slice(1)}`, localized: false };
    await expect(catalog.getVehicleInfo(changed)).rejects.toMatchObject({ details: { status: 400 } });
  });

  test('note 4: a field that does not match its pattern is refused before it is sent', async () => {
    expect(await catalog.execCustomOperation(WIZARD)).toMatchObject([{ vehicleId: '10101' }]);
    const wrong = { ...WIZARD, fields: { ...WIZARD.fields, year: '12' } };
    await expect(catalog.execCustomOperation(wrong)).rejects.toMatchObject({ code: 'usage' });
  });

  test('units: categoryId is optional, the first category when absent', async () => {
    const units = await catalog.listUnits(known);
    expect(units).toMatchObject([{ unitId: 'NRD1101', name: 'Oil pump and oil filter', code: '1101', details: [] }]);
    expect(await catalog.listUnits({ ...known, categoryId: '11' })).toEqual(units);
    expect(await catalog.listUnits({ ...known, categoryId: '40' })).toContainEqual(
      expect.objectContaining({ filter: 'AC', filter_note: 'for vehicles with air conditioning' }),
    );
  });

  test('units: imageUrl and largeImageUrl have a size variable', async () => {
    const [unit] = await catalog.listUnits(known);
    expect([unit!.imageUrl, unit!.largeImageUrl]).toEqual([
      expect.stringContaining('%size%'),
      expect.stringContaining('%size%'),
    ]);
    expect(imageAddress(unit!.imageUrl!, 250)).toContain('/250/');
  });

  test('parts of a unit: the ssd of the unit or of the vehicle; withLinks adds the links', async () => {
    const [unit] = await catalog.listUnits({ ...known, categoryId: '13' });
    const asked = { catalog: known.catalog, ssd: unit!.ssd, unitId: unit!.unitId };
    const details = await catalog.listDetailByUnit(asked);
    expect(details).toEqual(await catalog.listDetailByUnit({ ...asked, ssd: known.ssd, withLinks: false }));
    const linked = await catalog.listDetailByUnit({ ...asked, withLinks: true });
    const [link] = linked.flatMap(({ links }) => links);
    expect(link).toMatchObject({ catalog: 'NRD2611', command: 'ListUnits', vehicleId: known.vehicleId });
    const { categoryId, ssd } = link!;
    expect(await catalog.listUnits({ ...known, categoryId: categoryId!, ssd })).not.toEqual([]);
  });

  test('flag: bit 1 of the mask means a non-standard part', async () => {
    const { unit } = world.row(
      `SELECT u.unit_id AS unit FROM detail_attributes a JOIN details d ON d.id = a.detail JOIN units u ON u.id = d.unit
       JOIN detail_vehicles v ON v.detail = d.id WHERE a.key = 'flag' AND a.value_en = '1' AND v.vehicle = 1`,
    );
    const asked = { catalog: known.catalog, ssd: known.ssd, unitId: String(unit) };
    const flags = (await catalog.listDetailByUnit(asked)).map(({ attributes }) => partFlags(attributes));
    expect(flags).toContainEqual({ nonStandard: true, others: 0 });
    expect(flags).toContainEqual({ nonStandard: false, others: 0 });
  });

  test('quick groups: a tree; one with link=false yields no parts', async () => {
    const groups = [...walkQuickGroups(await catalog.listQuickGroup(known))];
    expect(Math.max(...groups.map(({ depth }) => depth))).toBeGreaterThan(2);
    const empty = groups.find(({ group }) => !group.link)!.group;
    expect(await catalog.listQuickDetail({ ...known, quickGroupId: empty.quickGroupId })).toEqual([]);
  });

  test('parts of a quick group: all marks the matching ones with match', async () => {
    const detailsOf = async (more: object) => {
      const categories = await catalog.listQuickDetail({ ...known, quickGroupId: 111, ...more });
      return categories.flatMap(({ units }) => units.flatMap(({ details }) => details));
    };
    const only = await detailsOf({});
    expect(only).toEqual(await detailsOf({ all: false }));
    expect(only.some((detail) => 'match' in detail)).toBe(false);
    const all = await detailsOf({ all: true });
    const matching = all.filter(({ match }) => match === true).map(({ oem }) => oem);
    expect(matching).toEqual(only.map(({ oem }) => oem));
    expect(all.length).toBeGreaterThan(matching.length);
  });
});

const { catalog: CATALOG, ssd, vehicleId: VehicleId } = known;
const OF_VEHICLE = { Locale: 'en_US', Catalog: CATALOG, VehicleId, ssd };

describe('required parameters of the command form', () => {
  test.each([
    ['GetCatalogInfo', { Locale: 'en_US', Catalog: CATALOG }],
    ['FindVehicle', { Locale: 'en_US', IdentString: VIN }],
    ['FindVehicleByPlateNumber', { Locale: 'en_US', CountryCode: 'ru', PlateNumber: PLATE.plateNumber }],
    ['GetVehicleInfo', { ...OF_VEHICLE, Localized: 'true' }],
    ['ExecCustomOperation', { Locale: 'en_US', Catalog: CATALOG, operation: 'wizard', ...WIZARD.fields }],
    ['ListUnits', OF_VEHICLE],
    ['ListDetailByUnit', { Locale: 'en_US', Catalog: CATALOG, UnitId: 'NRD1101', ssd }],
    ['ListQuickGroup', OF_VEHICLE],
    ['ListQuickDetail', { ...OF_VEHICLE, QuickGroupId: '111', All: '0' }],
  ])('%s', async (name, values: Record<string, string>) => {
    const send = (pairs: [string, string][]) =>
      world.raw('/catalog', {}, { method: 'POST', body: `${name}:${pairs.map((pair) => pair.join('=')).join('|')}` });
    const whole = await send(Object.entries(values));
    expect(whole).toMatchObject({ status: 200, text: expect.stringContaining(`<${name}>`) as string });
    const fields = Object.keys(WIZARD.fields);
    for (const left of Object.keys(values).filter((key) => !fields.includes(key))) {
      const reply = await send(Object.entries(values).filter(([key]) => key !== left));
      expect([left, reply.status, reply.text]).toEqual([left, 400, expect.stringContaining(left) as string]);
    }
  });
});
