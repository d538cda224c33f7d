import { recordDecision } from '../../ledger/alerts/audit.ts';
import { changeUser, findUserBySubject, insertUser } from '../../ledger/access/users.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { Role, UserRow } from '../../ledger/schema/schema.ts';
import { secretHash } from '../secret.ts';
import { assertName, hostBehind, ownName, userName, type By } from '../users.ts';
import type { Identity } from './identity.ts';

/** Somebody with a role, and what the provider calls them: the issuer and the subject, which never change. */
type Known = { subject: string; host: string; identity: Identity & { role: Role } };

/** Keeps what a provider says of a user, who is added when they sign in for the first time. A user who is disabled stays so. */
export async function keepUser(
  { subject, host, identity }: Known,
  from: Omit<By, 'who'>,
  trx: Db,
  now: number,
): Promise<UserRow> {
  const { role, email, feeds } = identity;
  const known = await findUserBySubject(trx, subject);
  if (known === undefined) {
    const name = await freeName(identity, { subject, host }, trx);
    const dates = { created_at: now, changed_at: now, disabled_at: null };
    if (await insertUser(trx, { name, role, email, feeds, subject, password: '', language: null, ...dates })) {
      const reason = `role ${role}, signed in by ${host}`;
      await recordDecision(trx, { at: now, action: 'add-user', subject: `user ${name}`, reason, who: name, ...from });
    }
  }
  // Two browsers of a new user may come at the same moment.
  const user = known ?? (await findUserBySubject(trx, subject));
  if (user === undefined) throw new Error('a name was taken while a user of the provider was added');
  const isSame = user.role === role && user.email === email && user.feeds === feeds;
  if (isSame && user.role_lost_at === null) return user;
  const changed = { role, email, feeds, role_lost_at: null, changed_at: now };
  await change(user, changed, { reason: `role ${role}, says ${host}`, from }, trx);
  return { ...user, ...changed };
}

/** Keeps that whoever signs a user in gives them no role any more, so that nobody waits for what they decide. It is said once. */
export async function loseRole(
  { subject, host }: Pick<Known, 'subject' | 'host'>,
  from: Omit<By, 'who'>,
  trx: Db,
  now: number,
): Promise<void> {
  const user = await findUserBySubject(trx, subject);
  if (user === undefined || user.role_lost_at !== null) return;
  await change(user, { role_lost_at: now, changed_at: now }, { reason: `no role any more, says ${host}`, from }, trx);
}

/** Changes a user as they were read, and records it. What another process has changed meanwhile stays: it heard of them as late. */
async function change(
  user: UserRow,
  set: Partial<UserRow> & Pick<UserRow, 'changed_at'>,
  { reason, from }: { reason: string; from: Omit<By, 'who'> },
  trx: Db,
): Promise<void> {
  if (!(await changeUser(trx, user, set))) return;
  const about = { action: 'change-user', subject: `user ${user.name}`, reason, who: user.name } as const;
  await recordDecision(trx, { at: set.changed_at, ...about, ...from });
}

/** A name that nobody takes for another user's: that of the provider, else with its host, else one of its own. */
async function freeName(
  { names }: Identity,
  { subject, host }: Pick<Known, 'subject' | 'host'>,
  trx: Db,
): Promise<string> {
  const wanted = names.map(nameFrom).flatMap((name) => [name, `${name}${hostBehind(host)}`]);
  for (const name of wanted) {
    const isFree = await assertName(name, trx).then(
      () => true,
      () => false,
    );
    if (isFree) return name;
  }
  return ownName(secretHash(subject));
}

/** What a provider calls somebody, with the letters that names here have. */
function nameFrom(text: string): string {
  const plain = userName(text.slice(0, 200)).normalize('NFKC');
  return plain
    .replaceAll(/[^\p{L}\p{N}._@-]+/gu, '-')
    .replace(/^[._@-]+/u, '')
    .slice(0, 64);
}
