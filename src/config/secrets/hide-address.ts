import { hideFromNowOn } from '../../wording/redact.ts';

/** Names of the parameters of an address that hold credentials. */
const CREDENTIAL_NAME = /key|token|pass|pwd|secret|auth|sig|session|credential/iu;

/** Hides the credentials in an address from now on: its password, and the parameters with names of credentials. */
export function hideAddress(address: string | undefined): void {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return;
  const parameters = [...url.searchParams].filter(([name]) => CREDENTIAL_NAME.test(name)).map(([, value]) => value);
  for (const credential of [url.password, decoded(url.password), ...parameters]) hideFromNowOn(credential);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
