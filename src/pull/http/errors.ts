import { foreignText } from '../../wording/foreign-text.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';

/** A place on the net and how long it may be silent, for messages. */
export type Place = { url: string; timeout: number };

const WHAT_TO_DO: Record<number, string> = {
  400: 'the server does not understand the address; correct source.url',
  401: 'the server asks for credentials or refuses them; correct source.auth of the feed',
  403: 'the server does not allow it; ask the supplier to give these credentials access',
  404: 'there is no file at this address; correct source.url, or ask the supplier for the new one',
  407: 'a proxy asks for credentials',
  408: 'the server lost patience',
  410: 'the file was removed for good; ask the supplier for the new address',
  425: 'the server wants to be asked later',
  429: 'too many requests; ask for the file less often',
};

/** The refusal of a reply that is neither a file, nor a redirect, nor "not modified". */
export function statusError(status: number, place: Place, retryAfter: string | undefined, now: number): OfferlineError {
  const retryable = status >= 500 || status === 408 || status === 425 || status === 429;
  const advice =
    WHAT_TO_DO[status] ??
    (status >= 500 ? 'the server has a fault of its own; ask the supplier if it lasts' : 'the server sent no file');
  const retryAfterMs = retryAfter === undefined ? undefined : delayOf(retryAfter, now);
  return new OfferlineError('pull-failed', `${place.url} answered ${status}: ${advice}.`, {
    retryable,
    details: { url: place.url, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  });
}

function delayOf(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/u.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** A refusal with its place, that waiting does not heal. */
export function pullError(place: Place, problem: string, details: Record<string, unknown> = {}): OfferlineError {
  return new OfferlineError('pull-failed', `${place.url} ${problem}`, { details: { url: place.url, ...details } });
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'refused the connection; is the server up, and the port right?',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  ENOTFOUND: 'has a host name that is not known; correct source.url, or wait for the name server',
  EAI_AGAIN: 'has a host name that could not be looked up; the name server does not answer',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached: no network',
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
      'cannot be asked: a header or credential of this feed has characters that cannot be sent',
      false,
      error,
    );
  }
  if (/^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH|ABORTED)$/u.test(code)) {
    return failed(place, 'broke the connection off before the file was complete', true, error);
  }
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return failed(place, `does not speak HTTP (${foreignText(error.message, 200)})`, true, error);
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
  if (code.startsWith('Z_'))
    return failed(place, 'sent a file whose gzip transfer encoding is damaged or cut off', true, error);
  if (length === undefined || received >= length || isTimeout(code)) return networkError(error, place);
  return failed(place, `broke off before all of its ${length} bytes had come`, true, error);
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
