import {
  describe,
  FLAG,
  free,
  list,
  LOCALE,
  needed,
  ref,
  WHOLE,
  type Described,
  type DescribedOperation,
  type Examples,
} from './describe.ts';

/** The catalog, in its REST form. */
export function vehicleCatalog(examples: Examples): DescribedOperation[] {
  const { catalog, vehicleId, ssd, ident } = examples;
  const code = needed('catalog', 'The code of a catalog.', catalog);
  const anyCatalog = free('catalog', 'The code of a catalog; all of them when left out.', catalog);
  const data = needed('ssd', 'Opaque; as an earlier reply gave it.', ssd);
  const vehicle = needed('vehicleId', 'The vehicle in its catalog.', vehicleId);
  const known = [code, data, vehicle];
  const vehicles = list(ref('CatalogVehicle'));
  return [
    operation('getCatalogInfo', 'What a catalog is and can do.', [code, LOCALE], ref('CatalogInfo')),
    operation(
      'findVehicle',
      'Vehicles of a VIN or Frame number.',
      [needed('identString', 'VIN or Frame number.', ident), anyCatalog, ...WORDING],
      vehicles,
    ),
    operation(
      'findVehicleByPlateNumber',
      'Vehicles of a registration plate.',
      [
        needed('countryCode', 'ru for the Russian Federation.', 'ru'),
        needed('plateNumber', 'The plate.', 'А123ВС77'),
        anyCatalog,
        ...WORDING,
      ],
      vehicles,
    ),
    operation(
      'getVehicleInfo',
      'One vehicle.',
      [...known, needed('localized', 'Names of attributes in the locale.', true, FLAG), LOCALE],
      ref('CatalogVehicle'),
    ),
    operation(
      'execCustomOperation',
      'Vehicles by an operation of getCatalogInfo; each of its fields is a parameter.',
      [
        needed('operation', 'The name of the operation.', 'wizard'),
        anyCatalog,
        free('model', 'A field of the operation wizard.', 'Fjell'),
        free('year', 'A field of the operation wizard.', '2012'),
        ...WORDING,
      ],
      vehicles,
    ),
    ...parts(examples, known),
  ];
}

function parts({ catalog, ssd }: Examples, known: Described[]): DescribedOperation[] {
  return [
    operation(
      'listUnits',
      'Units of a category.',
      [...known, free('categoryId', 'The first one when left out.', '11'), ...WORDING],
      list(ref('Unit')),
    ),
    operation(
      'listDetailByUnit',
      'Parts of a unit.',
      [
        needed('catalog', 'The code of a catalog.', catalog),
        needed('ssd', 'Of the unit or of the vehicle.', ssd),
        needed('unitId', 'The unit.', 'NRD1101'),
        free('withLinks', 'With links to other categories.', true, FLAG),
        ...WORDING,
      ],
      list(ref('Detail')),
    ),
    operation('listQuickGroup', 'The tree of quick groups.', [...known, LOCALE], ref('QuickGroup')),
    operation(
      'listQuickDetail',
      'Parts of a quick group.',
      [
        ...known,
        needed('quickGroupId', 'The group.', 111, WHOLE),
        free('all', 'The other parts of those units too.', true, FLAG),
        ...WORDING,
      ],
      list(ref('Category')),
    ),
  ];
}

const WORDING = [free('localized', 'Names of attributes in the locale.', true, { ...FLAG, default: false }), LOCALE];

function operation(
  id: string,
  summary: string,
  parameters: Described[],
  reply: Record<string, unknown>,
): DescribedOperation {
  const path = id === 'getCatalogInfo' ? '/restApi/v1/getCatalogInfo' : `/${id}`;
  return describe(['post', path], { id, tag: 'catalog', summary }, { parameters, reply });
}
