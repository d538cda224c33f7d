import type { Config } from '../config/schema/schema.ts';
import type { Role, TokenRole, UserRow } from '../ledger/schema/schema.ts';

export type { Role, TokenRole };

/** The roles of users, from the one that may do least. */
export const ROLES: readonly Role[] = ['viewer', 'manager', 'ops', 'admin'];

/** Who asks the console or its API, and what they see. */
export type Visitor = {
  name: string;
  role: TokenRole;
  /** The feeds that they see; null: all. */
  feeds: readonly string[] | null;
  via: 'console' | 'api';
  /** The address of the browser or program. */
  origin: string | null;
};

/** The feeds that a user sees; null: all. */
export function feedsOfUser(
  { role, email, feeds }: Pick<UserRow, 'role' | 'email' | 'feeds'>,
  config: Pick<Config, 'managers'>,
): readonly string[] | null {
  if (role !== 'manager') return null;
  return feeds === null ? feedsOfManager(email, config) : feeds.split(',').filter((feed) => feed !== '');
}

/** The feeds of the `managers` entries with this address; null where one of them is for all feeds. Without an address: none. */
export function feedsOfManager(email: string | null, { managers }: Pick<Config, 'managers'>): readonly string[] | null {
  const own = managers.filter((manager) => email !== null && manager.email.toLowerCase() === email.toLowerCase());
  if (own.some(({ feeds }) => feeds === undefined)) return null;
  return [...new Set(own.flatMap(({ feeds }) => feeds ?? []))];
}
