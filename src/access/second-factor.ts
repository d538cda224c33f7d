import { Secret, TOTP } from 'otpauth';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { deleteSessionsOf, passStage } from '../ledger/access/sessions.ts';
import { countFailures, forgetFailures, forgetUncounted, holdSubjects, signInsOf } from '../ledger/access/sign-ins.ts';
import { findUser, updateUser, useRecovery, useStep } from '../ledger/access/users.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import type { Db } from '../ledger/ledger.ts';
import type { UserRow } from '../ledger/schema/schema.ts';
import { knownDevice, withDevice } from './devices.ts';
import { recordRefusal } from './refusals.ts';
import { isSecretOf, newSecret, secretHash } from './secret.ts';
import { stagedUser } from './sessions.ts';
import type { Refusal } from './sign-in.ts';
import { codeSubject, FORGOTTEN_AFTER, waitForCode } from './throttle.ts';
import { assertUser, userName, type By } from './users.ts';

type Access = Pick<Context, 'ledger' | 'log'>;

/** What an app is set up with: the secret, and the same as an address that it scans. */
export type NewFactor = { secret: string; uri: string };

/** A sign-in that is complete. */
export type Confirmed = { session: string; device: string };

const SECRET_BYTES = 20;
/** Codes that are of use once each, for who has lost their app, and the bytes of one. */
const RECOVERY = { codes: 10, bytes: 10 };
/** A code of the half minute before and after is taken: clocks differ, and people type. */
const WINDOW = 1;

/** What a user sets up an app with; nothing is kept before a code of it was right. */
export function newFactor(name: string): NewFactor {
  return factorOf(name, new Secret({ size: SECRET_BYTES }).base32);
}

/** A secret, and the same as an address that apps scan. */
export function factorOf(name: string, secret: string): NewFactor {
  return { secret, uri: appOf(secret, name).toString() };
}

/**
 * Makes an app the second factor of a user, if a code shows that it is set up; gives the recovery codes, shown this once, or null for a wrong code.
 * Another app is in its place then. The user's sessions end, but the one with the hash `keep`. Fails with `usage` for a secret that is none of ours.
 */
export async function enrol(
  { name, secret, code, keep }: { name: string; secret: string; code: string; keep: string },
  by: By,
  { ledger }: Pick<Access, 'ledger'>,
): Promise<string[] | null> {
  return setUp({ name, secret, code }, by, ledger, () => Promise.resolve(keep));
}

/** What came of setting an app up at a sign-in: the recovery codes and the session that begins; or, after a wrong code, what the app is set up with. */
export type Enrolled = { codes: string[]; session: string } | { again: NewFactor };

/**
 * Does the same for a sign-in that waits for it; null: none does, or not any more. The session gets another token: whoever put the one before into the
 * browser of somebody else has not signed in.
 */
export async function enrolAtSignIn(
  { session, secret, code }: { session: string; secret: string; code: string },
  from: Omit<By, 'who'>,
  { ledger }: Pick<Access, 'ledger'>,
): Promise<Enrolled | null> {
  const user = await stagedUser(session, 'enrol', { ledger });
  if (user === null) return null;
  const { name } = user;
  const [next, by] = [newSecret(), { ...from, who: name }];
  let isWaiting = true;
  const codes = await setUp({ name, secret, code }, by, ledger, async (trx) => {
    const hashes = { from: secretHash(session), to: secretHash(next) };
    isWaiting = await passStage(trx, 'enrol', hashes);
    return isWaiting ? hashes.to : null;
  });
  if (codes !== null) return { codes, session: next };
  return isWaiting ? { again: factorOf(name, secret) } : null;
}

/** Sets an app up; null for a wrong code. `claim` gives the hash of the session that stays; null: nothing is to be done any more. */
async function setUp(
  { name, secret, code }: { name: string; secret: string; code: string },
  by: By,
  ledger: Access['ledger'],
  claim: (trx: Db) => Promise<string | null>,
): Promise<string[] | null> {
  if (!/^[A-Z2-7]{32}$/u.test(secret))
    throw new OfferlineError('usage', 'The secret was changed; open the page again.');
  const now = await ledger.now();
  const step = stepOf(appOf(secret, name), code, now);
  if (step === null) return null;
  const codes = Array.from({ length: RECOVERY.codes }, () => grouped(new Secret({ size: RECOVERY.bytes }).base32));
  const recovery = codes.map((one) => secretHash(plain(one))).join(',');
  const isDone = await ledger.transaction(async (trx) => {
    const keep = await claim(trx);
    if (keep === null) return false;
    await updateUser(trx, name, { totp: secret, totp_step: step, recovery, changed_at: now });
    await deleteSessionsOf(trx, name, keep);
    await record(trx, { name, reason: 'set up a second factor', at: now }, by);
    return true;
  });
  return isDone ? codes : null;
}

