import { nearest } from '../../config/read/nearest.ts';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Operation } from '../operation/operation.ts';
import { callHook } from './call-hook.ts';
import { untilDeadline, type Limits } from './repeat.ts';

const NAMES = ['deadline', 'headers', 'retries', 'signal', 'timeout'] as const satisfies (keyof CallOptions)[];

/** Headers that the client writes itself: they identify the login, or frame the request. */
const OURS = [
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];

/** A timer of Node that is set for longer ends at once; these are 24 days. */
const LONGEST = 2_147_483_647;

/** What a call is held to, and how it is sent. */
export type Held = { limits: Limits; sending: CallOptions; end: () => void };

/** Checks what was said about a call, with the client's own where nothing was; throws `usage`. `end` must be called when it is over. */
export function heldTo(operation: Operation, client: Client, given: CallOptions): Held {
  const problems = [...problemsOf(given, NAMES), ...headerProblems(given.headers ?? {}, client)];
  if (!operation.repeatable && (given.retries ?? 0) > 0) problems.push('retries: an upload is never sent again');
  if (problems.length > 0) {
    const message = `${operation.name}: ${problems.join('; ')}.`;
    throw new OfferlineError('usage', message, { details: { operation: operation.name, problems } });
  }
  const { retries = client.retries, deadline = client.deadline, timeout, headers } = given;
  const { signal, end } = untilDeadline(operation.name, deadline, given.signal);
  const limits: Limits = {
    times: operation.repeatable ? retries : 0,
    signal,
    until: deadline === undefined ? undefined : client.clock.now() + deadline,
    onRetry: (attempt, wait, error) => callHook(client, 'onRetry', { operation: operation.name, attempt, wait, error }),
  };
  return { limits, sending: { signal, timeout, headers: inSmallLetters(headers ?? {}) }, end };
}

/** What is wrong with names and numbers that a program gave as options. */
export function problemsOf(given: object, names: readonly string[]): string[] {
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = nearest(name, names);
      return `${name} is not known; ${near === undefined ? `known are ${names.join(', ')}` : `did you mean ${near}?`}`;
    });
  const { timeout, deadline, retries } = given as Record<string, unknown>;
  const times = Object.entries({ timeout, deadline })
    .filter(([, value]) => value !== undefined && !isWhole(value, 1, LONGEST))
    .map(([name]) => `${name} has to be a whole number of milliseconds from 1 to ${LONGEST}`);
  const isCount = retries === undefined || isWhole(retries, 0, Number.MAX_SAFE_INTEGER);
  return [...unknown, ...times, ...(isCount ? [] : ['retries has to be a whole number from 0'])];
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Values are not shown: they may be credentials. */
function headerProblems(headers: Record<string, unknown>, { access }: Pick<Client, 'access'>): string[] {
  const ofAuth = access.auth.type === 'header' ? [access.auth.name.toLowerCase()] : [];
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) return [`${JSON.stringify(name)} is no name of a header`];
    if ([...OURS, ...ofAuth].includes(name.toLowerCase())) return [`the header ${name} is written by the client`];
    const isSendable = typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/u.test(value);
    return isSendable ? [] : [`the header ${name} has to be one line of text in Latin letters`];
  });
}

function inSmallLetters(headers: Record<string, string>): Record<string, string> {
  return dictionary(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
