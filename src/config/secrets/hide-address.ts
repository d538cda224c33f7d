import { hideFromNowOn } from '../../wording/redact.ts';
import { pathTokens } from '../../wording/show-url.ts';

/** Names of the parameters of an address that hold credentials. */
const CREDENTIAL_NAME = /key|token|pass|pwd|secret|auth|sig|session|credential/iu;

/** Hides the credentials in an address from now on: its password, the parameters with names of credentials, tokens in its path. */
export function hideAddress(address: string | undefined): void {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return;
  const parameters = [...url.searchParams].filter(([name]) => CREDENTIAL_NAME.test(name)).map(([, value]) => value);
  const all = [url.password, decoded(url.password), ...parameters, ...pathTokens(url.href)];
  for (const credential of all) hideFromNowOn(credential);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
