import { secret, type Secret } from '../config/secrets/secret.ts';
import type { Dispatcher } from 'undici';
import { systemClock } from '../clock.ts';
import type { AuthConfig } from '../config/schema/sources/auth.ts';
import type { Hooks } from './hooks.ts';
import type { Client, ServiceLog, UploadLayout } from './client.ts';

/** How a login identifies itself; credentials as text, or as secrets that cannot be printed. */
export type ServiceAuth =
  | { type: 'none' }
  | { type: 'basic'; user: string; password: string | Secret }
  | { type: 'bearer'; token: string | Secret }
  | { type: 'header'; name: string; value: string | Secret };

/** What `createService` needs and takes; the settings are those of `service` in the configuration. */
export type ServiceOptions = Hooks & {
  /** Address of the search service (group A); a function is asked before every call. */
  baseUrl: string | (() => Promise<string>);
  /** Address of the vehicle catalog (group B); `baseUrl` when not given. */
  catalogUrl?: string;
  /** none when not given. */
  auth?: ServiceAuth;
  /** Longest silence of a connection in milliseconds; 30,000 when not given. */
  timeout?: number;
  /** Spelling of paths that have two: `short`, `long`, or `auto` (when not given): the one that answers. */
  paths?: Client['paths'];
  /** How several article numbers are sent: `repeat` (when not given) or `comma`. */
  oems?: Client['oems'];
  /** Form of group B: `rest` (when not given) or `command`. */
  catalogForm?: Client['catalogForm'];
  /** Path of the command form; `/catalog` when not given. */
  commandPath?: string;
  /** What becomes of `|` and line ends in values of the command form: `refuse` (when not given) or `percent`. */
  commandValues?: Client['commandValues'];
  /** How often a call that may be repeated is sent again; 3 when not given. */
  retries?: number;
  /** Milliseconds for a whole call, with everything that is sent again; no limit when not given. */
  deadline?: number;
  /** Sends all calls, uploads too: an agent with a proxy, with certificates of its own, or one that tests look into. */
  dispatcher?: Dispatcher | undefined;
  /** Layout of an upload: multipart, field offersFile, parameters in the query when not given. */
  upload?: Partial<UploadLayout>;
  /** Gets every call, at the level debug. */
  log?: ServiceLog;
  /** Times waits and calls; by default with the machine's monotonic clock. */
  clock?: Client['clock'];
  random?: () => number;
};

const UPLOAD: UploadLayout = { body: 'multipart', field: 'offersFile', parametersIn: 'query' };

/** What calls share, with a default for everything that was not said. */
export function createClient(options: ServiceOptions): Client {
  const { baseUrl, catalogUrl, dispatcher, timeout = 30_000, onRequest, onResponse, onEnd, onRetry } = options;
  const auth = hidden(options.auth ?? { type: 'none' });
  const address = typeof baseUrl === 'string' ? () => Promise.resolve(baseUrl) : baseUrl;
  const access = { auth, timeout, dispatcher, baseUrl: address };
  return {
    access,
    catalogAccess: catalogUrl === undefined ? access : { ...access, baseUrl: () => Promise.resolve(catalogUrl) },
    upload: { ...UPLOAD, ...options.upload },
    paths: options.paths ?? 'auto',
    oems: options.oems ?? 'repeat',
    catalogForm: options.catalogForm ?? 'rest',
    commandPath: options.commandPath ?? '/catalog',
    commandValues: options.commandValues ?? 'refuse',
    retries: options.retries ?? 3,
    deadline: options.deadline,
    hooks: { onRequest, onResponse, onEnd, onRetry },
    clock: options.clock ?? { now: () => Math.round(systemClock.monotonic()), wait: systemClock.wait },
    random: options.random ?? Math.random,
    log: options.log ?? { debug: () => undefined, warn: () => undefined },
    answering: new Map(),
  };
}

function hidden(auth: ServiceAuth): AuthConfig {
  const hide = (text: string | Secret) => (typeof text === 'string' ? secret(text) : text);
  if (auth.type === 'basic') return { ...auth, password: hide(auth.password) };
  if (auth.type === 'bearer') return { ...auth, token: hide(auth.token) };
  if (auth.type === 'header') return { ...auth, value: hide(auth.value) };
  return auth;
}