/**
 * Completes a sign-in with a code of the user's app, or a recovery code; gives the token of the session from now on, and what the browser keeps to be
 * known again. Null: no sign-in waits for one. Each code counts once, and wrong ones are slowed down, however the password became known.
 */
export async function confirmCode(
  { session, code, address, device }: { session: string; code: string; address: string | null; device: string | null },
  { ledger, log }: Access,
): Promise<Confirmed | Refusal | null> {
  const user = await stagedUser(session, 'code', { ledger });
  if (user === null) return null;
  const { name, changed_at: since } = user;
  const now = await ledger.now();
  const subject = codeSubject(name, await knownDevice(ledger.db, name, { device, since }));
  const again = await ledger.transaction((trx) => countTry(trx, subject, now));
  const refuse = (reason: string) =>
    recordRefusal({ who: name, what: 'second factor', reason, via: 'console', origin: address }, { ledger });
  if (again !== null) {
    log.warn({ address }, 'second factor refused, too many attempts');
    await refuse('too many attempts');
    return { refused: `Too many attempts. Try again in ${Math.ceil((again - now) / 1000)} seconds.`, again };
  }
  const done = await ledger.transaction(async (trx) => {
    if (!(await useCode(trx, user, { code, now, address }))) return null;
    await forgetFailures(trx, subject);
    // Another token: whoever put the one before into this browser knows the password, but had no code.
    const next = newSecret();
    if (!(await passStage(trx, 'code', { from: secretHash(session), to: secretHash(next) }))) return null;
    return { session: next, device: await withDevice(trx, { user: name, since, device, now }) };
  });
  if (done !== null) return done;
  log.warn({ address }, 'second factor refused');
  await refuse('wrong code');
  return { refused: 'The code is wrong, or was used before.', again: null };
}

/** Takes a user's second factor away, and ends their sessions. Fails with `not-found` when there is no such user. */
export async function resetFactor(typed: string, by: By, { ledger }: Pick<Access, 'ledger'>): Promise<void> {
  const name = userName(typed);
  await assertUser(name, { ledger });
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    await updateUser(trx, name, { totp: null, totp_step: null, recovery: null, changed_at: at });
    await deleteSessionsOf(trx, name);
    await record(trx, { name, reason: 'second factor taken away', at }, by);
  });
}

/** Uses a code up; false for one that is wrong, or was used before. */
async function useCode(
  trx: Db,
  { name }: UserRow,
  { code, now, address }: { code: string; now: number; address: string | null },
): Promise<boolean> {
  const user = await findUser(trx, name);
  if (user?.totp == null) return false;
  const step = stepOf(appOf(user.totp, name), code, now);
  if (step !== null) return useStep(trx, name, step);
  const recovery = user.recovery ?? '';
  const left = recovery.split(',').filter((hash) => hash !== '');
  const rest = left.filter((hash) => !isSecretOf(hash, plain(code)));
  if (rest.length === left.length) return false;
  if (!(await useRecovery(trx, name, { from: recovery, to: rest.join(',') }))) return false;
  const by = { who: name, via: 'console', origin: address } as const;
  await record(trx, { name, reason: `used a recovery code, ${rest.length} are left`, at: now }, by);
  return true;
}

/** Counts a try as a failure until it is known to be none; gives the time until which it has to wait, and counts none then. */
async function countTry(trx: Db, subject: string, now: number): Promise<number | null> {
  await holdSubjects(trx, [subject], now);
  const [counted] = await signInsOf(trx, [subject]);
  const end = waitForCode(counted, now);
  if (end === null) await countFailures(trx, [subject], { at: now, since: now - FORGOTTEN_AFTER });
  else await forgetUncounted(trx, [subject]);
  return end;
}

function appOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'offerline',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: Secret.fromBase32(secret),
  });
}

/** The half minute that a code is of; null when it is of none that is taken now. */
function stepOf(app: TOTP, code: string, now: number): number | null {
  const token = plain(code);
  if (!/^\d{6}$/u.test(token)) return null;
  const delta = app.validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : app.counter({ timestamp: now }) + delta;
}

/** A code as it is compared, however it was typed. */
function plain(code: string): string {
  return code
    .slice(0, 100)
    .replaceAll(/[\s-]+/gu, '')
    .toLowerCase();
}

function grouped(code: string): string {
  return code.toLowerCase().replaceAll(/.{4}(?=.)/gu, '$&-');
}

async function record(
  db: Db,
  { name, reason, at }: { name: string; reason: string; at: number },
  by: By,
): Promise<void> {
  await recordDecision(db, { at, action: 'change-user', subject: `user ${name}`, reason, ...by });
}
