import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import { deleteSessionsOf } from '../ledger/access/sessions.ts';
import { allUsers, findUser, insertUser, updateUser } from '../ledger/access/users.ts';
import type { Db } from '../ledger/ledger.ts';
import type { AuditRow, Role, UserRow } from '../ledger/schema/schema.ts';
import { assertPassword, hashPassword } from './password.ts';

/** Who changes a user, and by which way. */
export type By = Pick<AuditRow, 'who' | 'via' | 'origin'>;

/** What is shown of a user: never the hash of the password. */
export type ShownUser = Omit<UserRow, 'password' | 'changed_at'>;

type Access = Pick<Context, 'ledger'>;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** Adds a user. Fails with `usage` when name or password cannot be used, with `conflict` when there is one of this name. */
export async function addUser(
  user: { name: string; role: Role; email: string | null; language: string | null; password: string },
  by: By,
  { ledger }: Access,
): Promise<void> {
  const { name, role, email, language, password } = user;
  if (!NAME.test(name)) {
    const rule = 'letters, digits, "-", "_", "." and "@", beginning with a letter or digit, at most 64 characters';
    throw new OfferlineError('usage', `"${name}" is no name for a user: expected ${rule}.`);
  }
  if (role === 'manager' && email === null)
    throw new OfferlineError(
      'usage',
      `A manager sees the feeds of the managers entry with their address: name it with --email.`,
    );
  assertPassword(password, name);
  const hash = await hashPassword(password);
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    const row = { name, role, email, language, password: hash, created_at: at, changed_at: at, disabled_at: null };
    if (!(await insertUser(trx, row))) throw new OfferlineError('conflict', `There is a user ${name} already.`);
    await record(trx, 'add-user', name, `role ${role}`, by, at);
  });
}

/** Gives a user another password and ends the user's sessions, but the one with the hash `keep`. */
export async function setPassword(
  { name, password, keep = null }: { name: string; password: string; keep?: string | null },
  by: By,
  { ledger }: Access,
): Promise<void> {
  assertPassword(password, name);
  const hash = await hashPassword(password);
  await change(name, { password: hash }, { text: 'password', keep }, by, ledger);
}

/** Disables a user and ends their sessions. Fails with `conflict` for the last administrator. */
export async function disableUser(name: string, by: By, { ledger }: Access): Promise<void> {
  const users = await allUsers(ledger.db);
  const admins = users.filter(({ role, disabled_at }) => role === 'admin' && disabled_at === null);
  if (admins.length === 1 && admins[0]?.name === name)
    throw new OfferlineError('conflict', `${name} is the last administrator; add another one first.`);
  await change(name, { disabled_at: await ledger.now() }, { text: 'disabled', keep: null }, by, ledger);
}

/** Lets a user sign in again. */
export async function enableUser(name: string, by: By, { ledger }: Access): Promise<void> {
  await change(name, { disabled_at: null }, { text: 'enabled', keep: null }, by, ledger);
}

/** Remembers the language that a user reads. */
export async function setLanguage(name: string, language: string, { ledger }: Access): Promise<void> {
  await updateUser(ledger.db, name, { language });
}

/** All users, as they are shown. */
export async function listUsers({ ledger }: Access): Promise<ShownUser[]> {
  return (await allUsers(ledger.db)).map(({ password: _password, changed_at: _changed, ...user }) => user);
}

async function change(
  name: string,
  set: Partial<UserRow>,
  { text, keep }: { text: string; keep: string | null },
  by: By,
  ledger: Context['ledger'],
): Promise<void> {
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    if ((await findUser(trx, name)) === undefined)
      throw new OfferlineError('not-found', `There is no user ${name}; \`offerline user list\` shows them.`);
    await updateUser(trx, name, { ...set, changed_at: at });
    await deleteSessionsOf(trx, name, keep);
    await record(trx, 'change-user', name, text, by, at);
  });
}

async function record(
  db: Db,
  action: 'add-user' | 'change-user',
  name: string,
  reason: string,
  by: By,
  at: number,
): Promise<void> {
  await recordDecision(db, { at, action, subject: `user ${name}`, reason, ...by });
}
