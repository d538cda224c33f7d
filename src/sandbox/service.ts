import type { Log } from '../log.ts';
import { openArrivals } from './arrivals.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { createClock } from './clock.ts';
import { controlRoutes } from './control.ts';
import { createFaultList } from './faults/fault-list.ts';
import type { Stage } from './calls/perform-faults.ts';
import { createHandler } from './calls/handler.ts';
import { createLater } from './later.ts';
import { createGate } from './logins.ts';
import type { OffersContext } from './offers/context.ts';
import { foreignUpload } from './offers/receive/others.ts';
import { startProcessing } from './offers/process/processing.ts';
import { openRecords } from './offers/records.ts';
import { offerRoutes } from './offers/routes.ts';
import { createSeed } from './offers/seed.ts';
import { openApiRoute } from './openapi/document.ts';
import { pageRoutes } from './page/routes.ts';
import { createReference } from './reference/open.ts';
import { createRouter, type Route } from './calls/router.ts';
import { createPortfolios } from './search/portfolios.ts';
import { searchRoutes } from './search/routes.ts';
import { DEFAULT_INDEX_TIME, DEFAULT_PACE, type Pace, type SandboxSettings } from './settings.ts';
import { createSsd } from './ssd.ts';
import type { Store } from './store.ts';
import { openAutoInfos } from './vehicles/auto-infos.ts';
import { vehicleRoutes } from './vehicles/routes.ts';

/** How a sandbox behaves, besides its settings. */
export type ServiceOptions = {
  pace?: Partial<Pace>;
  /** How long indexing a vehicle takes, in milliseconds of the sandbox's clock. */
  indexTime?: number;
  /** The clock that states and retention follow, in epoch milliseconds. */
  now?: () => number;
  /** A file as `offer/process` takes it: the portfolio of each login that has not uploaded anything. */
  seedOffers?: string;
  /** Serves the control endpoint to this machine: its callers can see and break everything. */
  control?: boolean;
};

type Parts = {
  options: ServiceOptions;
  dataDir: string;
  settings: SandboxSettings;
  store: Store;
  log: Log;
  stopping: AbortSignal;
};

/** The service behind the port. */
export function startService({ options, dataDir, settings, store, log, stopping }: Parts) {
  const clock = createClock(options.now ?? Date.now);
  const { now } = clock;
  const gate = createGate(settings, store.key);
  const faults = createFaultList(gate.idOf);
  const records = openRecords(store, settings.firstOfferId);
  const arrivals = openArrivals(store);
  const later = createLater(clock, stopping, log);
  const reference = createReference(dataDir);
  const portfolios = createPortfolios({ dataDir, store, records, reference, settings, now });
  const processing = startProcessing({ store, records, settings, now, log, onSuccess: portfolios.prepare });
  const pace = { ...DEFAULT_PACE, ...options.pace };
  const stage: Stage = { clock, stopping, foreignUpload: (call, fault) => foreignUpload(offers, call.login, fault) };
  const offers: OffersContext = { store, records, processing, settings, pace, now, arrivals, later, stage };
  const { seedOffers } = options;
  const welcome = seedOffers === undefined ? () => Promise.resolve() : createSeed(offers, seedOffers);
  const autoInfos = openAutoInfos(store);
  const ssd = createSsd(store.key);
  const settled = async () => {
    await later.quiet();
    await processing.settled();
  };
  const { indexTime = DEFAULT_INDEX_TIME } = options;
  const search = { portfolios, reference, autoInfos, now };
  const operations = [
    ...offerRoutes(offers),
    ...searchRoutes(search),
    ...vehicleRoutes({ reference, autoInfos, ssd, indexTime, now }),
    ...catalogRoutes({ db: reference.db, ssd, settings: settings.catalog }),
  ];
  const findRoute = createRouter([
    HEALTH,
    ...pageRoutes({ offers, search, faults, clock, operations }),
    openApiRoute(ssd, settings),
    ...operations,
    ...(options.control === true ? controlRoutes({ faults, arrivals, clock, settled }) : []),
  ]);
  return {
    faults,
    handler: createHandler({
      welcome,
      findRoute,
      enter: gate.enter,
      faults,
      arrivals,
      stage,
      log,
    }),
    settled,
    ended: async () => {
      await later.ended();
      await processing.stop();
      await portfolios.close();
      reference.close();
    },
  };
}

const HEALTH: Route = {
  method: 'GET',
  path: '/health',
  open: true,
  handle: () => Promise.resolve({ status: 200, json: { status: 'up' } }),
};
