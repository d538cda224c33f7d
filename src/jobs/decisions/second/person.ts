import type { Context } from '../../../context.ts';
import { looksLike } from '../../../access/look-alike.ts';
import { nameThere } from '../../../access/users.ts';
import { rotatorsOf } from '../../../ledger/access/tokens.ts';
import { allUsers } from '../../../ledger/access/users.ts';
import type { RequestRow } from '../../../ledger/schema/schema.ts';
import { isSamePerson, peopleNow } from '../../alerts/people.ts';
import { nameOf } from '../incident/work.ts';
import type { Decision } from '../review.ts';

/**
 * A decision of somebody. `as`: the name that people know them by, where it is not the one that the audit has. `token`: the id of the token that
 * decides, and `owner`: who made it; null without one.
 */
export type DecisionOf = Decision & {
  as?: string | undefined;
  token?: string | null | undefined;
  owner?: string | null | undefined;
};

/** Who asked for something, as far as it tells people apart. */
export type Asker = Pick<RequestRow, 'known_as' | 'token' | 'owner'>;

/** Who decides, as others know them. Fails with `usage` for a name that cannot be shown. */
export function askerOf(decision: DecisionOf): Asker {
  return { known_as: nameOf(decision), token: decision.token ?? null, owner: decision.owner ?? null };
}

/** The decision as the audit keeps it, with the name that others know. */
export function signed(decision: DecisionOf): Decision {
  const { as: _as, token: _token, owner: _owner, ...rest } = decision;
  const name = nameOf(decision);
  return name === rest.who ? rest : { ...rest, reason: `as ${name}: ${rest.reason}` };
}

/** Whether two people who ask are the same. */
export type TellApart = (one: Asker, other: Asker) => Promise<boolean>;

/**
 * Tells people apart as they are known now: two are the same by the token, by name or address, or because a token of one belongs to the other. A user
 * who got another name than the provider's, because there was one of that name or one that looks like it, is taken for that one: they may be one and
 * the same. A token belongs to whoever made it, and to whoever gave it another secret: they have seen it. Tokens that belong to one user of the
 * console are that user; who made tokens at a terminal may have made them for several programs.
 */
export async function peopleApart(ctx: Context): Promise<TellApart> {
  const people = await peopleNow(ctx);
  const users = await allUsers(ctx.ledger.db);
  const named = (known: string) => {
    const user = users.find(({ name }) => isSamePerson(name, known));
    const there = user === undefined ? known : nameThere(user);
    return { there, isOther: user !== undefined && there !== user.name };
  };
  const areSame = (one: string, other: string) => {
    if (people.areSame(one, other)) return true;
    const [first, second] = [named(one), named(other)];
    // They had to have another name because people would take theirs for one that was there.
    return first.isOther || second.isOther ? looksLike(first.there, second.there) : false;
  };
  const isUser = (known: string) => users.some(({ name }) => isSamePerson(name, known));
  return async (one, other) => {
    if (one.token !== null && one.token === other.token) return true;
    if (areSame(one.known_as, other.known_as)) return true;
    const [ones, others] = [await holdersOf(one, ctx), await holdersOf(other, ctx)];
    if (ones.some((holder) => areSame(holder, other.known_as))) return true;
    if (others.some((holder) => areSame(one.known_as, holder))) return true;
    return ones.some((holder) => isUser(holder) && others.some((another) => areSame(holder, another)));
  };
}

/** Whether two people who ask are the same. */
export async function areSameAskers(one: Asker, other: Asker, ctx: Context): Promise<boolean> {
  return (await peopleApart(ctx))(one, other);
}

/** Who has seen a secret of the token by which somebody asks. */
async function holdersOf({ token, owner }: Asker, { ledger }: Context): Promise<string[]> {
  const rotators = token === null ? [] : await rotatorsOf(ledger.db, token);
  return owner === null ? rotators : [owner, ...rotators];
}
