import type { Operation as OperationName } from '../faults/schema.ts';
import { LOCALE, LOCALIZED, parameter, SSD, type Asked, type Parameter } from './asked.ts';
import { getCatalogInfo } from './catalog-info.ts';
import type { CatalogContext } from './context.ts';
import { execCustomOperation } from './custom-operation.ts';
import { listDetailByUnit } from './details.ts';
import { listQuickDetail, listQuickGroup } from './quick-groups.ts';
import { listUnits } from './units.ts';
import { findVehicle, findVehicleByPlateNumber, getVehicleInfo } from './vehicles.ts';
import * as xml from './xml.ts';

/** One operation of the catalog, in both forms. */
export type CatalogOperation = {
  name: OperationName;
  /** Path of the REST form. */
  path: string;
  /** Name in the command form, which is also the root of its reply. */
  command: string;
  parameters: Parameter[];
  /** Whether other parameters are fields of the operation that is asked for. */
  hasFields: boolean;
  run: (ctx: CatalogContext, asked: Asked) => CatalogReply;
};

/** A reply as JSON, and what is inside the root element of the command form. */
export type CatalogReply = { json: unknown; elements: () => xml.Element };

const CATALOG = parameter('catalog', 'required', 'required');
const ANY_CATALOG = parameter('catalog', 'optional', 'optional');
const VEHICLE_ID = parameter('vehicleId', 'required', 'required');
const WORDING = [LOCALE, LOCALIZED];

export const CATALOG_OPERATIONS: CatalogOperation[] = [
  operation('getCatalogInfo', [CATALOG, parameter('ssd', 'optional', 'optional', 'ssd')], getCatalogInfo, xml.ofInfo),
  operation(
    'findVehicle',
    [parameter('identString', 'required', 'required'), ANY_CATALOG],
    findVehicle,
    xml.ofVehicles,
  ),
  operation(
    'findVehicleByPlateNumber',
    [parameter('countryCode', 'required', 'required'), parameter('plateNumber', 'required', 'required'), ANY_CATALOG],
    findVehicleByPlateNumber,
    xml.ofVehicles,
  ),
  operation('getVehicleInfo', [CATALOG, SSD, VEHICLE_ID], getVehicleInfo, xml.ofVehicle, [
    LOCALE,
    parameter('localized', 'required', 'required'),
  ]),
  operation(
    'execCustomOperation',
    [parameter('operation', 'required', 'required', 'operation'), parameter('catalog', 'optional', 'required')],
    execCustomOperation,
    xml.ofVehicles,
  ),
  operation(
    'listUnits',
    [CATALOG, SSD, VEHICLE_ID, parameter('categoryId', 'optional', 'optional')],
    listUnits,
    xml.ofUnits,
  ),
  operation(
    'listDetailByUnit',
    [CATALOG, SSD, parameter('unitId', 'required', 'required'), parameter('withLinks', 'optional', 'optional')],
    listDetailByUnit,
    xml.ofDetails,
  ),
  operation('listQuickGroup', [CATALOG, SSD, VEHICLE_ID], listQuickGroup, xml.ofQuickGroup),
  operation(
    'listQuickDetail',
    [
      CATALOG,
      SSD,
      VEHICLE_ID,
      parameter('quickGroupId', 'required', 'required'),
      parameter('all', 'optional', 'required'),
    ],
    listQuickDetail,
    xml.ofCategories,
  ),
];

function operation<Result>(
  name: OperationName,
  parameters: Parameter[],
  run: (ctx: CatalogContext, asked: Asked) => Result,
  elements: (result: Result, asked: Asked) => xml.Element,
  wording: Parameter[] = WORDING,
): CatalogOperation {
  return {
    name,
    path: name === 'getCatalogInfo' ? '/restApi/v1/getCatalogInfo' : `/${name}`,
    command: `${name[0]!.toUpperCase()}${name.slice(1)}`,
    parameters: [...parameters, ...wording],
    hasFields: name === 'execCustomOperation',
    run: (ctx, asked) => {
      const json = run(ctx, asked);
      return { json, elements: () => elements(json, asked) };
    },
  };
}
