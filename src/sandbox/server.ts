import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../log.ts';
import { faultsSchema, type FaultInput } from './faults/schema.ts';
import { startService, type ServiceOptions } from './service.ts';
import { settingsSchema, type SandboxSettingsInput } from './settings.ts';
import { openStore } from './store.ts';

export type SandboxOptions = ServiceOptions & {
  /** Folder of its data; made when it does not exist. */
  dataDir: string;
  /** 0 picks a free one. */
  port?: number;
  /** The loopback address unless set otherwise. */
  host?: string;
  settings?: SandboxSettingsInput;
  /** Faults from the beginning (docs/sandbox-faults.md). */
  faults?: FaultInput[];
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
  const dataDir = resolve(options.dataDir);
  const store = await openStore(dataDir);
  // A client that is busy for some seconds finds its connection as it was.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 });
  try {
    await listen(server, options.port ?? 0, host);
  } catch (error) {
    store.close();
    throw error;
  }
  const stop = new AbortController();
  const service = startService({ options, dataDir, settings, store, log, stopping: stop.signal });
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
