import { hideFromNowOn } from '../../wording/redact.ts';

/** Parameters of an address that identify who asks. */
const TELLING = /key|token|pass|pwd|secret|auth|sig|session|credential/iu;

/** Hides what gives access in an address from now on: its password, and the parameters whose names say so. */
export function hideAddress(address: string | undefined): void {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return;
  const parameters = [...url.searchParams].filter(([name]) => TELLING.test(name)).map(([, value]) => value);
  for (const credential of [url.password, decoded(url.password), ...parameters]) hideFromNowOn(credential);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
