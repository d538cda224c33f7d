import { describe, free, LOCALE, needed, type Described, type DescribedOperation, type Examples } from './describe.ts';
import type { RefusalCode } from './refusals.ts';
import { FLAG, list, ref, WHOLE, type Json } from './schema.ts';

const LOCALIZED = free('localized', 'Names of attributes in the locale.', true, { ...FLAG, default: false });
const WORDING = [LOCALIZED, LOCALE];

/** What every call with an ssd may be refused for. */
const OF_SSD: RefusalCode[] = ['INVALID_SSD', 'CATALOG_NOT_FOUND', 'VEHICLE_NOT_FOUND'];

/** The catalog, in its REST form. */
export function describeCatalog(examples: Examples): DescribedOperation[] {
  const { catalog, vehicleId, ssd } = examples;
  const code = needed('catalog', 'The code of a catalog.', catalog);
  const data = needed('ssd', 'Opaque; as an earlier reply gave it.', ssd);
  const known = [code, data, needed('vehicleId', 'The vehicle in its catalog.', vehicleId)];
  return [
    operation(
      'getCatalogInfo',
      'What a catalog is and can do.',
      {
        parameters: [code, { ...data, required: false, description: 'Is taken, and changes nothing.' }, ...WORDING],
        reply: ref('CatalogInfo'),
        refusals: ['CATALOG_NOT_FOUND'],
      },
      examples,
    ),
    ...vehicles(examples),
    operation(
      'getVehicleInfo',
      'One vehicle.',
      {
        parameters: [...known, needed('localized', LOCALIZED.description, true, FLAG), LOCALE],
        reply: ref('CatalogVehicle'),
        refusals: OF_SSD,
      },
      examples,
    ),
    ...parts(examples, known),
  ];
}

function vehicles(examples: Examples): DescribedOperation[] {
  const anyCatalog = free('catalog', 'The code of a catalog; all of them when left out.', examples.catalog);
  const reply = list(ref('CatalogVehicle'));
  const refusals: RefusalCode[] = ['CATALOG_NOT_FOUND'];
  return [
    operation(
      'findVehicle',
      'Vehicles of a VIN or Frame number.',
      {
        parameters: [needed('identString', 'VIN or Frame number.', examples.ident), anyCatalog, ...WORDING],
        reply,
        refusals,
      },
      examples,
    ),
    operation(
      'findVehicleByPlateNumber',
      'Vehicles of a registration plate.',
      {
        parameters: [
          needed('countryCode', 'ru for the Russian Federation.', 'ru'),
          needed('plateNumber', 'The plate.', 'А123ВС77'),
          anyCatalog,
          ...WORDING,
        ],
        reply,
        refusals,
      },
      examples,
    ),
    operation(
      'execCustomOperation',
      'Vehicles by an operation of getCatalogInfo; each of its fields is a parameter.',
      {
        parameters: [
          needed('operation', 'The name of the operation.', 'wizard'),
          anyCatalog,
          free('model', 'A field of the operation wizard.', 'Fjell'),
          free('year', 'A field of the operation wizard.', '2012'),
          ...WORDING,
        ],
        reply,
        refusals: [...refusals, 'OPERATION_NOT_FOUND'],
      },
      examples,
    ),
  ];
}

function parts(examples: Examples, known: Described[]): DescribedOperation[] {
  const [code, data] = known as [Described, Described];
  return [
    operation(
      'listUnits',
      'Units of a category.',
      {
        parameters: [...known, free('categoryId', 'The first one when left out.', '11'), ...WORDING],
        reply: list(ref('Unit')),
        refusals: [...OF_SSD, 'CATEGORY_NOT_FOUND'],
      },
      examples,
    ),
    operation(
      'listDetailByUnit',
      'Parts of a unit.',
      {
        parameters: [
          code,
          { ...data, description: 'Of the unit or of the vehicle.' },
          needed('unitId', 'The unit.', 'NRD1101'),
          free('withLinks', 'With links to other categories.', true, FLAG),
          ...WORDING,
        ],
        reply: list(ref('Detail')),
        refusals: [...OF_SSD, 'UNIT_NOT_FOUND'],
      },
      examples,
    ),
    operation(
      'listQuickGroup',
      'The tree of quick groups.',
      { parameters: [...known, ...WORDING], reply: ref('QuickGroup'), refusals: OF_SSD },
      examples,
    ),
    operation(
      'listQuickDetail',
      'Parts of a quick group.',
      {
        parameters: [
          ...known,
          needed('quickGroupId', 'The group.', 111, WHOLE),
          free('all', 'The other parts of those units too.', true, FLAG),
          ...WORDING,
        ],
        reply: list(ref('Category')),
        refusals: [...OF_SSD, 'QUICK_GROUP_NOT_FOUND'],
      },
      examples,
    ),
  ];
}

function operation(
  id: string,
  summary: string,
  { parameters, reply, refusals }: { parameters: Described[]; reply: Json; refusals: RefusalCode[] },
  examples: Examples,
): DescribedOperation {
  const path = id === 'getCatalogInfo' ? '/restApi/v1/getCatalogInfo' : `/${id}`;
  const shape = { parameters, reply: { json: reply }, refusals };
  return describe(['post', path], { id, tag: 'catalog', summary }, shape, examples);
}
