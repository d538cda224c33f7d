import { hideFromNowOn } from '../../wording/redact.ts';
import { pathTokens } from '../../wording/show-url.ts';

/** Names of parameters, headers and form fields that hold credentials. */
export const CREDENTIAL_NAME = /key|token|pass|pwd|secret|auth|sig|session|credential/iu;

/** Hides the credentials in an address from now on: its password, the parameters with names of credentials, tokens in its path. */
export function hideAddress(address: string | undefined): void {
  for (const credential of credentialsIn(address)) hideFromNowOn(credential);
}

/** The credentials in an address, as they are written and as they are meant. */
export function credentialsIn(address: string | undefined): string[] {
  const url = address === undefined ? null : URL.parse(withOneHost(address));
  if (url === null) return [];
  const parameters = [...url.searchParams].filter(([name]) => CREDENTIAL_NAME.test(name)).map(([, value]) => value);
  return [url.password, decoded(url.password), ...parameters, ...pathTokens(url.href)];
}

/** An address may name several hosts, with a port each, which no URL may. */
function withOneHost(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?[^/?#,@]*),[^/?#@]*(?=[/?#]|$)/iu, '$1');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
