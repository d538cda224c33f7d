import type { Context } from '../../../context.ts';
import { allUsers } from '../../../ledger/access/users.ts';
import type { RequestRow } from '../../../ledger/schema/schema.ts';
import { isSamePerson, peopleNow } from '../../alerts/people.ts';
import { nameOf } from '../incident/work.ts';
import type { Decision } from '../review.ts';

/**
 * A decision of somebody. `as`: the name that people know them by, where it is not the one that the audit has. `owner`: who made the token
 * that decides; null without one.
 */
export type DecisionOf = Decision & { as?: string | undefined; owner?: string | null | undefined };

/** Who asked for something, as far as it tells people apart. */
type Asker = Pick<RequestRow, 'known_as' | 'owner'>;

/** Who decides, as others know them. Fails with `usage` for a name that cannot be shown. */
export function askerOf(decision: DecisionOf): Asker {
  return { known_as: nameOf(decision), owner: decision.owner ?? null };
}

/** The decision as the audit keeps it, with the name that others know. */
export function signed(decision: DecisionOf): Decision {
  const { as: _as, owner: _owner, ...rest } = decision;
  const name = nameOf(decision);
  return name === rest.who ? rest : { ...rest, reason: `as ${name}: ${rest.reason}` };
}

/**
 * Whether two people who ask are the same: by name or address, or because a token of one belongs to the other. Tokens that one user of the
 * console made belong to that user; who made tokens at a terminal may have made them for several programs.
 */
export async function areSameAskers(one: Asker, other: Asker, ctx: Context): Promise<boolean> {
  const { areSame } = await peopleNow(ctx);
  if (areSame(one.known_as, other.known_as)) return true;
  if (one.owner !== null && areSame(one.owner, other.known_as)) return true;
  if (other.owner !== null && areSame(one.known_as, other.owner)) return true;
  const { owner } = one;
  if (owner === null || other.owner === null || !areSame(owner, other.owner)) return false;
  return (await allUsers(ctx.ledger.db)).some(({ name }) => isSamePerson(name, owner));
}
