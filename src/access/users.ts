import { z } from 'zod';
import { passwordsCount } from '../config/local-users.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import { deleteSessionsOf } from '../ledger/access/sessions.ts';
import { allUsers, findUser, insertUser, lockAdmins, updateUser } from '../ledger/access/users.ts';
import type { Db } from '../ledger/ledger.ts';
import type { AuditRow, UserRow } from '../ledger/schema/schema.ts';
import { hasOddScript, looksLike, mixedScripts } from './look-alike.ts';
import { assertPassword, hashPassword } from './passwords/password.ts';

/** Who changes a user, and by which way. */
export type By = Pick<AuditRow, 'who' | 'via' | 'origin'>;

/** What is shown of a user: never the hash of the password, nor of the second factor more than that there is one. */
export type ShownUser = Omit<
  UserRow,
  'password' | 'changed_at' | 'role_lost_at' | 'totp' | 'totp_step' | 'recovery'
> & {
  factor: boolean;
};

type Access = Pick<Context, 'ledger'>;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** A user to be added. */
export type NewUser = Pick<UserRow, 'name' | 'role' | 'email' | 'language' | 'password'>;

/** What a provider's user is kept under: its issuer and what it calls them there, neither of which changes. */
export function subjectOf(issuer: string, sub: string): string {
  return `${issuer.replace(/\/$/u, '')} ${sub}`;
}

/** What a user of the proxy is kept under: what it calls them. No issuer is called so. */
const PROXY = 'proxy ';

/** What a user is kept under whom the proxy calls so. */
export function proxySubjectOf(name: string): string {
  return `${PROXY}${name}`;
}

/** Whether it is the proxy that signs a user in, by what they are kept under. */
export function isProxied(subject: string | null | undefined): boolean {
  return subject?.startsWith(PROXY) === true;
}

/** Whether the configuration lets a user sign in at all, by what they are kept under: with a password, the provider or the proxy that did. */
export function canSignIn(subject: string | null, { oidc, proxy }: Pick<Config['web'], 'oidc' | 'proxy'>): boolean {
  if (subject === null) return passwordsCount({ oidc, proxy });
  if (isProxied(subject)) return proxy !== undefined;
  return oidc !== undefined && subject.startsWith(subjectOf(oidc.issuer, ''));
}

/** What signs a user in, by what they are kept under: the host of the provider, or the setting of the proxy. */
export function providerOf(subject: string): string {
  if (isProxied(subject)) return 'web.proxy';
  return URL.parse(subject.split(' ', 1)[0] ?? '')?.host ?? subject;
}

/** What stands behind the name of a user whom somebody else signs in, where another user had the name already. */
export function hostBehind(host: string): string {
  return `@${host.replaceAll(':', '-')}`;
}

/** What is kept as the host of the proxy. */
export const PROXY_HOST = 'proxy';

/** A name of our own making, for somebody whose own names look like those of others. */
const OWN = /^user-[\da-f]{12}$/u;

/** What a user is called who cannot have a name that somebody calls them. `hash`: of what they are kept under. */
export function ownName(hash: string): string {
  return `user-${hash.slice(0, 12)}`;
}

/**
 * How a user is called by whoever signs them in: without the host that stands behind the name where another user had it; for one of our own making, what
 * they are called where they are kept.
 */
export function nameThere({ name, subject }: Pick<UserRow, 'name' | 'subject'>): string {
  if (subject === null) return name;
  if (OWN.test(name)) return subject.slice(subject.indexOf(' ') + 1);
  const behind = hostBehind(isProxied(subject) ? PROXY_HOST : providerOf(subject));
  return name.endsWith(behind) ? name.slice(0, -behind.length) : name;
}

/** A user's name as it is kept: letters are composed in one way, whatever keyboard they come from. */
export function userName(typed: string): string {
  return typed.trim().normalize('NFC');
}

/**
 * Fails with `usage` when a user cannot have this name or address, with `conflict` when there is one of this name: what can be said
 * before anybody thinks of a password.
 */
export async function assertAddable(user: Omit<NewUser, 'password'>, { ledger }: Access): Promise<void> {
  const [name, { role, email }] = [userName(user.name), user];
  const refuse = (why: string) => new OfferlineError('usage', why);
  assertLetters(name);
  if (role === 'manager' && email === null)
    throw refuse('A manager sees the feeds of the managers entry with their address: name it with --email.');
  if (email !== null && !z.email().safeParse(email).success)
    throw refuse(`"${email}" is no address: expected one such as anna@example.com.`);
  await assertName(name, ledger.db);
}

/** Fails with `usage` where people would take a name for another one, and with `conflict` when a user has it or one like it. */
export async function assertName(name: string, db: Db): Promise<void> {
  assertLetters(name);
  const refuse = (why: string) => new OfferlineError('usage', why);
  const mixed = mixedScripts(name);
  if (mixed !== null) throw refuse(`"${name}" mixes ${mixed}, whose letters look alike: write it in one script.`);
  if (hasOddScript(name))
    throw refuse(`"${name}" has letters of a script that few people can tell from others: write it in Latin letters.`);
  if (name !== name.normalize('NFKC'))
    throw refuse(`"${name}" has letters of another width or form; write "${name.normalize('NFKC')}".`);
  await assertFree(name, db);
}

