import { redact, redactDeep } from './wording/redact.ts';

/** What went wrong, by whose doing; one table below gives each its exit status and HTTP status. */
export type ErrorCode =
  | 'usage'
  | 'config'
  | 'not-found'
  | 'conflict'
  | 'file-rejected'
  | 'pull-failed'
  | 'service-unreachable'
  | 'service-refused'
  | 'service-unauthorized'
  | 'service-reply'
  | 'redis'
  | 'ledger'
  | 'archive'
  | 'mail'
  | 'disk-full'
  | 'lease-lost'
  | 'interrupted'
  | 'internal';

/** Exit status of the command line (docs/reference/cli.md) and HTTP status of the pages for each error code. */
export const STATUS: Record<ErrorCode, { exit: number; http: number }> = {
  usage: { exit: 2, http: 400 },
  config: { exit: 2, http: 500 },
  'not-found': { exit: 2, http: 404 },
  conflict: { exit: 2, http: 409 },
  'file-rejected': { exit: 3, http: 422 },
  'pull-failed': { exit: 4, http: 502 },
  'service-unreachable': { exit: 4, http: 502 },
  'service-refused': { exit: 4, http: 502 },
  'service-unauthorized': { exit: 4, http: 502 },
  'service-reply': { exit: 4, http: 502 },
  redis: { exit: 1, http: 503 },
  ledger: { exit: 1, http: 503 },
  archive: { exit: 1, http: 500 },
  mail: { exit: 1, http: 502 },
  'disk-full': { exit: 1, http: 507 },
  'lease-lost': { exit: 1, http: 409 },
  interrupted: { exit: 130, http: 503 },
  internal: { exit: 1, http: 500 },
};

/**
 * The one error of offerline: says what, where and what to do, without a stack trace for a user's mistake, and without the
 * credentials that a server may have repeated.
 */
export class OfferlineError extends Error {
  readonly code: ErrorCode;
  /** True when the same call may succeed later without anyone changing anything. */
  readonly retryable: boolean;
  /** Facts for logs and JSON answers; never a secret. */
  readonly details: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(redact(message), options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'OfferlineError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = redactDeep(options.details ?? {});
  }

  /** The HTTP status that a server answered with; null when there was no reply. */
  get status(): number | null {
    return numberIn(this, 'status');
  }

  /** The code that the service gave to its refusal, such as `UPLOAD_UNFINISHED`; null when it gave none. */
  get serviceCode(): string | null {
    return textIn(this, 'serviceCode');
  }

  /** What the service calls the request, for its support; null when it did not say. */
  get requestId(): string | null {
    return textIn(this, 'requestId');
  }
}

/** The system error code (`ENOENT`, `ECONNREFUSED`, …) of an error or of its nearest cause, if there is one. */
export function systemCode(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && !(at instanceof OfferlineError)) return at.code;
  }
  return undefined;
}

/** True when a disk or its quota has no space left, or a file may not become larger. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCode(error) ?? '');
}

/** True where this process may not write: a folder of somebody else, a disk that is read-only, a file that is a mount by itself. */
export function isUnwritable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(systemCode(error) ?? '');
}

/** True when the same call may succeed later without anyone changing anything. A fault of our own is not known to pass. */
export function isRetryable(error: unknown): boolean {
  return error instanceof OfferlineError && error.retryable;
}

/** How long the server that failed asked us to wait (`Retry-After`), in milliseconds; null when it did not. */
export function retryAfterMs(error: unknown): number | null {
  return numberIn(error, 'retryAfterMs');
}

/** The HTTP status that a server answered with; null when there was no reply. */
export function statusOf(error: unknown): number | null {
  return error instanceof OfferlineError ? error.status : null;
}

/** True for a failure of the remote service, whether it refused, did not answer, or answered nonsense. */
export function isServiceError(error: unknown): error is OfferlineError {
  return error instanceof OfferlineError && error.code.startsWith('service-');
}

function textIn({ details }: OfferlineError, detail: string): string | null {
  const value = details[detail];
  return typeof value === 'string' ? value : null;
}

function numberIn(error: unknown, detail: string): number | null {
  const value = error instanceof OfferlineError ? error.details[detail] : null;
  return typeof value === 'number' ? value : null;
}

/** The message of anything that was thrown, without credentials. */
export function messageOf(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}

/** True for the loss of a lease: another worker goes on, so nothing is wrong. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof OfferlineError && error.code === 'lease-lost';
}
