import type { IncomingMessage } from 'node:http';
import type { Route } from '../calls/router.ts';
import { int64 } from '../http/reply.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Ssd } from '../ssd.ts';
import { answersOf } from './answers.ts';
import { describeCommand } from './command.ts';
import type { DescribedOperation, Examples } from './describe.ts';
import { describeOffers } from './offers.ts';
import { SCHEMAS } from './schemas.ts';
import { describeSearches } from './searches.ts';
import { securityOf } from './security.ts';
import { describeVehicles } from './vehicles.ts';
import { describeCatalog } from './vehicle-catalog.ts';

const FIRST_AUTO_INFO = 700_001;

/** Serves the description of the interface at `/openapi.json`, whose examples fit this data folder and these settings. */
export function openApiRoute(ssd: Ssd, settings: SandboxSettings): Route {
  const vehicle = { catalog: 'NRD2611', vehicle: 1 };
  const document = openApiDocument(settings, {
    offerId: int64(settings.firstOfferId),
    autoInfoId: FIRST_AUTO_INFO,
    ident: 'YX9ZZZF1ACN104813',
    catalog: vehicle.catalog,
    vehicleId: '10101',
    ssd: ssd.write(vehicle),
    answers: answersOf(ssd, settings),
  });
  const handle = ({ request }: { request: IncomingMessage }) => {
    const servers = [{ url: addressOf(request), description: 'This sandbox.' }];
    return Promise.resolve({ status: 200, json: { ...document, servers } });
  };
  return { method: 'GET', path: '/openapi.json', open: true, handle };
}

/** Where the caller has reached this sandbox: the name that it used, else the address that was listened on. */
function addressOf({ headers: { host }, socket }: IncomingMessage): string {
  if (host !== undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return `http://${host}`;
  const { localAddress = '127.0.0.1', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The description of the parts search and the vehicle catalog, as OpenAPI 3.1. */
function openApiDocument(settings: SandboxSettings, examples: Examples): Record<string, unknown> {
  const operations = [
    ...describeOffers(settings, examples),
    ...describeVehicles(examples),
    ...describeSearches(examples),
    ...describeCatalog(examples),
    describeCommand(settings.catalog, examples),
  ];
  const { security, securitySchemes } = securityOf(settings);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parts search and vehicle catalog',
      version: '1.0.0',
      description:
        'Served by the sandbox of offerline. The examples of calls work in the order of this document; the examples of replies are what the sandbox answered to them, with lists cut to their first two entries.',
    },
    tags: ['offers', 'search', 'vehicles', 'catalog'].map((name) => ({ name })),
    security,
    paths: pathsOf(operations),
    components: { securitySchemes, schemas: SCHEMAS },
  };
}

function pathsOf(operations: DescribedOperation[]): Record<string, unknown> {
  return Object.fromEntries(operations.map(({ method, path, operation }) => [path, { [method]: operation }]));
}
