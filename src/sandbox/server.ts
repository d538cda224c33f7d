import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../log.ts';
import { createHandler } from './handler.ts';
import { createGate } from './logins.ts';
import { startProcessing } from './offers/processing.ts';
import { openRecords } from './offers/records.ts';
import { offerRoutes } from './offers/routes.ts';
import { createRouter, type Route } from './router.ts';
import { DEFAULT_PACE, settingsSchema, type Pace, type SandboxSettingsInput } from './settings.ts';
import { openStore } from './store.ts';

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
  const { host = '127.0.0.1', now = Date.now, log = pino({ enabled: false }) } = options;
  const settings = settingsSchema.parse(options.settings ?? {});
  const pace = { ...DEFAULT_PACE, ...options.pace };
  const store = await openStore(resolve(options.dataDir));
  const records = openRecords(store, settings.firstOfferId);
  const server = createServer({ requestTimeout: 0 });
  try {
    await listen(server, options.port ?? 0, host);
  } catch (error) {
    store.close();
    throw error;
  }
  const processing = startProcessing({ store, records, settings, now, log });
  const routes = [HEALTH, ...offerRoutes({ store, records, processing, settings, pace, now })];
  const enter = createGate(settings, store.key);
  server.on('request', createHandler({ findRoute: createRouter(routes), enter, log }));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    settled: processing.settled,
    close: async () => {
      await endServer(server);
      await processing.stop();
      store.close();
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
