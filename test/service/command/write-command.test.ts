import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandCall } from '../../../src/service/command/write-command.ts';
import { catalogOperations } from '../../../src/service/catalog/operations.ts';

const refusing = { commandPath: '/catalog', commandValues: 'refuse' } as const;
const encoding = { commandPath: '/catalog', commandValues: 'percent' } as const;
const VEHICLE = { catalog: 'AU1', vehicleId: '0', ssd: 'x1' };

test.each([
  ['getCatalogInfo', { catalog: 'AU1' }, 'GetCatalogInfo:Locale=en_US|Catalog=AU1'],
  [
    'findVehicle',
    { identString: 'WAU', locale: 'ru_RU', localized: true },
    'FindVehicle:Locale=ru_RU|IdentString=WAU|Localized=true',
  ],
  [
    'findVehicleByPlateNumber',
    { countryCode: 'ru', plateNumber: 'A1' },
    'FindVehicleByPlateNumber:Locale=en_US|CountryCode=ru|PlateNumber=A1',
  ],
  [
    'getVehicleInfo',
    { ...VEHICLE, localized: false },
    'GetVehicleInfo:Locale=en_US|Catalog=AU1|VehicleId=0|ssd=x1|Localized=false',
  ],
  [
    'execCustomOperation',
    { catalog: 'AU1', operation: 'byMvs', fields: { mvs: '12', year: '2010' } },
    'ExecCustomOperation:Locale=en_US|Catalog=AU1|operation=byMvs|mvs=12|year=2010',
  ],
  ['listUnits', { ...VEHICLE, categoryId: '7' }, 'ListUnits:Locale=en_US|Catalog=AU1|VehicleId=0|CategoryId=7|ssd=x1'],
  [
    'listDetailByUnit',
    { catalog: 'AU1', ssd: 'x1', unitId: 'u', withLinks: true },
    'ListDetailByUnit:Locale=en_US|Catalog=AU1|UnitId=u|ssd=x1|WithLinks=true',
  ],
  ['listQuickGroup', VEHICLE, 'ListQuickGroup:Locale=en_US|Catalog=AU1|VehicleId=0|ssd=x1'],
  [
    'listQuickDetail',
    { ...VEHICLE, quickGroupId: '5' },
    'ListQuickDetail:Locale=en_US|Catalog=AU1|VehicleId=0|QuickGroupId=5|ssd=x1|All=0',
  ],
  [
    'listQuickDetail',
    { ...VEHICLE, quickGroupId: '5', all: true },
    'ListQuickDetail:Locale=en_US|Catalog=AU1|VehicleId=0|QuickGroupId=5|ssd=x1|All=1',
  ],
] as const)('%s', (name, parameters, line) => {
  const call = commandCall(catalogOperations[name], parameters, refusing);
  expect(call).toMatchObject({ method: 'POST', path: '/catalog', body: line });
  expect(call.label).toBe(`${line.slice(0, line.indexOf(':'))} (POST /catalog)`);
});

test('what is not ambiguous passes as it is: the first = of a pair ends its key', () => {
  const given = { ...VEHICLE, ssd: '$a=b:c==' };
  expect(commandCall(catalogOperations.listQuickGroup, given, refusing).body).toBe(
    'ListQuickGroup:Locale=en_US|Catalog=AU1|VehicleId=0|ssd=$a=b:c==',
  );
});

test('a value that would break the line is refused by name, all of them at once', () => {
  const given = { ...VEHICLE, ssd: 'a|b=', categoryId: 'c:d\n' };
  expect(() => commandCall(catalogOperations.listUnits, given, refusing)).toThrow(
    expect.objectContaining({
      code: 'usage',
      details: {
        operation: 'listUnits',
        problems: [
          'CategoryId has "\\n", which would break the command; set service.commandValues to percent, or service.catalogForm to rest',
          'ssd has "|", which would break the command; set service.commandValues to percent, or service.catalogForm to rest',
        ],
      },
    }) as Error,
  );
});

test.each([
  [
    'the catalog, which only the other form may leave out',
    { operation: 'byMvs', fields: { mvs: '12' } },
    'catalog is missing: the command ExecCustomOperation needs it; only service.catalogForm: rest can do without',
  ],
  [
    'a field that would be taken for a parameter',
    { catalog: 'AU1', operation: 'byMvs', fields: { Locale: 'x', catalog: 'y' } },
    'fields.Locale: the command ExecCustomOperation has a parameter of this name',
  ],
])('a custom operation is refused for %s', (_what, parameters, problem) => {
  expect(() => commandCall(catalogOperations.execCustomOperation, parameters, refusing)).toThrow(
    expect.objectContaining({
      code: 'usage',
      details: { operation: 'execCustomOperation', problems: [problem] },
    }) as Error,
  );
});

test('with percent every value can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 1 }), (value, name) => {
      const fields = { [name]: value };
      const call = commandCall(
        catalogOperations.execCustomOperation,
        { catalog: 'AU1', operation: 'o', fields },
        encoding,
      );
      const [, ...pairs] = (call.body as string).split(':');
      expect(pairs).toHaveLength(1);
      const last = pairs[0]!.split('|').at(-1)!.split('=');
      const decoded = last.map((part) =>
        part.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
      );
      expect(decoded).toEqual([name, value]);
    }),
  );
});
