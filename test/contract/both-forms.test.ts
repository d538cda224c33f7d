import { describe, expect, test } from 'vitest';
import { walkQuickGroups, type Service } from '../../src/service/service.ts';
import { contractWorld } from './world.ts';

const world = await contractWorld();
const rest = world.client({ catalogForm: 'rest' }).catalog;
const command = world.client({ catalogForm: 'command' }).catalog;

type Catalog = Service['catalog'];
type Known = { catalog: string; ssd: string; vehicleId: string };

/** What both forms answer, which must be the same and not nothing. */
async function both<T>(ask: (catalog: Catalog) => Promise<T>): Promise<T> {
  const [inRest, inCommand] = await Promise.all([ask(rest), ask(command)]);
  expect(inCommand).toEqual(inRest);
  return inRest;
}

const idents = world.rows('SELECT DISTINCT ident FROM vehicles ORDER BY id').map(({ ident }) => String(ident));
const catalogs = world.rows('SELECT code FROM catalogs ORDER BY code').map(({ code }) => String(code));

const LANGUAGES = [
  { localized: false, locale: 'en_US' },
  { localized: true, locale: 'ru_RU' },
] as const;

async function knownOf(ident: string): Promise<Known[]> {
  const vehicles = await rest.findVehicle({ identString: ident });
  return vehicles.map(({ catalog, ssd, vehicleId }) => ({ catalog: catalog, ssd: ssd, vehicleId }));
}

const known = (await Promise.all(idents.map(knownOf))).flat();
const sample = catalogs.map((code) => known.find(({ catalog }) => catalog === code)!);

test('all 20 vehicles of 4 catalogs are compared', () => {
  expect([known.length, new Set(known.map(({ ssd }) => ssd)).size, sample.length]).toEqual([20, 20, 4]);
});

describe('getCatalogInfo', () => {
  test.each(catalogs)('%s', async (catalog) => {
    for (const locale of ['en_US', 'de_DE', 'ru_RU'] as const) {
      const info = await both((form) => form.getCatalogInfo({ catalog, locale }));
      expect([info.features.length, info.operations.length]).not.toContain(0);
    }
  });
});

describe.each(LANGUAGES)('localized $localized in $locale', (language) => {
  test('findVehicle, in all catalogs and in one', async () => {
    const found = await Promise.all(
      idents.map((identString) => both((form) => form.findVehicle({ identString, ...language }))),
    );
    expect(found.flat()).toHaveLength(20);
    for (const { catalog } of sample) {
      await both((form) => form.findVehicle({ identString: 'YX9ZZZF2CFN114439', catalog, ...language }));
    }
  });

  test('findVehicleByPlateNumber', async () => {
    const plates = world.rows('SELECT plate FROM plates').map(({ plate }) => String(plate));
    for (const plateNumber of plates) {
      const found = await both((form) =>
        form.findVehicleByPlateNumber({ countryCode: 'ru', plateNumber, ...language }),
      );
      expect(found).toHaveLength(1);
    }
  });

  test('getVehicleInfo, of all vehicles', async () => {
    const infos = await Promise.all(known.map((one) => both((form) => form.getVehicleInfo({ ...one, ...language }))));
    expect(infos.map(({ vehicleId }) => vehicleId)).toEqual(known.map(({ vehicleId }) => vehicleId));
  });

  test('execCustomOperation, every operation of every catalog', async () => {
    const operations = world.rows('SELECT catalog, name FROM catalog_operations');
    for (const { catalog, name } of operations) {
      const examples = world.rows(
        'SELECT name, example FROM operation_fields WHERE catalog = ? AND operation = ?',
        String(catalog),
        String(name),
      );
      const fields = Object.fromEntries(examples.map((field) => [String(field['name']), String(field['example'])]));
      const asked = { catalog: String(catalog), operation: String(name), fields, ...language };
      expect(await both((form) => form.execCustomOperation(asked))).not.toEqual([]);
    }
  });

  test('listUnits, of all vehicles and of every category of the sample', async () => {
    const first = await Promise.all(known.map((one) => both((form) => form.listUnits({ ...one, ...language }))));
    expect(first.every((units) => units.length > 0)).toBe(true);
    for (const one of sample) {
      const categories = world.rows('SELECT category_id AS id FROM categories WHERE catalog = ?', one.catalog);
      const lists = await Promise.all(
        categories.map(({ id }) => both((form) => form.listUnits({ ...one, categoryId: String(id), ...language }))),
      );
      expect(lists.flat().length).toBeGreaterThan(10);
    }
  });

  test('listDetailByUnit, every unit of the sample, with links and without', async () => {
    for (const { catalog, ssd, vehicleId } of sample) {
      const linked = await Promise.all(
        unitsOf(catalog, vehicleId).map((unitId) =>
          both((form) => form.listDetailByUnit({ catalog, ssd, unitId, withLinks: true, ...language })),
        ),
      );
      expect(linked.every((details) => details.length > 0)).toBe(true);
      expect(linked.flat().some(({ links }) => links.length > 0)).toBe(true);
      const [unitId = ''] = unitsOf(catalog, vehicleId);
      const plain = await both((form) => form.listDetailByUnit({ catalog, ssd, unitId, ...language }));
      expect(plain.every(({ links }) => links.length === 0)).toBe(true);
    }
  });

  test('listQuickGroup, of all vehicles', async () => {
    const { locale } = language;
    const trees = await Promise.all(known.map((one) => both((form) => form.listQuickGroup({ ...one, locale }))));
    expect(trees.every((tree) => [...walkQuickGroups(tree)].length > 10)).toBe(true);
  });

  test('listQuickDetail, every group of two of the sample, with all and without', async () => {
    for (const one of sample.slice(0, 2)) {
      const groups = [...walkQuickGroups(await rest.listQuickGroup(one))].map(({ group }) => group);
      const found = await Promise.all(
        groups.map(({ quickGroupId }) =>
          both((form) => form.listQuickDetail({ ...one, quickGroupId, all: language.localized, ...language })),
        ),
      );
      expect(found.map((categories) => categories.length > 0)).toEqual(groups.map(({ link }) => link));
    }
  });
});

function unitsOf(catalog: string, vehicleId: string): string[] {
  return world
    .rows(
      `SELECT u.unit_id AS id FROM units u JOIN unit_vehicles uv ON uv.unit = u.id JOIN vehicles v ON v.id = uv.vehicle
       WHERE v.catalog = ? AND v.vehicle_id = ?`,
      catalog,
      vehicleId,
    )
    .map(({ id }) => String(id));
}
