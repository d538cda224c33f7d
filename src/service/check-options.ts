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
  'onRetry',
  'paths',
  'random',
  'retries',
  'timeout',
  'upload',
] as const satisfies (keyof ServiceOptions)[];

/** Refuses what no call could do with: a name that is not known, an address that is none. Throws `usage` with every problem. */
export function checkOptions(options: ServiceOptions): void {
  const problems = problemsOf(options, NAMES);
  const { baseUrl, catalogUrl } = options as Partial<Record<keyof ServiceOptions, unknown>>;
  if (baseUrl === undefined)
    problems.push('baseUrl is missing: the address of the service, such as https://parts.example');
  else if (typeof baseUrl !== 'function') problems.push(...problemOfAddress('baseUrl', baseUrl));
  if (catalogUrl !== undefined) problems.push(...problemOfAddress('catalogUrl', catalogUrl));
  for (const name of ['onRequest', 'onResponse', 'onRetry'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      problems.push(`${name} has to be a function`);
  }
  if (options.dispatcher !== undefined && typeof options.dispatcher.dispatch !== 'function') {
    problems.push('dispatcher has to be a Dispatcher of undici, such as an Agent');
  }
  if (problems.length === 0) return;
  throw new OfferlineError('usage', `createService: ${problems.join('; ')}.`, { details: { problems } });
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
