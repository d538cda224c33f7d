import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { AuthConfig } from '../../config/schema/sources/auth.ts';

/** How one login reaches the service. */
export type Access = {
  /** Asked before every call, because the built-in sandbox may have been started again on another port. */
  baseUrl: () => Promise<string>;
  auth: AuthConfig;
  /** Longest silence of a connection in milliseconds. */
  timeout: number;
  /** Sends all calls where it is given. */
  dispatcher?: Dispatcher | undefined;
};

/** A query parameter's value; a list is sent as one pair per member, `undefined` is not sent. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A call as the operations describe it; the reply is read by the caller. */
export type Call = {
  method: 'GET' | 'POST';
  path: string;
  /** What messages call it where method and path do not say it: the command of a command form. */
  label?: string;
  query?: Record<string, QueryValue>;
  headers?: Record<string, string>;
  /** A text is sent with its length; a stream on a connection of its own. */
  body?: AsyncIterable<Buffer> | string;
  signal?: AbortSignal | undefined;
  /** Longest silence of this call's connection in milliseconds; the login's when not given. */
  timeout?: number | undefined;
};

/** Headers of a reply, by their names in small letters. */
export type ReplyHeaders = Record<string, string | string[] | undefined>;

export type Reply = { status: number; headers: ReplyHeaders; body: Readable };

/** The name of a call for people: method and path, never the query or a credential. */
export function nameOf(call: Call): string {
  return call.label ?? `${call.method} ${call.path}`;
}
