import type { Route } from '../calls/router.ts';
import type { Ssd } from '../ssd.ts';
import type { DescribedOperation, Examples } from './describe.ts';
import { partsSearch } from './parts-search.ts';
import { vehicleCatalog } from './vehicle-catalog.ts';
import { SCHEMAS } from './schemas.ts';

const FIRST_AUTO_INFO = 700_001;

/** Serves the description of the interface at `/openapi.json`, whose examples fit this data folder. */
export function openApiRoute(ssd: Ssd, offerId: unknown): Route {
  const vehicle = { catalog: 'NRD2611', vehicle: 1 };
  const examples: Examples = {
    offerId,
    autoInfoId: FIRST_AUTO_INFO,
    ident: 'YX9ZZZF1ACN104813',
    catalog: vehicle.catalog,
    vehicleId: '10101',
    ssd: ssd.write(vehicle),
  };
  const json = openApiDocument(examples);
  return { method: 'GET', path: '/openapi.json', open: true, handle: () => Promise.resolve({ status: 200, json }) };
}

/** The description of the parts search and the vehicle catalog, as OpenAPI 3.1. */
function openApiDocument(examples: Examples): Record<string, unknown> {
  const operations = [...partsSearch(examples), ...vehicleCatalog(examples)];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parts search and vehicle catalog',
      version: '1.0.0',
      description:
        'Served by the sandbox of offerline. Every credential is let in and is a login of its own. The examples work in the order of this document.',
    },
    tags: ['offers', 'search', 'vehicles', 'catalog'].map((name) => ({ name })),
    security: [{}, { basic: [] }, { bearer: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
      schemas: SCHEMAS,
    },
  };
}

function pathsOf(operations: DescribedOperation[]): Record<string, unknown> {
  return Object.fromEntries(operations.map(({ method, path, operation }) => [path, { [method]: operation }]));
}
