import { describe, expect, test } from 'vitest';
import { catalogForTest, FJELL, parsed } from './world.ts';

const catalog = await catalogForTest();
const { ssd, vehicleId, catalog: code } = await catalog.known();
const VEHICLE = { Catalog: code, VehicleId: vehicleId, ssd };

test('FindVehicle answers rows with attributes and the system property', async () => {
  const { FindVehicle } = await catalog.xml('FindVehicle', { IdentString: FJELL, Localized: 'true' });

  expect(FindVehicle).toMatchObject({
    row: [
      {
        brand: 'NORDMARK',
        vehicleid: '10101',
        attribute: expect.arrayContaining([{ key: 'engine', value: 'N16A', name: 'Engine' }]),
        sysproperty: { key: 'filter_level', '#text': 'full' },
      },
    ],
  });
});

test('without Localized keys and values belong to the record itself', async () => {
  const { FindVehicle } = await catalog.xml('FindVehicle', { IdentString: FJELL });
  const [row] = (FindVehicle as { row: Record<string, unknown>[] }).row;

  expect(row).toMatchObject({ engine: 'N16A', name: 'Fjell 1.6' });
  expect(row).not.toHaveProperty('attribute');
});

test('GetCatalogInfo shows features as flags and operations under extensions', async () => {
  const { GetCatalogInfo } = await catalog.xml('GetCatalogInfo', { Catalog: 'VLG2610' });

  expect(GetCatalogInfo).toMatchObject({
    row: [
      {
        code: 'VLG2610',
        supportvinsearch: 'true',
        supportquickgroups: 'true',
        supportdetailapplicability: 'false',
        supportparameteridentification2: 'true',
        vinexample: 'X99231100B0177008',
        extensions: { operations: { operation: [{ name: 'wizard', field: [{ name: 'model' }, {}, {}] }] } },
      },
    ],
  });
});

test('ListQuickGroup nests rows', async () => {
  const { ListQuickGroup } = await catalog.xml('ListQuickGroup', VEHICLE);

  expect(ListQuickGroup).toMatchObject({
    row: [
      {
        quickgroupid: '1',
        link: 'false',
        row: expect.arrayContaining([expect.objectContaining({ quickgroupid: '100', name: 'Engine' })]),
      },
    ],
  });
});

test('ListQuickDetail nests categories, units and details, and marks those that match with t', async () => {
  const { ListQuickDetail } = await catalog.xml('ListQuickDetail', { ...VEHICLE, QuickGroupId: '111', All: '1' });

  expect(ListQuickDetail).toMatchObject({
    Category: [
      {
        categoryid: '11',
        Unit: [
          {
            unitid: 'NRD1101',
            Detail: expect.arrayContaining([expect.objectContaining({ name: 'Oil filter', match: 't' })]),
          },
        ],
      },
    ],
  });
});

test('links carry the names of the command form', async () => {
  const { ListUnits } = await catalog.xml('ListUnits', VEHICLE);

  expect(ListUnits).toMatchObject({
    row: [
      {
        links: {
          link: [{ Catalog: code, CategoryId: '12', Command: 'ListUnits', Localized: 'true', Locale: 'en_US' }],
        },
      },
    ],
  });
});

describe('refusals are XML too', () => {
  test.each([
    ['an unknown command', 'FindBoat:Locale=en_US', 404, 'UNKNOWN_COMMAND'],
    ['a command without Locale', `FindVehicle:IdentString=${FJELL}`, 400, 'INVALID_PARAMETER'],
    ['what has no equals sign', 'FindVehicle:Locale=en_US|IdentString', 400, 'INVALID_COMMAND'],
    [
      'a parameter of the REST form',
      `FindVehicle:Locale=en_US|IdentString=${FJELL}|catalog=X`,
      400,
      'INVALID_PARAMETER',
    ],
    [
      'a field that is named like a parameter',
      'ExecCustomOperation:Locale=en_US|Catalog=NRD2611|operation=wizard|catalog=X',
      400,
      'INVALID_PARAMETER',
    ],
    ['a parameter given twice', 'FindVehicle:Locale=en_US|Locale=de_DE|IdentString=X', 400, 'INVALID_PARAMETER'],
    ['an empty body', '', 400, 'INVALID_COMMAND'],
    ['two lines', 'FindVehicle:Locale=en_US\nFindVehicle:Locale=en_US', 400, 'INVALID_COMMAND'],
    ['a body that is too long', `FindVehicle:Locale=${'x'.repeat(70_000)}`, 413, 'COMMAND_TOO_LONG'],
    ['All in words', `ListQuickDetail:Locale=en_US|All=true`, 400, 'INVALID_PARAMETER'],
  ])('%s', async (_, line, status, expected) => {
    const reply = await catalog.send(line);

    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toContain('xml');
    expect(parsed(await reply.text())).toMatchObject({ error: { code: expected } });
  });

  test('name a parameter as the command form does', async () => {
    const reply = await catalog.command('ListUnits', { Locale: 'en_US', Catalog: code, ssd });

    expect(await reply.text()).toContain('The parameter VehicleId is missing.');
  });
});

test('values can be percent encoded, at another path', async () => {
  const other = await catalogForTest({ settings: { catalog: { commandPath: '/xml/run', commandValues: 'percent' } } });
  const body = 'FindVehicleByPlateNumber:Locale=en_US|CountryCode=ru|PlateNumber=%D0%90123%D0%92%D0%A177';
  const reply = await fetch(`${other.url}/xml/run`, { method: 'POST', body });

  expect(parsed(await reply.text())).toMatchObject({
    FindVehicleByPlateNumber: { row: [{ name: 'Fjell Kombi 2.0' }] },
  });
});

test('special characters survive', async () => {
  const reply = await catalog.command('FindVehicle', { Locale: '<&">', IdentString: FJELL });

  expect(reply.status).toBe(400);
  expect(parsed(await reply.text())).toMatchObject({
    error: { '#text': 'The parameter Locale is not a language and country such as en_US.' },
  });
});
