import { systemClock } from '../../clock.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { isTransientStatus } from '../../io/peers/http-retry.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { textOf } from '../http/body.ts';
import { statusError } from '../http/errors.ts';
import { headerOf, type Reply } from '../http/request.ts';
import { REFUSAL } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';
import { readRefusal } from './listing.ts';

/** What each refusal of S3 means, and what to do; `status` 401 stands for credentials that do not fit. */
const REFUSALS: Record<string, { what: string; status?: number; retryable?: boolean }> = {
  AccessDenied: {
    what: 'denies access; ask the supplier to grant it to these keys (to list the bucket and to get its objects)',
    status: 403,
  },
  InvalidAccessKeyId: { what: 'does not know the access key; correct source.auth', status: 401 },
  SignatureDoesNotMatch: { what: 'refused the signature: the secret key is wrong; correct source.auth', status: 401 },
  ExpiredToken: { what: 'says that the session token has expired; give new keys in source.auth', status: 401 },
  InvalidToken: { what: 'refused the session token; correct source.auth', status: 401 },
  NoSuchBucket: { what: 'has no such bucket; correct source.bucket, source.endpoint or source.style' },
  SlowDown: { what: 'asks to be tried again later', retryable: true },
  InternalError: { what: 'failed; ask the supplier if this persists', retryable: true },
  ServiceUnavailable: { what: 'is not available at the moment', retryable: true },
  RequestTimeout: { what: 'timed out waiting for the request', retryable: true },
};

/** The refusal of a reply, in words; the reply's body is read. */
export async function refusalOf(reply: Reply, place: ServerPlace): Promise<OfferlineError> {
  const { url } = place;
  const text = await textOf(Object.assign(reply, { place }), REFUSAL).catch((error: unknown) => {
    if (error instanceof OfferlineError && error.details['limit'] !== undefined) return error;
    return '';
  });
  if (text instanceof OfferlineError) return withStatus(text, reply);
  const { code, message, region = headerOf(reply, 'x-amz-bucket-region'), requestTime, serverTime } = readRefusal(text);
  if (code === 'RequestTimeTooSkewed') {
    const here = foreignText(requestTime ?? new Date(systemClock.now()).toISOString(), 40);
    const there = foreignText(serverTime ?? headerOf(reply, 'date') ?? 'another time', 40);
    return failure(
      url,
      `refused the time of the request: this machine's clock says ${here}, the server's ${there}; correct the one that is wrong`,
    );
  }
  if (
    ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'].includes(code ?? '')
  ) {
    const right = region === undefined ? '' : ` (it is ${foreignText(region, 40)})`;
    return failure(
      url,
      `has the bucket in another region${right}; correct source.region, and source.endpoint if it names one`,
    );
  }
  const known = code === undefined ? undefined : own(REFUSALS, code);
  if (known === undefined) {
    if (code === undefined && reply.statusCode === 404) {
      return failure(url, 'answered 404, and not as S3 does; correct source.endpoint', { status: 404 });
    }
    const said = message === undefined ? undefined : foreignText(message, 200);
    if (said === undefined || isTransientStatus(reply.statusCode)) {
      return statusError(reply.statusCode, place, headerOf(reply, 'retry-after'), systemClock.now());
    }
    return failure(url, `answered ${reply.statusCode} (${foreignText(code ?? '', 60)}): ${said}`, {
      status: reply.statusCode,
    });
  }
  const { what, retryable = false, status } = known;
  return failure(url, what, status === undefined ? {} : { status }, retryable);
}

/** A refusal that is not read to its end still has a status, which may be one of credentials. */
function withStatus({ message, details }: OfferlineError, { statusCode: status }: Reply): OfferlineError {
  return new OfferlineError('pull-failed', `${message} It answered ${status}.`, { details: { ...details, status } });
}

function failure(url: string, what: string, details: Record<string, unknown> = {}, retryable = false): OfferlineError {
  const message = `${url} ${what}`.replace(/(?<![.?!])$/u, '.');
  return new OfferlineError('pull-failed', message, { retryable, details: { url, ...details } });
}
