import type { Route } from '../calls/router.ts';
import type { Ssd } from '../ssd.ts';
import type { DescribedOperation } from './describe.ts';
import { groupA } from './parts-search.ts';
import { groupB } from './vehicle-catalog.ts';
import { SCHEMAS } from './schemas.ts';

/** Values of the examples, which this sandbox accepts in the order of the document. */
export type Examples = {
  /** The first upload of a new sandbox, and the first vehicle that is identified. */
  offerId: unknown;
  autoInfoId: number;
  ident: string;
  catalog: string;
  vehicleId: string;
  ssd: string;
};

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

/** The description of groups A and B, as OpenAPI 3.1. */
function openApiDocument(examples: Examples): Record<string, unknown> {
  const operations = [...groupA(examples), ...groupB(examples)];
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
