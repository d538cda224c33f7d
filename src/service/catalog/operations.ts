import { z } from 'zod';
import { operation, type Operation } from '../operation/operation.ts';
import { fields, flag, id, locale, optional, required, text } from '../operation/parameters.ts';
import {
  categoriesReply,
  detailsReply,
  infoReply,
  quickGroupsReply,
  unitsReply,
  vehicleReply,
  vehiclesReply,
} from './schemas.ts';

const CATALOG = required(text, 'code of the catalog');
const ANY_CATALOG = optional(text, 'code of the catalog; all catalogs when not given');
const LOCALE = optional(locale, 'language of names; the command form always sends one', 'en_US');
const LOCALIZED = optional(flag, 'give names of attributes, in the language', 'false');
const WORDING = { localized: LOCALIZED, locale: LOCALE };
const SSD = required(text, "the catalog's server data of the vehicle, unit or group, unchanged");
const VEHICLE = required(text, 'the vehicle in the catalog');

/** The operations of the vehicle catalog, as the document lists them; each is the same in both forms. */
export const catalogOperations = {
  /** Reads what a catalog is and can: its features, and the operations that `execCustomOperation` takes. */
  getCatalogInfo: described({
    name: 'getCatalogInfo',
    about: 'What a catalog is and can.',
    paths: ['/restApi/v1/getCatalogInfo'],
    parameters: z.strictObject({
      catalog: CATALOG,
      ssd: optional(text, 'server data of the catalog'),
      locale: LOCALE,
    }),
    reply: infoReply,
    command: { name: 'GetCatalogInfo', keys: { locale: 'Locale', catalog: 'Catalog', ssd: 'ssd' } },
  }),
  /** Finds vehicles by VIN or frame number, in one catalog or in all; one number may belong to several. */
  findVehicle: described({
    name: 'findVehicle',
    about: 'Vehicles by VIN or frame number.',
    paths: ['/findVehicle'],
    parameters: z.strictObject({
      identString: required(text, 'the VIN or frame number'),
      catalog: ANY_CATALOG,
      ...WORDING,
    }),
    reply: vehiclesReply,
    command: {
      name: 'FindVehicle',
      keys: { locale: 'Locale', identString: 'IdentString', catalog: 'Catalog', localized: 'Localized' },
    },
  }),
  /** Finds vehicles by registration plate; the country of the Russian Federation is ru. */
  findVehicleByPlateNumber: described({
    name: 'findVehicleByPlateNumber',
    about: 'Vehicles by registration plate.',
    paths: ['/findVehicleByPlateNumber'],
    parameters: z.strictObject({
      countryCode: required(text, 'country of the plate, such as ru'),
      plateNumber: required(text, 'the plate'),
      catalog: ANY_CATALOG,
      ...WORDING,
    }),
    reply: vehiclesReply,
    command: {
      name: 'FindVehicleByPlateNumber',
      keys: {
        locale: 'Locale',
        countryCode: 'CountryCode',
        plateNumber: 'PlateNumber',
        catalog: 'Catalog',
        localized: 'Localized',
      },
    },
  }),
  /** Reads one vehicle that was found before. */
  getVehicleInfo: described({
    name: 'getVehicleInfo',
    about: 'One vehicle that was found before.',
    paths: ['/getVehicleInfo'],
    parameters: z.strictObject({
      catalog: CATALOG,
      ssd: SSD,
      vehicleId: VEHICLE,
      localized: required(flag, 'give names of attributes, in the language'),
      locale: LOCALE,
    }),
    reply: vehicleReply,
    command: {
      name: 'GetVehicleInfo',
      keys: { locale: 'Locale', catalog: 'Catalog', vehicleId: 'VehicleId', ssd: 'ssd', localized: 'Localized' },
    },
  }),
  /**
   * Finds vehicles by an operation of the catalog (`getCatalogInfo`). With a catalog, the values of `fields` are compared with
   * the patterns that the catalog gives before anything is sent; the names come with the operation.
   */
  execCustomOperation: described({
    name: 'execCustomOperation',
    about: 'Vehicles by an operation of the catalog.',
    paths: ['/execCustomOperation'],
    parameters: z.strictObject({
      operation: required(text, 'name of the operation, from getCatalogInfo'),
      catalog: ANY_CATALOG,
      fields: optional(fields, 'the fields of the operation, each under its own name'),
      ...WORDING,
    }),
    reply: vehiclesReply,
    command: {
      name: 'ExecCustomOperation',
      keys: { locale: 'Locale', catalog: 'Catalog', operation: 'operation', localized: 'Localized' },
      required: ['catalog'],
    },
  }),
  /** Lists the units of a category of a vehicle; of the first category when none is given. */
  listUnits: described({
    name: 'listUnits',
    about: 'Units of a vehicle.',
    paths: ['/listUnits'],
    parameters: z.strictObject({
      catalog: CATALOG,
      ssd: SSD,
      vehicleId: VEHICLE,
      categoryId: optional(text, 'the category; the first one when not given'),
      ...WORDING,
    }),
    reply: unitsReply,
    command: {
      name: 'ListUnits',
      keys: {
        locale: 'Locale',
        catalog: 'Catalog',
        vehicleId: 'VehicleId',
        categoryId: 'CategoryId',
        ssd: 'ssd',
        localized: 'Localized',
      },
    },
  }),
  /** Lists the parts of a unit; with `withLinks` also where they point to. */
  listDetailByUnit: described({
    name: 'listDetailByUnit',
    about: 'Parts of a unit.',
    paths: ['/listDetailByUnit'],
    parameters: z.strictObject({
      catalog: CATALOG,
      ssd: SSD,
      unitId: required(text, 'the unit'),
      withLinks: optional(flag, 'also give where parts point to', 'false'),
      ...WORDING,
    }),
    reply: detailsReply,
    command: {
      name: 'ListDetailByUnit',
      keys: {
        locale: 'Locale',
        catalog: 'Catalog',
        unitId: 'UnitId',
        ssd: 'ssd',
        localized: 'Localized',
        withLinks: 'WithLinks',
      },
    },
  }),
  /** Reads the tree of quick groups of a vehicle; `walkQuickGroups` gives it as a flat list. */
  listQuickGroup: described({
    name: 'listQuickGroup',
    about: 'Tree of quick groups of a vehicle.',
    paths: ['/listQuickGroup'],
    parameters: z.strictObject({ catalog: CATALOG, ssd: SSD, vehicleId: VEHICLE, locale: LOCALE }),
    reply: quickGroupsReply,
    command: {
      name: 'ListQuickGroup',
      keys: { locale: 'Locale', catalog: 'Catalog', vehicleId: 'VehicleId', ssd: 'ssd' },
    },
  }),
  /** Lists the parts of a quick group by category and unit; with `all` every part of the units, `match` on those of the group. */
  listQuickDetail: described({
    name: 'listQuickDetail',
    about: 'Parts of a quick group, by category and unit.',
    paths: ['/listQuickDetail'],
    parameters: z.strictObject({
      catalog: CATALOG,
      ssd: SSD,
      vehicleId: VEHICLE,
      quickGroupId: required(id, 'the quick group'),
      all: optional(flag, 'every part of the units, those of the group marked with match', 'false'),
      ...WORDING,
    }),
    reply: categoriesReply,
    command: {
      name: 'ListQuickDetail',
      keys: {
        locale: 'Locale',
        catalog: 'Catalog',
        vehicleId: 'VehicleId',
        quickGroupId: 'QuickGroupId',
        ssd: 'ssd',
        all: 'All',
        localized: 'Localized',
      },
      defaults: { all: '0' },
      digits: ['all'],
    },
  }),
};

/** What all operations of the catalog have in common. */
function described<const O extends Omit<Operation, 'group' | 'method' | 'repeatable'>>(own: O) {
  return operation({ ...own, group: 'catalog', method: 'POST', repeatable: true });
}
