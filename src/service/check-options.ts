import { nearest } from '../config/read/nearest.ts';
import { OfferlineError } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

const NAMES = [
  'auth',
  'baseUrl',
  'catalogForm',
  'catalogUrl',
  'clock',
  'commandPath',
  'commandValues',
  'log',
  'oems',
  'paths',
  'random',
  'retries',
  'timeout',
  'upload',
] as const satisfies (keyof ServiceOptions)[];

/** Refuses what no call could do with: a name that is not known, an address that is none. Throws `usage` with every problem. */
export function checkOptions(options: ServiceOptions): void {
  const problems = Object.keys(options)
    .filter((name) => !(NAMES as readonly string[]).includes(name))
    .map((name) => {
      const near = nearest(name, NAMES);
      return `${name} is not known; ${near === undefined ? `known are ${NAMES.join(', ')}` : `did you mean ${near}?`}`;
    });
  const { baseUrl, catalogUrl, timeout, retries } = options as Partial<Record<keyof ServiceOptions, unknown>>;
  if (baseUrl === undefined)
    problems.push('baseUrl is missing: the address of the service, such as https://parts.example');
  else if (typeof baseUrl !== 'function') problems.push(...problemOfAddress('baseUrl', baseUrl));
  if (catalogUrl !== undefined) problems.push(...problemOfAddress('catalogUrl', catalogUrl));
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    problems.push('timeout has to be a number of milliseconds above 0');
  }
  if (retries !== undefined && !(Number.isInteger(retries) && (retries as number) >= 0)) {
    problems.push('retries has to be a whole number from 0');
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
