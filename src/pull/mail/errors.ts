import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { networkError } from '../http/errors.ts';
import type { ServerPlace } from '../server/server.ts';

type ImapError = Error & {
  code?: string;
  authenticationFailed?: boolean;
  responseText?: string;
  serverResponseCode?: string;
  tlsFailed?: boolean;
};

const SILENT = new Set(['ETIMEOUT', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEDOUT']);
const CLOSED = new Set(['NoConnection', 'EConnectionClosed', 'ClosedAfterConnectTLS', 'ClosedAfterConnectText']);

/** Limits of the library, which was told ours. */
const TOO_LONG = new Set(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'TooManyTokens']);

/** What a server says when it is not able to now (RFC 5530), whatever was asked. */
const FOR_NOW = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG']);

/** A failure of the mail server or of the connection to it, in words; `what` is what was asked for. */
export function mailError(error: unknown, place: ServerPlace, what: string): OfferlineError {
  if (error instanceof OfferlineError) return error;
  const { url, timeout } = place;
  const { authenticationFailed, code = '', responseText, serverResponseCode = '' } = error as ImapError;
  const said = responseText === undefined ? '' : `; it said: ${foreignText(responseText, 200)}`;
  if (TOO_LONG.has(code)) {
    const message = `${url} sent a line or value of more than 1 MB, which is not read further; ask who runs the mailbox.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url, limit: 'bytes' } });
  }
  if (FOR_NOW.has(serverResponseCode)) {
    const message = `${url} is not able to answer for now${said}`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url } });
  }
  if (authenticationFailed === true) {
    const message = `${url} refused the credentials. Correct source.auth, or ask who runs the mailbox${said}`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url, status: 401 } });
  }
  if (SILENT.has(code)) {
    const message = `${url} was silent for ${timeout / 1000} s (source.timeout).`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url } });
  }
  if (/STARTTLS/u.test(messageOf(error))) {
    const message = `${url} does not offer TLS on this port. Set source.security to implicit, with its port (993)`;
    return new OfferlineError('pull-failed', `${message}${said}.`, { cause: error, details: { url } });
  }
  if (CLOSED.has(code)) {
    const message = `${url} closed the connection before it was complete.`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url } });
  }
  if (responseText !== undefined) {
    const message = `${url} refused ${what}${said}`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url } });
  }
  if (systemCode(error) === undefined) {
    const message = `${url} failed at ${what}: it answered what is no IMAP, or not to what was asked.`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url } });
  }
  return networkError(error, place);
}
