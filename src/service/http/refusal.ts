import { OfferlineError } from '../../errors.ts';
import { isTransientStatus, parseRetryAfter } from '../../io/peers/http-retry.ts';
import { redact, redactForeign } from '../../wording/redact.ts';
import { nameOf, type Call, type Reply } from './access.ts';
import { excerpt, withRequestId } from './excerpt.ts';
import { showUrl } from '../../wording/show-url.ts';
import { readBytes } from './body.ts';
import { errorText, readErrorBody } from './error-body.ts';

/** Error bodies are kept raw and shown, but never without limit. */
const MAX_ERROR_BODY = 4_000;
/** A credential may begin before the cut and end behind it. */
const MARGIN = 4_000;
/** `Retry-After` cannot ask for a longer wait than this. */
const MAX_RETRY_AFTER = 3_600_000;

/**
 * The error for a reply with a status that is not 2xx. Its text is kept raw; what is shown of JSON and XML is the sentence in
 * it, and the service's own code is `details.serviceCode`.
 */
export async function refusal(call: Call, reply: Reply): Promise<OfferlineError> {
  const bytes = await readBytes(call, reply.body, MAX_ERROR_BODY + MARGIN).catch(() => Buffer.of());
  const text = redactForeign(errorText(bytes, reply.headers['content-type'])).slice(0, MAX_ERROR_BODY);
  const unauthorized = reply.status === 401 || reply.status === 403;
  const advice = unauthorized ? "; check the login's `auth` and its right MANAGE_OFFERS" : '';
  const { code, message, requestId } = await readErrorBody(text);
  const sentence = message === null || code === null || message.includes(code) ? message : `${message} (${code})`;
  // What was escaped in JSON is not any more.
  const shown = excerpt(redactForeign(sentence ?? text));
  const id = withRequestId({ requestId });
  const known = shown.includes(id.details.requestId ?? '') ? '' : id.text;
  return new OfferlineError(
    unauthorized ? 'service-unauthorized' : 'service-refused',
    `${nameOf(call)} answered ${reply.status} (${inWords(reply.status)}): ${shown}${known}${advice}${redirection(reply)}`,
    {
      retryable: isTransientStatus(reply.status),
      details: { status: reply.status, text, serviceCode: code, retryAfterMs: retryAfter(reply), ...id.details },
    },
  );
}

const WORDS: Record<number, string> = {
  400: 'invalid request',
  401: 'credentials rejected',
  403: 'access denied',
  404: 'not found',
  405: 'method not allowed',
  408: 'the request timed out',
  409: 'conflict',
  413: 'too large',
  422: 'not accepted',
  429: 'too many requests',
};

/** Where a redirect leads; it is not followed, because credentials are for one place. */
function redirection({ status, headers }: Reply): string {
  const { location } = headers;
  if (status < 300 || status > 399 || typeof location !== 'string') return '';
  return `; it redirects to ${redact(showUrl(location))}, which is not followed: if that is the service, make it the base address`;
}

/** What a status means, whatever the service says of it. */
function inWords(status: number): string {
  return WORDS[status] ?? (status >= 500 ? 'the service failed' : 'request refused');
}

/**
 * Milliseconds that the service asks us to wait (`Retry-After`, seconds or a date), at most an hour; or null. A date is one of the
 * service's clock, which the reply's own `Date` shows: ours may be another.
 */
function retryAfter(reply: Reply): number | null {
  const header = reply.headers['retry-after'];
  if (typeof header !== 'string') return null;
  const sent = Date.parse(String(reply.headers['date']));
  const wait = parseRetryAfter(header, Number.isNaN(sent) ? Date.now() : sent);
  return wait === null ? null : Math.min(MAX_RETRY_AFTER, wait);
}
