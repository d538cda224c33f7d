import { isOver } from '../../../access/tokens.ts';
import { canSignIn } from '../../../access/users.ts';
import { feedsOfUser, type TokenRole } from '../../../access/visitor.ts';
import type { Context } from '../../../context.ts';
import { allTokens, findTokenById } from '../../../ledger/access/tokens.ts';
import { allUsers, findUser } from '../../../ledger/access/users.ts';
import type { Db } from '../../../ledger/ledger.ts';
import type { RequestRow, TokenRow } from '../../../ledger/schema/schema.ts';
import { isSamePerson } from '../../alerts/people.ts';
import { peopleApart, type Asker } from './person.ts';

/** Who may decide about a feed, and about a login as a whole. */
const ABOUT = { feed: ['manager', 'ops', 'admin'], login: ['ops', 'admin'] } as const;

/** Why somebody who asked for something may not decide about it any more; null while they may. Names at a terminal have no role. */
export async function whyMayNot(
  { token: id, known_as: who, via, feed }: Pick<RequestRow, 'token' | 'known_as' | 'via' | 'feed'>,
  db: Db,
  now: number,
  { config }: Pick<Context, 'config'>,
): Promise<string | null> {
  if (id !== null) {
    const token = await findTokenById(db, id);
    return token === undefined || isOver(token, now) ? `${who}, which asked, is not valid any more` : null;
  }
  if (via === 'cli') return whyNotAtTerminal(who, db);
  // Who signed in is exactly that user, whoever else has their name as an address.
  const user = await findUser(db, who);
  if (user === undefined) return null;
  if (user.disabled_at !== null) return `${who}, who asked, has been disabled`;
  const may = user.role_lost_at === null && mayDecide(user, feedsOfUser(user, config), feed);
  return may ? null : `${who}, who asked, may not decide about it any more`;
}

/** Names at a terminal may be addresses, and several users may have one. */
async function whyNotAtTerminal(who: string, db: Db): Promise<string | null> {
  const users = (await allUsers(db)).filter(
    ({ name, email }) => isSamePerson(name, who) || (email !== null && isSamePerson(email, who)),
  );
  const areDisabled = users.length > 0 && users.every(({ disabled_at }) => disabled_at !== null);
  return areDisabled ? `${who}, who asked, has been disabled` : null;
}

function mayDecide({ role }: { role: TokenRole }, feeds: readonly string[] | null, feed: string | null): boolean {
  const roles: readonly TokenRole[] = ABOUT[feed === null ? 'login' : 'feed'];
  return roles.includes(role) && (feeds === null || (feed !== null && feeds.includes(feed)));
}

/** Whether somebody else than this one may decide about a feed, or about a login as a whole (null), in the console or with a token. */
export async function othersMayDecide(asker: Asker, feed: string | null, ctx: Context): Promise<boolean> {
  const isSame = await peopleApart(ctx);
  for (const other of await decidersOf(feed, ctx)) if (!(await isSame(asker, other))) return true;
  return false;
}

/** Those who may decide about a feed, or about a login as a whole (null), in the console or with a token: users first. */
export async function decidersOf(feed: string | null, { ledger, config }: Context): Promise<Asker[]> {
  const now = await ledger.now();
  const users = (await allUsers(ledger.db)).filter((user) => {
    const isThere = user.disabled_at === null && user.role_lost_at === null && canSignIn(user.subject, config.web);
    return isThere && mayDecide(user, feedsOfUser(user, config), feed);
  });
  const tokens = (await allTokens(ledger.db)).filter(
    (token) => !isOver(token, now) && mayDecide(token, feedsOfToken(token), feed),
  );
  return [
    ...users.map(({ name }) => ({ known_as: name, token: null, owner: null })),
    ...tokens.map(({ id, name, created_by }) => ({ known_as: `token ${name}`, token: id, owner: created_by })),
  ];
}

function feedsOfToken({ scope }: TokenRow): string[] | null {
  return scope?.split(',') ?? null;
}
