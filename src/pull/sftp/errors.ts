import { messageOf, OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { networkError } from '../http/errors.ts';
import type { ServerPlace } from '../server/server.ts';

/** The refusal of a server whose host key is not the one that is configured, with the line to be written. */
export function hostKeyError(found: string, expected: string | undefined, { url }: ServerPlace): OfferlineError {
  const message =
    expected === undefined
      ? `${url} has the host key ${found}, which is not pinned yet. Compare it with what the supplier says, then write \`hostKey: "${found}"\` into source.`
      : `${url} has the host key ${found}, not ${expected}: the server was replaced, or somebody is between. Ask the supplier before you change source.hostKey.`;
  return new OfferlineError('pull-failed', message, { details: { url, hostKey: found } });
}

/** A failure to connect or to identify ourselves, in words. */
export function connectError(error: unknown, place: ServerPlace): OfferlineError {
  const level = error instanceof Error && 'level' in error ? error.level : undefined;
  const said = foreignText(messageOf(error), 200);
  if (level === 'client-authentication') {
    const message = `${place.url} refused the credentials: correct source.auth, or ask the supplier.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url, status: 401 } });
  }
  if (level === 'client-timeout') {
    const message = `${place.url} was silent for ${place.timeout / 1000} s (source.timeout); if it is so each time, see whether it is an FTP server (source.type: ftp).`;
    return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details: { url: place.url } });
  }
  if (said.startsWith('Cannot parse privateKey')) {
    const message = `${place.url} was not asked: source.auth.key is no private key, or its passphrase does not open it.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url } });
  }
  if (level === 'sftp-protocol' || /subsystem/iu.test(said)) {
    const message = `${place.url} took the credentials, but does not speak SFTP: it has none for this user, or its login prints something first. Ask the supplier.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url } });
  }
  const missing = /no matching (?:[a-z]+->[a-z]+ )?(key exchange|host key|cipher|MAC|compression)/iu.exec(said)?.[1];
  if (missing !== undefined) {
    const message = `${place.url} knows none of the usual algorithms (${missing}): ask the supplier to renew it, or set source.oldAlgorithms: true.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { url: place.url } });
  }
  return networkError(error, place);
}

const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
/** Whatever else is wrong: a file that somebody writes to, a folder that is there already. */
const FAILURE = 4;

/** A request that the server refused, or that its connection did not outlive. */
export function requestError(error: unknown, place: ServerPlace, what: string): OfferlineError {
  if (error instanceof OfferlineError) return error;
  const status = error instanceof Error && 'code' in error ? error.code : undefined;
  const details = { url: place.url };
  if (status === NO_SUCH_FILE) {
    const message = `${place.url}: the server has not ${what}. Correct source.path, or ask the supplier.`;
    return new OfferlineError('pull-failed', message, { cause: error, details });
  }
  if (status === PERMISSION_DENIED) {
    const message = `${place.url}: the server denies access to ${what}. Ask the supplier to grant it to source.auth.user.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { ...details, status: 403 } });
  }
  if (typeof status === 'number') {
    const message = `${place.url}: the server refused ${what}; it said: ${foreignText(messageOf(error), 200)}.`;
    return new OfferlineError('pull-failed', message, {
      retryable: status === FAILURE,
      cause: error,
      details: { ...details, refused: true },
    });
  }
  if (/exceeds max length/u.test(messageOf(error))) {
    const message = `${place.url} sent a packet of more than 256 KB, which is not read further; ask the supplier.`;
    return new OfferlineError('pull-failed', message, { cause: error, details: { ...details, limit: 'bytes' } });
  }
  const message = `${place.url} closed the connection before it was complete.`;
  return new OfferlineError('pull-failed', message, { retryable: true, cause: error, details });
}
