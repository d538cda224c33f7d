import { isGuessable } from '../../wording/credentials/guessable.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { pathTokens } from '../../wording/show-url.ts';

/** Names of parameters, headers and form fields that hold credentials. */
export const CREDENTIAL_NAME = /key|token|pass|pwd|secret|auth|sig|session|credential/iu;

/** Several hosts with ports (`postgres://user:password@a:5432,b:5432/db`) are no URL. */
const HOSTS = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)[^/?#]*/iu;

/** Hides the credentials in an address from now on: its password, the parameters with names of credentials, tokens in its path. */
export function hideAddress(address: string | undefined): void {
  for (const credential of credentialsIn(address)) hideFromNowOn(credential);
}

/** Shorter parts of the path of a hook's address are no credential. */
const LEAST_PART = 8;

/**
 * Hides the address of a hook from now on, also where a receiver repeats only its path or a part of it: whoever knows that may write there.
 * Words such as `services` in its path are not hidden alone.
 */
export function hideHookAddress(address: string): void {
  hideAddress(address);
  const url = URL.parse(address);
  if (url === null) return;
  const { pathname, search, searchParams } = url;
  const segments = pathname.split('/').filter((segment) => !isGuessable(segment));
  const parts = [pathname, `${pathname}${search}`, ...segments].filter(({ length }) => length >= LEAST_PART);
  for (const part of [...parts, ...searchParams.values()]) hideFromNowOn(part);
}

/** The credentials in an address, as they are written and as they are meant. */
export function credentialsIn(address: string | undefined): string[] {
  const url = address === undefined ? null : (URL.parse(address) ?? URL.parse(address.replace(HOSTS, '$1host')));
  if (url === null) return [];
  const parameters = [...url.searchParams].filter(([name]) => CREDENTIAL_NAME.test(name)).map(([, value]) => value);
  return [url.password, decoded(url.password), ...parameters, ...pathTokens(url.href)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
