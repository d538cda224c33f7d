import { XMLParser } from 'fast-xml-parser';
import { OfferlineError, messageOf, systemCode } from '../../errors.ts';
import { isTransientStatus, parseRetryAfter } from '../../io/peers/http-retry.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { adviceFor, shownRemote, type Remote } from './remote.ts';

/** What a store says of a request that it did not carry out. */
export type Refusal = {
  status: number;
  code: string | null;
  message: string | null;
  /** The region that it names, the times that it compared. */
  region: string | null;
  requestTime: string | null;
  serverTime: string | null;
  retryAfter: number | null;
};

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });

/** Reads the refusal of a reply; what is no XML of S3 has no code. */
export function readRefusal(
  status: number,
  body: string,
  headers: Record<string, string | undefined>,
  now: number,
): Refusal {
  const said = errorIn(body);
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : null);
  const retryAfter = headers['retry-after'];
  return {
    status,
    code: text('Code'),
    message: text('Message'),
    region: text('Region') ?? headers['x-amz-bucket-region'] ?? null,
    requestTime: text('RequestTime'),
    serverTime: text('ServerTime') ?? headers['date'] ?? null,
    retryAfter: retryAfter === undefined ? null : parseRetryAfter(retryAfter, now),
  };
}

function errorIn(body: string): Record<string, unknown> {
  try {
    const { Error: error } = parser.parse(body) as { Error?: Record<string, unknown> };
    return typeof error === 'object' ? error : {};
  } catch {
    return {};
  }
}

/** A success with an error in its body, as copies and multipart uploads have it. */
export function hasError(body: string): boolean {
  return /<Error[\s>]/u.test(body);
}

/** Codes of stores that say that the same request may succeed later. */
const PASSING = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  'OperationAborted',
  'ConditionalRequestConflict',
  'Busy',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
]);

/** Whether the same request may succeed later. */
export function mayPass({ status, code }: Refusal): boolean {
  return PASSING.has(code ?? '') || status === 409 || isTransientStatus(status);
}

/** Whether a store says that an object is there already. */
export function isThere({ status }: Refusal): boolean {
  return status === 412 || status === 304;
}

/** Whether a store says that it does not know a condition of a request. */
export function knowsNoCondition({ status, code }: Refusal): boolean {
  return status === 501 || (status === 400 && !NO_ARGUMENT.has(code ?? ''));
}

/** Refusals of the status 400 that are about something else. */
const NO_ARGUMENT = new Set([
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
  'RequestTimeout',
  'ExpiredToken',
  'InvalidToken',
  'AuthorizationHeaderMalformed',
  'EntityTooLarge',
  'EntityTooSmall',
  'IllegalLocationConstraintException',
]);

const WORDS = new Map([
  [
    'AccessDenied',
    'denies access; check archive.auth, and grant these keys to list the bucket and to put, get and delete its objects',
  ],
  ['InvalidAccessKeyId', 'does not know the access key; correct archive.auth'],
  ['SignatureDoesNotMatch', 'refused the signature: the secret key is wrong; correct archive.auth'],
  ['ExpiredToken', 'says that the session token has expired; give new keys in archive.auth'],
  ['InvalidToken', 'refused the session token; correct archive.auth'],
  ['NoSuchBucket', 'has no such bucket; make it, or correct archive.bucket, archive.endpoint or archive.style'],
  ['QuotaExceeded', 'has no space left for this bucket; raise its quota, or prune'],
]);

/** Where a request went. */
type Asked = Pick<Remote, 'endpoint' | 'bucket' | 'prefix' | 'holds'>;

/** What went wrong with a request, in one sentence that says what to do. */
export function refusalError(remote: Asked, refusal: Refusal): OfferlineError {
  const { status, code, retryAfter } = refusal;
  const details = { status, code, ...(retryAfter === null ? {} : { retryAfterMs: retryAfter }) };
  return failure(remote, wordsFor(refusal), { retryable: mayPass(refusal), details });
}

