import { isTransientStatus, parseRetryAfter } from '../../io/peers/http-retry.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';

/** A place on the net and how long it may be silent, for messages. */
export type Place = { url: string; timeout: number };

const WHAT_TO_DO: Record<number, string> = {
  400: 'the server does not understand the request; check source.url',
  401: 'the server requires other credentials; correct source.auth of the feed',
  403: 'the server denies access; ask the supplier to grant it to these credentials',
  404: 'there is no file at this address; correct source.url, or ask the supplier for the new one',
  407: 'a proxy requires credentials',
  408: 'the server timed out waiting for the request',
  410: 'the file has been removed permanently; ask the supplier for the new address',
  425: 'the server asks to be tried again later',
  429: 'too many requests; ask for the file less often',
};

/** The refusal of a reply that is neither a file, nor a redirect, nor "not modified". */
export function statusError(status: number, place: Place, retryAfter: string | undefined, now: number): OfferlineError {
  const retryable = isTransientStatus(status);
  const advice =
    WHAT_TO_DO[status] ??
    (status >= 500 ? 'the server failed; ask the supplier if this persists' : 'the server sent no file');
  const retryAfterMs = retryAfter === undefined ? null : parseRetryAfter(retryAfter, now);
  return new OfferlineError('pull-failed', `${place.url} answered ${status}: ${advice}.`, {
    retryable,
    details: { url: place.url, status, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  });
}

/** True for an answer that is the file: some proxies say that they may have changed it (203). */
export function isAnswer(status: number): boolean {
  return status === 200 || status === 203;
}

/** The refusal of a program for its name: the same question is answered to a browser. */
export function refusedProgram({ url }: Place, name: string): OfferlineError {
  const message = `${url} answered 403 to programs that call themselves "${name}", not to the credentials: ask the supplier to let them in, or set source.headers: { User-Agent: NAME } to a name that it lets in.`;
  return new OfferlineError('pull-failed', message, { details: { url, status: 403, program: true } });
}

/** A refusal with its place, that waiting does not heal. */
export function pullError(place: Place, problem: string, details: Record<string, unknown> = {}): OfferlineError {
  return new OfferlineError('pull-failed', `${place.url} ${problem}`, { details: { url: place.url, ...details } });
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'refused the connection; check that the server is running and the port is right',
  ECONNRESET: 'closed the connection unexpectedly',
  EPIPE: 'closed the connection unexpectedly',
  ENOTFOUND: 'has an unknown host name; correct it in source, or check the name server',
  EAI_AGAIN: 'has a host name that could not be resolved: the name server does not answer',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached: there is no network connection',
  ETIMEDOUT: 'does not answer',
};

/** A failure of the connection in words; a broken one is worth another try, a certificate or a request is not. */
export function networkError(error: unknown, place: Place): OfferlineError {
  const code = systemCode(error) ?? '';
  const silent = `was silent for ${place.timeout / 1000} s (source.timeout)`;
  if (isTimeout(code)) return failed(place, silent, true, error);
  if (isCertificate(code, error)) {
    return failed(
      place,
      `has a certificate that is not trusted (${code}); the supplier must renew it, or NODE_EXTRA_CA_CERTS must name its authority`,
      false,
      error,
    );
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return failed(place, `does not speak TLS (${code}); is the address http:// instead of https://?`, true, error);
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return failed(
      place,
      'was not asked: a header or credential of this feed has characters that cannot be sent',
      false,
      error,
    );
  }
  if (/^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH|ABORTED)$/u.test(code)) {
    return failed(place, 'closed the connection before the file was complete', true, error);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failed(place, 'sent more than 16 KB of headers, which are not read further; ask the supplier', false, error);
  }
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return failed(place, 'does not speak HTTP: what came is no reply', true, error);
  }
  return failed(place, NETWORK[code] ?? `failed: ${code || messageOf(error)}`, true, error);
}

/** A body that ended early or cannot be decoded; both are worth another try. */
export function bodyError(
  error: unknown,
  place: Place,
  { received, length }: { received: number; length: number | undefined },
): OfferlineError {
  const code = systemCode(error) ?? '';
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD)/u.test(code))
    return failed(place, 'sent a file whose compression for the transfer is damaged or truncated', true, error);
  if (length === undefined || received >= length || isTimeout(code)) return networkError(error, place);
  return failed(place, `closed the connection before all ${length} bytes had arrived`, true, error);
}

function isTimeout(code: string): boolean {
  return /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/u.test(code);
}

function isCertificate(code: string, error: unknown): boolean {
  return /CERT|SIGNATURE|ERR_TLS/u.test(code) || /certificate/iu.test(messageOf(error));
}

function failed(place: Place, problem: string, retryable: boolean, cause: unknown): OfferlineError {
  const message = `${place.url} ${problem}.`.replace(/([?!])\.$/u, '$1');
  return new OfferlineError('pull-failed', message, { retryable, cause, details: { url: place.url } });
}