function assertLetters(name: string): void {
  if (NAME.test(name)) return;
  const rule = 'letters, digits, "-", "_", "." and "@", beginning with a letter or digit, at most 64 characters';
  throw new OfferlineError('usage', `"${name}" is no name for a user: expected ${rule}.`);
}

/** No two users have names that people take for one another. */
async function assertFree(name: string, db: Db): Promise<void> {
  const others = (await allUsers(db)).map((user) => user.name);
  if (others.includes(name)) throw taken(name);
  const alike = others.find((other) => looksLike(name, other));
  if (alike === undefined) return;
  throw new OfferlineError(
    'conflict',
    `"${name}" looks like the user ${alike}; choose a name that nobody takes for it.`,
  );
}

/** Adds a user. Fails as `assertAddable` does, and with `usage` when the password cannot be used. */
export async function addUser(user: NewUser, by: By, { ledger }: Access): Promise<void> {
  await assertAddable(user, { ledger });
  const { role, email, language, password } = user;
  const name = userName(user.name);
  assertPassword(password, name);
  const hash = await hashPassword(password);
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    const row = { name, role, email, language, password: hash, created_at: at, changed_at: at, disabled_at: null };
    await assertFree(name, trx);
    if (!(await insertUser(trx, row))) throw taken(name);
    await record(trx, { action: 'add-user', name, reason: `role ${role}`, at }, by);
  });
}

/** Fails with `not-found` when there is no user of this name. */
export async function assertUser(typed: string, { ledger }: Access): Promise<void> {
  const name = userName(typed);
  if ((await findUser(ledger.db, name)) === undefined) throw unknown(name);
}

/**
 * Gives a user another password and ends the user's sessions, but the one with the hash `keep`. Fails with `usage` when the password
 * cannot be used.
 */
export async function setPassword(
  { name: typed, password, keep = null }: { name: string; password: string; keep?: string | null },
  by: By,
  { ledger }: Access,
): Promise<void> {
  const name = userName(typed);
  await assertUser(name, { ledger });
  assertPassword(password, name);
  const hash = await hashPassword(password);
  await change(name, { reason: 'password', keep }, by, ledger, (user) => {
    if (user.subject === null) return { password: hash };
    throw new OfferlineError('usage', `${name} signs in with ${providerOf(user.subject)}, and has no password here.`);
  });
}

/**
 * Disables a user and ends their sessions; tokens that they made stay. Fails with `conflict` when the user is disabled already, and
 * for the last administrator.
 */
export async function disableUser(name: string, by: By, { ledger }: Access): Promise<void> {
  await change(name, { reason: 'disabled' }, by, ledger, async (user, trx, at) => {
    const admins = await lockAdmins(trx);
    if (user.disabled_at !== null) throw new OfferlineError('conflict', `${user.name} is disabled already.`);
    if (admins.length === 1 && admins[0] === user.name)
      throw new OfferlineError('conflict', `${user.name} is the last administrator; add another one first.`);
    return { disabled_at: at };
  });
}

/** Lets a disabled user sign in again. Fails with `conflict` when the user is not disabled. */
export async function enableUser(name: string, by: By, { ledger }: Access): Promise<void> {
  await change(name, { reason: 'enabled' }, by, ledger, (user) => {
    if (user.disabled_at === null) throw new OfferlineError('conflict', `${user.name} is not disabled.`);
    return { disabled_at: null };
  });
}

/** Remembers the language that a user reads. */
export async function setLanguage(name: string, language: string, { ledger }: Access): Promise<void> {
  await updateUser(ledger.db, name, { language });
}

/** All users, as they are shown. */
export async function listUsers({ ledger }: Access): Promise<ShownUser[]> {
  return (await allUsers(ledger.db)).map(shown);
}

function shown(row: UserRow): ShownUser {
  const { password: _password, changed_at: _changed, role_lost_at: _lost, ...rest } = row;
  const { totp, totp_step: _step, recovery: _recovery, ...user } = rest;
  return { ...user, factor: totp !== null };
}

type Change = (user: UserRow, trx: Db, at: number) => Partial<UserRow> | Promise<Partial<UserRow>>;

/** Changes a user, ends the user's sessions but the one with the hash `keep`, and records it; all or nothing. */
async function change(
  typed: string,
  { reason, keep = null }: { reason: string; keep?: string | null },
  by: By,
  ledger: Context['ledger'],
  work: Change,
): Promise<void> {
  const at = await ledger.now();
  const name = userName(typed);
  await ledger.transaction(async (trx) => {
    const user = await findUser(trx, name);
    if (user === undefined) throw unknown(name);
    await updateUser(trx, name, { ...(await work(user, trx, at)), changed_at: at });
    await deleteSessionsOf(trx, name, keep);
    await record(trx, { action: 'change-user', name, reason, at }, by);
  });
}

function unknown(name: string): OfferlineError {
  return new OfferlineError('not-found', `There is no user ${name}; \`offerline user list\` shows them.`);
}

function taken(name: string): OfferlineError {
  return new OfferlineError(
    'conflict',
    `There is a user ${name} already; \`offerline user passwd ${name}\` gives them another password.`,
  );
}

type Recorded = { action: 'add-user' | 'change-user'; name: string; reason: string; at: number };

async function record(db: Db, { action, name, reason, at }: Recorded, by: By): Promise<void> {
  await recordDecision(db, { at, action, subject: `user ${name}`, reason, ...by });
}
