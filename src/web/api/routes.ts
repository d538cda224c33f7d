import { MAY, type Route } from '../route.ts';
import { DECISIONS } from './decisions.ts';
import { DOWNLOADS } from './downloads.ts';
import { INCIDENT_WORK } from './incident-work.ts';
import { openapiOf } from './openapi.ts';
import { BASE, routeOf } from './operation.ts';
import { PUSHES } from './pushes.ts';
import { READS } from './reads.ts';
import { REQUESTS } from './requests.ts';

const OPERATIONS = [...READS, ...DECISIONS, ...REQUESTS, ...INCIDENT_WORK, ...PUSHES, ...DOWNLOADS];

/** The routes of the API, and of its description. */
export const API_ROUTES: readonly Route[] = [
  ...OPERATIONS.map(routeOf),
  {
    method: 'GET',
    path: `${BASE}/openapi.json`,
    may: MAY.see,
    handle: async ({ url, world }) => ({
      json: openapiOf(OPERATIONS, world.loaded.config.web.publicUrl?.replace(/\/$/u, '') ?? url.origin),
    }),
  },
];
