import { FTPError } from 'basic-ftp';
import type { FtpSource } from '../../config/schema/sources/servers.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { networkError } from '../http/errors.ts';
import type { ServerPlace } from '../server/server.ts';

/** The greeting of a server is one of SSH: many take SFTP for a kind of FTP. */
export class SshError extends Error {}

/** True for a listing that is longer than the library was told to collect. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('StringWriter: Maximum bytes exceeded');
}

/** A failure to connect or to log in, in words. `secured`: TLS had been agreed on by then. */
export function connectError(
  error: unknown,
  place: ServerPlace,
  { security, secured }: { security: FtpSource['security']; secured: boolean },
): OfferlineError {
  if (error instanceof SshError) {
    const message = `${place.url} is a server for SSH, not FTP: set source.type to sftp, or correct source.port.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url } });
  }
  if (security === 'implicit' && /^ERR_SSL|^EPROTO/u.test(systemCode(error) ?? '')) {
    const message = `${place.url} does not begin with TLS: set source.security to explicit, or correct source.port (990 is usual for implicit).`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url } });
  }
  if (!(error instanceof FTPError)) return connectionError(error, place);
  if (security === 'explicit' && !secured) {
    return refusal(
      error,
      place,
      'does not offer TLS. Ask the supplier for it, or set source.security to implicit or none',
    );
  }
  if (error.code === 530 && security === 'none' && /encrypt|tls|ssl|secure/iu.test(error.message)) {
    return refusal(error, place, 'requires TLS. Remove source.security, or set it to explicit');
  }
  if (error.code === 530 || error.code === 430) {
    const what = 'refused the credentials. Correct source.auth, or ask the supplier';
    return refusal(error, place, what, { status: 401 });
  }
  return requestError(error, place, 'a connection');
}

/** A listing with a line that nobody can read: it may be that of the newest file. */
export function unreadLine({ url }: ServerPlace, line: string): OfferlineError {
  const message = `${url} lists a file in a way that is not understood: "${foreignText(line, 200)}". Have the line removed or corrected there, or ask the supplier for a server with MLSD.`;
  return new OfferlineError('pull-failed', message, { details: { url } });
}

/** A request that the server refused, or that its connection did not outlive. */
export function requestError(error: unknown, place: ServerPlace, what: string): OfferlineError {
  if (error instanceof OfferlineError) return error;
  if (!(error instanceof FTPError)) return connectionError(error, place);
  if (error.code === 550) {
    return refusal(error, place, `has not ${what}, or denies access to it. Correct source.path, or ask the supplier`);
  }
  // 522 and 425: a server that requires the session of the control connection says it in its own words.
  const passing = error.code < 500;
  return refusal(error, place, `refused ${what}`, { refused: true }, passing);
}

function connectionError(error: unknown, place: ServerPlace): OfferlineError {
  const said = messageOf(error);
  if (/timeout/iu.test(said)) {
    const message = `${place.url} was silent for ${place.timeout / 1000} s (source.timeout).`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url: place.url } });
  }
  if (said === 'FTP control response exceeded maximum allowed size') {
    const message = `${place.url} sent a reply of more than 64 KB, which is not read further; ask the supplier.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url, limit: 'bytes' } });
  }
  if (/closed|FIN packet/iu.test(said)) {
    const message = `${place.url} closed the connection before the transfer was complete.`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url: place.url } });
  }
  return networkError(error, place);
}

function refusal(
  error: FTPError,
  { url }: ServerPlace,
  what: string,
  details: Record<string, unknown> = {},
  retryable = false,
): OfferlineError {
  const message = `${url} ${what}; it said: ${foreignText(error.message, 200)}`;
  return new OfferlineError('pull-failed', message, { retryable, cause: error, details: { url, ...details } });
}