function wordsFor(refusal: Refusal): string {
  const { status, code, message, region, requestTime, serverTime } = refusal;
  if (code === 'RequestTimeTooSkewed') {
    const here = requestTime === null ? '' : ` says ${foreignText(requestTime, 40)}`;
    const there = serverTime === null ? '' : ` says ${foreignText(serverTime, 40)}`;
    return `refused the time of the request: this machine's clock${here}, the store's${there}; correct the one that is wrong`;
  }
  const isElsewhere =
    [301, 307, 308].includes(status) ||
    [
      'PermanentRedirect',
      'TemporaryRedirect',
      'AuthorizationHeaderMalformed',
      'IllegalLocationConstraintException',
    ].includes(code ?? '');
  if (isElsewhere) {
    const right = region === null ? '' : ` (it is ${foreignText(region, 40)})`;
    return `has the bucket in another region${right}; correct archive.region, and archive.endpoint if it names one`;
  }
  // A reply to HEAD has no body that could name the code.
  const known = WORDS.get(code ?? (status === 403 ? 'AccessDenied' : ''));
  if (known !== undefined) return known;
  if (status === 507) return WORDS.get('QuotaExceeded')!;
  const said = [code, message].flatMap((text) => (text === null ? [] : foreignText(text, 200))).join(': ');
  if (said === '' && status === 404) return 'answered 404, and not as S3 does; correct archive.endpoint';
  const advice = mayPass(refusal) ? ' each time; try again later, or ask who runs the store' : '';
  return `answered ${status}${said === '' ? '' : ` (${said})`}${advice}`;
}

const SYSTEM = new Map([
  [
    'ECONNREFUSED',
    'refused the connection; check that the store is running and that archive.endpoint has the right port',
  ],
  ['ENOTFOUND', 'has no address; correct archive.endpoint'],
  ['EAI_AGAIN', 'could not be looked up; check the name server of this machine'],
  ['ECONNRESET', 'closed the connection before it was complete'],
  ['UND_ERR_SOCKET', 'closed the connection before it was complete'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'does not answer by TLS; where it has none, write http:// in archive.endpoint, or tls=false in ARCHIVE_URL',
  ],
  ['UND_ERR_CONNECT_TIMEOUT', 'did not answer in time (archive.timeout)'],
  ['UND_ERR_HEADERS_TIMEOUT', 'was silent for too long (archive.timeout)'],
  ['UND_ERR_BODY_TIMEOUT', 'was silent for too long (archive.timeout)'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'has a certificate that is not trusted here; give the file of its authority as archive.ca',
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'has a certificate that is not trusted here; give the file of its authority as archive.ca',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'has a certificate that is not trusted here; give the file of its authority as archive.ca',
  ],
  ['CERT_HAS_EXPIRED', 'has a certificate that has expired; renew it'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'has a certificate for another name; correct archive.endpoint, or use archive.style: path',
  ],
]);
const LASTING = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A store that could not be reached, or whose reply broke off. */
export function networkError(remote: Asked, error: unknown): OfferlineError {
  const code = systemCode(error) ?? '';
  const words = SYSTEM.get(code) ?? `could not be reached (${foreignText(messageOf(error), 200)})`;
  return failure(remote, words, { retryable: !LASTING.has(code), cause: error, details: { code } });
}

/** A store whose reply is not what S3 answers. */
export function replyError(remote: Asked, what: string): OfferlineError {
  return failure(remote, what, { retryable: true });
}

function failure(
  remote: Asked,
  what: string,
  options: { retryable: boolean; cause?: unknown; details?: Record<string, unknown> },
): OfferlineError {
  const place = shownRemote(remote);
  if (remote.holds === undefined) return new OfferlineError('archive', `The archive ${place} ${what}.`, options);
  const message = `The place of the backups ${place} ${adviceFor(remote, what)}.`;
  return new OfferlineError('archive', message, options);
}
