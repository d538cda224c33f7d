import type { Refusal as ProviderRefusal } from '../../access/oidc/flow.ts';
import type { Proxied, ProxyRefusal } from '../../access/proxy.ts';
import type { Confirmed, Enrolled, NewFactor } from '../../access/second-factor.ts';
import type { Attempt, Refusal, SignedIn } from '../../access/sign-in.ts';
import { OfferlineError } from '../../errors.ts';
import type { Role, TokenRole, UserRow } from '../../ledger/schema/schema.ts';
import type { World } from './world.ts';

/** Signs a user in: a new session, or a refusal. */
export async function signIn(
  input: { name: string; password: string; address: string | null; device: string | null },
  { ctx }: World,
): Promise<SignedIn> {
  return (await import('../../access/sign-in.ts')).signIn(input, ctx, ctx.config.web.secondFactor);
}

/** What an app is set up with for a sign-in that waits for that; null when none does. */
export async function beginEnrol({ session }: { session: string }, { ctx }: World): Promise<NewFactor | null> {
  const [{ newFactor }, { stagedUser }] = await Promise.all([
    import('../../access/second-factor.ts'),
    import('../../access/sessions.ts'),
  ]);
  const user = await stagedUser(session, 'enrol', ctx);
  return user === null ? null : newFactor(user.name);
}

/** Sets a second factor up for a sign-in that waits for that; null when none does. */
export async function enrolAtSignIn(
  input: { session: string; secret: string; code: string },
  { ctx, asker: { via, origin } }: World,
): Promise<Enrolled | null> {
  return (await import('../../access/second-factor.ts')).enrolAtSignIn(input, { via, origin }, ctx);
}

/** What the one who asks sets an app up with. */
export async function newFactor(_nothing: object, { asker }: World): Promise<NewFactor> {
  return (await import('../../access/second-factor.ts')).newFactor(asker.who);
}

/** Sets a second factor up for the one who asks, if the password is theirs; another one is replaced. */
export async function setUpFactor(
  {
    password,
    device,
    session,
    ...given
  }: { password: string; device: string | null; session: string; secret: string; code: string },
  { ctx, asker }: World,
): Promise<{ codes: string[] } | { again: NewFactor }> {
  const name = asker.who;
  await assertPassword({ name, password, address: asker.origin, device }, ctx);
  const [{ enrol, factorOf }, { secretHash }] = await Promise.all([
    import('../../access/second-factor.ts'),
    import('../../access/secret.ts'),
  ]);
  const codes = await enrol({ name, ...given, keep: secretHash(session) }, asker, ctx);
  return codes === null ? { again: factorOf(name, given.secret) } : { codes };
}

/** Completes a sign-in with a code of a second factor; null when none waits for it. */
export async function confirmCode(
  input: { session: string; code: string; address: string | null; device: string | null },
  { ctx }: World,
): Promise<Confirmed | Refusal | null> {
  return (await import('../../access/second-factor.ts')).confirmCode(input, ctx);
}

/** Takes a user's second factor away. */
export async function resetFactor({ name }: { name: string }, { ctx, asker }: World): Promise<void> {
  await (await import('../../access/second-factor.ts')).resetFactor(name, asker, ctx);
}

/** Writes down that somebody was refused something. */
export async function recordRefusal(
  refused: { who: string | null; what: string; reason: string },
  { ctx, asker: { via, origin } }: World,
): Promise<void> {
  await (await import('../../access/refusals.ts')).recordRefusal({ ...refused, via, origin }, ctx);
}

/** Ends a session, also for the provider that it came from, which nobody waits for. */
export async function signOut({ session }: { session: string }, { ctx }: World): Promise<void> {
  const refresh = await (await import('../../access/sessions.ts')).endSession(session, ctx);
  if (refresh === null) return;
  const { forgetAtProvider } = await import('../../access/oidc/check.ts');
  void forgetAtProvider({ session, refresh }, ctx);
}

/** Where somebody signs in at the provider, and what their browser keeps meanwhile; or why not. */
export async function beginSignIn(
  input: { to: string },
  { ctx }: World,
): Promise<{ url: string; flow: string } | { refused: ProviderRefusal }> {
  return (await import('../../access/oidc/flow.ts')).beginSignIn(input, ctx);
}

/** Signs in whom the provider sent back: a new session and where they go, or why not. */
export async function finishSignIn(
  input: { search: string; kept: string | null; address: string | null },
  { ctx }: World,
): Promise<{ session: string; to: string } | { refused: ProviderRefusal }> {
  return (await import('../../access/oidc/flow.ts')).finishSignIn(input, ctx);
}

