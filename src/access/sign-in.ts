import type { Context } from '../context.ts';
import {
  countFailures,
  forgetFailures,
  forgetUncounted,
  holdSubjects,
  rememberKnown,
  signInsOf,
  takeFailuresBack,
} from '../ledger/access/sign-ins.ts';
import { findUser, keepPassword } from '../ledger/access/users.ts';
import type { Db } from '../ledger/ledger.ts';
import type { Role, UserRow } from '../ledger/schema/schema.ts';
import { hashPassword, verifyPassword } from './passwords/password.ts';
import { knownDevice, withDevice } from './devices.ts';
import { recordRefusal } from './refusals.ts';
import { createSession } from './sessions.ts';
import { countedKinds, FORGOTTEN_AFTER, subjectsOf, waitUntil } from './throttle.ts';
import { userName } from './users.ts';

/** What somebody typed, from which address, and what their browser keeps of earlier sign-ins. */
export type Attempt = { name: string; password: string; address: string | null; device: string | null };

/** Why an attempt is refused, and when (epoch milliseconds) it may be tried again; null: at once. */
export type Refusal = { refused: string; again: number | null };

/**
 * The token of a new session, what it waits for before it counts, and what the browser keeps to be known again; or why there is none. A browser is known
 * only once nothing is missing.
 */
export type SignedIn =
  { session: string; device: string; stage: 'enrol' | null } | { session: string; stage: 'code' } | Refusal;

type Access = Pick<Context, 'ledger' | 'log'>;
type Subjects = ReturnType<typeof subjectsOf>;

const WRONG = 'The name or the password is wrong, or this user is disabled.';

/**
 * Signs a user in. Unknown users, wrong passwords and disabled users look alike and take as long. `secondFactor`: the roles that need one; whoever has
 * one is asked for it whatever their role.
 */
export async function signIn(attempt: Attempt, ctx: Access, secondFactor: readonly Role[] = []): Promise<SignedIn> {
  const user = userName(attempt.name);
  const done = await checkPassword<SignedIn>(attempt, 'sign-in', ctx, async (trx, now, since) => {
    const { address, device } = attempt;
    const { totp, role } = (await findUser(trx, user))!;
    if (totp !== null) {
      const stage = 'code';
      return { session: await createSession(trx, { user, address, now, stage }), stage };
    }
    const stage = secondFactor.includes(role) ? 'enrol' : null;
    const session = await createSession(trx, { user, address, now, stage });
    return { session, device: await withDevice(trx, { user, since, device, now }), stage };
  });
  return 'refused' in done ? done : done.result;
}

/** Says why a password is not the user's own; null when it is. As limited as signing in: whoever finds an open browser can guess, too. */
export async function confirmPassword(attempt: Attempt, ctx: Access): Promise<Refusal | null> {
  const done = await checkPassword(attempt, 'password', ctx, () => Promise.resolve(null));
  return 'refused' in done ? done : null;
}

/**
 * Does `work` for whoever knows the password. An attempt is counted before its password is looked at, so that many at once are no
 * way round the limits.
 */
async function checkPassword<T>(
  { name: typed, password, address, device }: Attempt,
  what: 'sign-in' | 'password',
  { ledger, log }: Access,
  work: (trx: Db, now: number, since: number) => Promise<T>,
): Promise<{ result: T } | Refusal> {
  const name = userName(typed);
  const now = await ledger.now();
  const user = await findUser(ledger.db, name);
  const since = user?.changed_at ?? 0;
  const subjects = subjectsOf(name, address, { token: await knownDevice(ledger.db, name, { device, since }), since });
  const again = await ledger.transaction((trx) => countAttempt(trx, subjects, now));
  const refused = (reason: string) =>
    recordRefusal({ who: user?.name ?? null, what, reason, via: 'console', origin: address }, { ledger });
  if (again !== null) {
    log.warn({ address }, 'sign-in refused, too many attempts');
    await refused('too many attempts');
    return { refused: `Too many attempts. Try again in ${Math.ceil((again - now) / 1000)} seconds.`, again };
  }
  const { isRight, rehash } = await verifyPassword(password, hasPassword(user) ? user.password : null);
  const done = user === undefined || !isRight ? null : await settle(user.password, rehash);
  if (done !== null) return done;
  log.warn({ address }, 'sign-in refused');
  await refused(user !== undefined && user.disabled_at !== null ? 'the user is disabled' : 'wrong name or password');
  return { refused: WRONG, again: null };

  /** Nothing when the user was disabled or got another password while this one was looked at. */
  async function settle(from: string, isOld: boolean): Promise<{ result: T } | null> {
    const to = isOld ? await hashPassword(password) : from;
    return ledger.transaction(async (trx) => {
      if (!(await keepPassword(trx, name, { from, to }))) return null;
      const isKnown = (await signInsOf(trx, [subjects.device])).length > 0;
      await rememberKnown(trx, subjects.known, now);
      await forgetFailures(trx, isKnown ? subjects.guesses : subjects.pair);
      if (!isKnown) await takeFailuresBack(trx, [subjects.address, subjects.user]);
      return { result: await work(trx, now, since) };
    });
  }
}

/** Whether somebody may sign in with a password: whom a provider signs in has none. */
function hasPassword(user: UserRow | undefined): user is UserRow {
  return user !== undefined && user.disabled_at === null && user.subject === null;
}

/** Counts an attempt as a failure until it is known to be none; gives the time until which it has to wait, and counts none then. */
async function countAttempt(trx: Db, subjects: Subjects, now: number): Promise<number | null> {
  const [device] = await signInsOf(trx, [subjects.device]);
  const held = countedKinds(device === undefined ? {} : { device }).map((kind) => subjects[kind]);
  // Whoever asks at the same moment waits here, and sees what was counted.
  await holdSubjects(trx, held, now);
  const rows = await signInsOf(trx, Object.values(subjects));
  const counted = Object.fromEntries(
    Object.entries(subjects).flatMap(([kind, subject]) => {
      const row = rows.find((one) => one.subject === subject);
      return row === undefined ? [] : [[kind, row]];
    }),
  );
  const end = waitUntil(counted, now);
  if (end === null) await countFailures(trx, held, { at: now, since: now - FORGOTTEN_AFTER });
  else await forgetUncounted(trx, held);
  return end;
}
