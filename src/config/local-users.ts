import type { Config } from './schema/schema.ts';

/** Whether users can sign in with a password of the console, besides those whom somebody else signs in. */
export function passwordsCount({ oidc, proxy }: Pick<Config['web'], 'oidc' | 'proxy'>): boolean {
  return oidc?.localUsers !== false && proxy?.localUsers !== false;
}
