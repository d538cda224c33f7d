import type { AuthenticationType, NextAuthHandler } from 'ssh2';
import type { SftpSource } from '../../config/schema/sources/servers.ts';

/**
 * Chooses how to identify ourselves, out of what the server offers: the key, then the password. A password that was
 * refused is not sent once more in another way, so that one pull counts as one failure for servers that lock accounts; a
 * server that asks for both gets both.
 */
export function chooseMethod({ type, password }: SftpSource['auth']) {
  const key = type === 'key';
  const tried = new Set<AuthenticationType>();
  return (
    left: AuthenticationType[] | null,
    _partial: boolean,
    // The types forget that `false` gives up.
    answer: NextAuthHandler | ((method: false) => void),
  ): void => {
    const next = answer as (method: AuthenticationType | false) => void;
    // What the server offers is in its answer to a try without credentials.
    if (left === null) return next('none');
    const offers = (method: AuthenticationType) => left.includes(method) && !tried.has(method);
    const sent = tried.has('password') || tried.has('keyboard-interactive');
    const method =
      key && offers('publickey')
        ? 'publickey'
        : password === undefined || sent
          ? undefined
          : (['password', 'keyboard-interactive'] as const).find(offers);
    if (method === undefined) return next(false);
    tried.add(method);
    next(method);
  };
}
