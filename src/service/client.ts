import type { Clock } from '../clock.ts';
import type { Hooks } from './hooks.ts';
import type { Access } from './http/access.ts';

/** Where calls are logged; a pino logger fits. Never given a parameter's value or a credential. */
export type ServiceLog = {
  debug: (fields: Record<string, unknown>, message: string) => void;
  warn: (fields: Record<string, unknown>, message: string) => void;
};

/** How the body and parameters of an upload are laid out (`service.upload`). */
export type UploadLayout = { body: 'multipart' | 'raw'; field: string; parametersIn: 'query' | 'body' };

/** What calls of one login share. */
export type Client = {
  access: Access;
  /** Group B may live at another address. */
  catalogAccess: Access;
  upload: UploadLayout;
  /** Which spelling of paths that have two: the short one, the long one, or what answers. */
  paths: 'auto' | 'short' | 'long';
  /** How several values of one parameter are sent. */
  oems: 'repeat' | 'comma';
  catalogForm: 'rest' | 'command';
  commandPath: string;
  commandValues: 'refuse' | 'percent';
  /** How often a call that may be repeated is sent again after no reply, 408, 425, 429 or 5xx. */
  retries: number;
  /** Milliseconds for a whole call, with everything that is sent again. */
  deadline?: number | undefined;
  hooks: Hooks;
  /** Milliseconds that pass, from anywhere, and how to wait. */
  clock: Pick<Clock, 'now' | 'wait'>;
  /** From 0 to 1, for the jitter of waits. */
  random: () => number;
  log: ServiceLog;
  /** The path that answered, for operations with several. */
  answering: Map<string, string>;
};

/** What a caller may say about one call; what is not said is as the client has it. */
export type CallOptions = {
  /** Gives the call up; it then fails with `interrupted`. */
  signal?: AbortSignal | undefined;
  /** Longest silence of the connection in milliseconds. */
  timeout?: number | undefined;
  /** How often the call is sent again. An upload never is. */
  retries?: number | undefined;
  /**
   * Milliseconds for the whole call: requests, waits, what is sent again, and the reading of a file. It then fails with
   * `service-unreachable` (`details.deadline`). What was sent may have arrived.
   */
  deadline?: number | undefined;
  /** Sent besides those of the client. What identifies a login or frames a body is refused. */
  headers?: Record<string, string> | undefined;
};
