import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../log.ts';
import { openArrivals } from './arrivals.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { createClock } from './clock.ts';
import { controlRoutes } from './control.ts';
import { createFaultList } from './faults/fault-list.ts';
import type { Stage } from './faults/perform.ts';
import { faultsSchema, type FaultInput } from './faults/schema.ts';
import { createHandler } from './handler.ts';
import { createLater } from './later.ts';
import { createGate } from './logins.ts';
import type { OffersContext } from './offers/context.ts';
import { foreignUpload } from './offers/others.ts';
import { startProcessing } from './offers/processing.ts';
import { openRecords } from './offers/records.ts';
import { offerRoutes } from './offers/routes.ts';
import { createReference } from './reference/open.ts';
import { createRouter, type Route } from './router.ts';
import {
  DEFAULT_PACE,
  settingsSchema,
  type Pace,
  type SandboxSettings,
  type SandboxSettingsInput,
} from './settings.ts';
import { createSsd } from './ssd.ts';
import { openStore, type Store } from './store.ts';

export type SandboxOptions = {
  /** Folder of its data; made when it does not exist. */
  dataDir: string;
  /** 0 picks a free one. */
  port?: number;
  /** The loopback address unless told otherwise. */
  host?: string;
  pace?: Partial<Pace>;
  /** The clock that states and retention follow, in epoch milliseconds. */
  now?: () => number;
  settings?: SandboxSettingsInput;
  /** Faults from the beginning (docs/sandbox.md). */
  faults?: FaultInput[];
  /** Serves the control endpoint to this machine: whoever reaches it can see and break everything. */
  control?: boolean;
  log?: Log;
};

export type Sandbox = {
  url: string;
  port: number;
  /** Resolves when every accepted file has been read; its state still follows the clock. */
  settled: () => Promise<void>;
  /** Ends requests and reading; an upload in mid-processing goes on at the next start. */
  close: () => Promise<void>;
};

/** Starts the service. Throws EADDRINUSE when the port is taken and EBUSY when the data folder is. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', log = pino({ enabled: false }) } = options;
  const settings = settingsSchema.parse(options.settings ?? {});
  const written = faultsSchema.parse({ faults: options.faults ?? [] }).faults;
  const store = await openStore(resolve(options.dataDir));
  const server = createServer({ requestTimeout: 0 });
  try {
    await listen(server, options.port ?? 0, host);
  } catch (error) {
    store.close();
    throw error;
  }
  const stop = new AbortController();
  const service = startService({ options, settings, store, log, stopping: stop.signal });
  service.faults.add(written);
  server.on('request', service.handler);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    settled: service.settled,
    close: async () => {
      stop.abort();
      await endServer(server);
      await service.ended();
      store.close();
    },
  };
}

type Parts = { options: SandboxOptions; settings: SandboxSettings; store: Store; log: Log; stopping: AbortSignal };

/** The service behind the port. */
function startService({ options, settings, store, log, stopping }: Parts) {
  const clock = createClock(options.now ?? Date.now);
  const { now } = clock;
  const gate = createGate(settings, store.key);
  const faults = createFaultList(gate.idOf);
  const records = openRecords(store, settings.firstOfferId);
  const arrivals = openArrivals(store);
  const later = createLater(clock, stopping, log);
  const processing = startProcessing({ store, records, settings, now, log });
  const pace = { ...DEFAULT_PACE, ...options.pace };
  const stage: Stage = { clock, stopping, foreignUpload: (call, fault) => foreignUpload(offers, call.login, fault) };
  const offers: OffersContext = { store, records, processing, settings, pace, now, arrivals, later, stage };
  const settled = async () => {
    await later.quiet();
    await processing.settled();
  };
  const reference = createReference(resolve(options.dataDir));
  const catalog = catalogRoutes({ db: reference.db, ssd: createSsd(store.key), settings: settings.catalog });
  const control = options.control === true ? controlRoutes({ faults, arrivals, clock, settled }) : [];
  const findRoute = createRouter([HEALTH, ...offerRoutes(offers), ...catalog, ...control]);
  return {
    faults,
    handler: createHandler({ findRoute, enter: gate.enter, faults, arrivals, stage, log }),
    settled,
    ended: async () => {
      await later.ended();
      await processing.stop();
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

async function listen(server: Server, port: number, host: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  await listening;
}

/** Requests in flight get a moment to finish; a connection is closed as soon as it is idle. */
async function endServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_LOOK_MS);
  const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(impatient);
}

const CLOSE_LOOK_MS = 20;

const CLOSE_GRACE_MS = 2000;
