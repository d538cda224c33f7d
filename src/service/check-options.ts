import type { Secret } from '../config/secrets/secret.ts';
import { OfferlineError } from '../errors.ts';
import { problemsOf } from './call/call-options.ts';
import type { ServiceOptions } from './options.ts';

const NAMES = [
  'auth',
  'baseUrl',
  'catalogForm',
  'catalogUrl',
  'clock',
  'commandPath',
  'commandValues',
  'deadline',
  'dispatcher',
  'log',
  'oems',
  'onRequest',
  'onResponse',
  'onEnd',
  'onRetry',
  'paths',
  'random',
  'retries',
  'timeout',
  'upload',
] as const satisfies (keyof ServiceOptions)[];

/** What an option of words may be. */
const WORDS = {
  catalogForm: ['rest', 'command'],
  commandValues: ['refuse', 'percent'],
  oems: ['repeat', 'comma'],
  paths: ['auto', 'short', 'long'],
} as const satisfies { [N in keyof ServiceOptions]?: readonly ServiceOptions[N][] };

type Given = Partial<Record<keyof ServiceOptions, unknown>>;

/**
 * Refuses what no call could do with: a name that is not known, an address that is none, credentials that are missing. Throws
 * `usage` with every problem; values of credentials are not shown.
 */
export function checkOptions(options: ServiceOptions): void {
  const given = options as Given;
  const { baseUrl, catalogUrl } = given;
  const problems = problemsOf(given, NAMES);
  if (baseUrl === undefined)
    problems.push('baseUrl is missing: the address of the service, such as https://parts.example');
  else if (typeof baseUrl !== 'function') problems.push(...problemOfAddress('baseUrl', baseUrl));
  if (catalogUrl !== undefined) problems.push(...problemOfAddress('catalogUrl', catalogUrl));
  problems.push(
    ...problemsOfAuth(given.auth ?? { type: 'none' }),
    ...problemsOfWords(given),
    ...problemsOfHelpers(given),
  );
  if (problems.length === 0) return;
  throw new OfferlineError('usage', `createService: ${problems.join('; ')}.`, { details: { problems } });
}

function problemsOfWords(given: Given): string[] {
  return Object.entries(WORDS).flatMap(([name, words]: [string, readonly string[]]) => {
    const value = given[name as keyof ServiceOptions];
    return value === undefined || words.includes(value as string)
      ? []
      : [`${name} has to be one of ${words.join(', ')}`];
  });
}

/** Credentials of each kind of auth. */
const CREDENTIALS = new Map([
  ['none', []],
  ['basic', ['user', 'password']],
  ['bearer', ['token']],
  ['header', ['name', 'value']],
]);

function problemsOfAuth(auth: unknown): string[] {
  const { type, ...given } = (typeof auth === 'object' ? auth : {}) as Record<string, unknown>;
  const needed = CREDENTIALS.get(String(type));
  if (needed === undefined) return [`auth.type has to be one of ${[...CREDENTIALS.keys()].join(', ')}`];
  const isText = (value: unknown) =>
    typeof value === 'string' || typeof (value as Secret | undefined)?.reveal === 'function';
  return needed.filter((name) => !isText(given[name])).map((name) => `auth.${name} has to be a text`);
}

/** Problems of what the client calls: hooks, a log, a dispatcher. */
function problemsOfHelpers({ onRequest, onResponse, onEnd, onRetry, dispatcher, log }: Given): string[] {
  const has = (helper: unknown, name: string) =>
    helper === undefined || typeof (helper as Record<string, unknown> | null)?.[name] === 'function';
  const wrong = Object.entries({ onRequest, onResponse, onEnd, onRetry })
    .filter(([, hook]) => hook !== undefined && typeof hook !== 'function')
    .map(([name]) => `${name} has to be a function`);
  return [
    ...wrong,
    ...(has(dispatcher, 'dispatch') ? [] : ['dispatcher has to be a Dispatcher of undici, such as an Agent']),
    ...(has(log, 'debug') && has(log, 'warn') ? [] : ['log has to have the functions debug and warn, as pino has']),
  ];
}

function problemOfAddress(name: string, address: unknown): string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null) return [`${name} is no address: write it in full, such as https://parts.example`];
  if (!/^https?:$/u.test(url.protocol)) return [`${name} has to begin with http:// or https://`];
  if (url.username !== '' || url.password !== '') return [`${name} has credentials in it; give them as auth`];
  return url.search === '' && url.hash === ''
    ? []
    : [`${name} ends in a query or fragment, to which no path can be added`];
}