/** Where somebody signs out at the provider; or why not. */
export async function endAtProvider(
  _nothing: object,
  { ctx }: World,
): Promise<{ url: string | null } | { refused: ProviderRefusal }> {
  return (await import('../../access/oidc/flow.ts')).endAtProvider(ctx);
}

/** Writes down what the proxy says of somebody. */
export async function keepProxied(
  said: Proxied,
  { ctx, asker: { via, origin } }: World,
): Promise<{ user: ProxiedUser } | { refused: ProxyRefusal }> {
  const done = await (await import('../../access/proxy.ts')).keepProxied(said, { via, origin }, ctx);
  if ('refused' in done) return done;
  const { name, role, email, feeds, language, subject, changed_at } = done.user;
  return { user: { name, role, email, feeds, language, subject, changed_at } };
}

/** Nothing of a user's password leaves the process that works. */
type ProxiedUser = Pick<UserRow, 'name' | 'role' | 'email' | 'feeds' | 'language' | 'subject' | 'changed_at'>;

/** Asks the provider whether a session may go on, if it is time to. */
export async function checkSession(input: { session: string }, { ctx }: World): Promise<void> {
  await (await import('../../access/oidc/check.ts')).checkSession(input, ctx);
}

/** What was used: a session, or a token by its present secret or the one before. */
export type Used = { session: string } | { token: string; former: boolean };

/** Writes down that a session or a token is used. */
export async function touch(used: Used, { ctx }: World): Promise<void> {
  if ('session' in used) await (await import('../../access/sessions.ts')).touchSession(used.session, ctx);
  else await (await import('../../access/tokens.ts')).touchToken(used.token, ctx, used.former);
}

/** Remembers the language that the one who asks reads. */
export async function setLanguage({ language }: { language: string }, { ctx, asker }: World): Promise<void> {
  await (await import('../../access/users.ts')).setLanguage(asker.who, language, ctx);
}

/** Gives the one who asks another password; the session that asks stays, the user's others end. Guesses are slowed down as at signing in. */
export async function changePassword(
  { now, password, session, device }: { now: string; password: string; session: string; device: string | null },
  { ctx, asker }: World,
): Promise<void> {
  const [{ setPassword }, { secretHash }] = await Promise.all([
    import('../../access/users.ts'),
    import('../../access/secret.ts'),
  ]);
  await assertPassword({ name: asker.who, password: now, address: asker.origin, device }, ctx);
  await setPassword({ name: asker.who, password, keep: secretHash(session) }, asker, ctx);
}

/** Fails with `usage` where a password is not that of the one who asks. */
async function assertPassword(attempt: Attempt, ctx: World['ctx']): Promise<void> {
  const refusal = await (await import('../../access/sign-in.ts')).confirmPassword(attempt, ctx);
  if (refusal === null) return;
  const why = refusal.again === null ? 'The present password is wrong, so it stays as it is.' : refusal.refused;
  throw new OfferlineError('usage', why);
}

/** Adds a user. */
export async function addUser(
  user: { name: string; role: Role; email: string | null; language: string | null; password: string },
  { ctx, asker }: World,
): Promise<void> {
  await (await import('../../access/users.ts')).addUser(user, asker, ctx);
}

/** Gives a user another password. */
export async function setPassword(user: { name: string; password: string }, { ctx, asker }: World): Promise<void> {
  await (await import('../../access/users.ts')).setPassword(user, asker, ctx);
}

/** Disables a user, or lets one sign in again. */
export async function setEnabled(
  { name, enabled }: { name: string; enabled: boolean },
  { ctx, asker }: World,
): Promise<void> {
  const { disableUser, enableUser } = await import('../../access/users.ts');
  await (enabled ? enableUser : disableUser)(name, asker, ctx);
}

/** Makes a token; its secret is in the answer and nowhere else. */
export async function addToken(
  token: { name: string; role: TokenRole; feeds: string[] | null; ends: number | null },
  { ctx, asker }: World,
): Promise<{ id: string; secret: string }> {
  return (await import('../../access/tokens.ts')).addToken(token, asker, ctx);
}

/** Gives a token another secret, which is in the answer and nowhere else; the one before stays valid for a while. */
export async function rotateToken(
  token: { id: string; overlap: number; ends: number | null },
  { ctx, asker }: World,
): Promise<{ secret: string; formerEnds: number | null; expires: number | null }> {
  return (await import('../../access/tokens.ts')).rotateToken(token, asker, ctx);
}

/** Revokes a token for good. */
export async function revokeToken({ id }: { id: string }, { ctx, asker }: World): Promise<void> {
  await (await import('../../access/tokens.ts')).revokeToken(id, asker, ctx);
}
