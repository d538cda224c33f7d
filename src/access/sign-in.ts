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
import { hashPassword, verifyPassword } from './password.ts';
import { createSession } from './sessions.ts';
import { FORGOTTEN_AFTER, subjectsOf, waitUntil } from './throttle.ts';
import { userName } from './users.ts';

/** What somebody typed, and from which address. */
export type Attempt = { name: string; password: string; address: string | null };

/** Why an attempt is refused, and when (epoch milliseconds) it may be tried again; null: at once. */
export type Refusal = { refused: string; again: number | null };

/** The token of a new session; or why there is none. */
export type SignedIn = { session: string } | Refusal;

type Access = Pick<Context, 'ledger' | 'log'>;
type Subjects = ReturnType<typeof subjectsOf>;

const WRONG = 'The name or the password is wrong, or this user is disabled.';

/** Signs a user in. Unknown users, wrong passwords and disabled users look alike and take as long. */
export async function signIn(attempt: Attempt, ctx: Access): Promise<SignedIn> {
  const user = userName(attempt.name);
  const done = await checkPassword(attempt, ctx, (trx, now) =>
    createSession(trx, { user, address: attempt.address, now }),
  );
  return 'refused' in done ? done : { session: done.result };
}

/** Says why a password is not the user's own; null when it is. As limited as signing in: whoever finds an open browser can guess, too. */
export async function confirmPassword(attempt: Attempt, ctx: Access): Promise<Refusal | null> {
  const done = await checkPassword(attempt, ctx, () => Promise.resolve(null));
  return 'refused' in done ? done : null;
}

/**
 * Does `work` for whoever knows the password. An attempt is counted before its password is looked at, so that many at once are no
 * way round the limits.
 */
async function checkPassword<T>(
  { name: typed, password, address }: Attempt,
  { ledger, log }: Access,
  work: (trx: Db, now: number) => Promise<T>,
): Promise<{ result: T } | Refusal> {
  const name = userName(typed);
  const subjects = subjectsOf(name, address);
  const now = await ledger.now();
  const again = await ledger.transaction((trx) => countAttempt(trx, subjects, now));
  if (again !== null) {
    log.warn({ address }, 'sign-in refused, too many attempts');
    return { refused: `Too many attempts. Try again in ${Math.ceil((again - now) / 1000)} seconds.`, again };
  }
  const user = await findUser(ledger.db, name);
  const { isRight, rehash } = await verifyPassword(password, user?.disabled_at === null ? user.password : null);
  const done = user === undefined || !isRight ? null : await settle(user.password, rehash);
  if (done !== null) return done;
  log.warn({ address }, 'sign-in refused');
  return { refused: WRONG, again: null };

  /** Nothing when the user was disabled or got another password while this one was looked at. */
  async function settle(from: string, isOld: boolean): Promise<{ result: T } | null> {
    const to = isOld ? await hashPassword(password) : from;
    return ledger.transaction(async (trx) => {
      if (!(await keepPassword(trx, name, { from, to }))) return null;
      await rememberKnown(trx, subjects.known, now);
      await forgetFailures(trx, subjects.pair);
      await takeFailuresBack(trx, [subjects.address, subjects.user]);
      return { result: await work(trx, now) };
    });
  }
}

/** Counts an attempt as a failure until it is known to be none; gives the time until which it has to wait, and counts none then. */
async function countAttempt(trx: Db, subjects: Subjects, now: number): Promise<number | null> {
  const { pair, address, user } = subjects;
  // Whoever asks at the same moment waits here, and sees what was counted.
  await holdSubjects(trx, [pair, address, user], now);
  const rows = await signInsOf(trx, Object.values(subjects));
  const counted = Object.fromEntries(
    Object.entries(subjects).flatMap(([kind, subject]) => {
      const row = rows.find((one) => one.subject === subject);
      return row === undefined ? [] : [[kind, row]];
    }),
  );
  const end = waitUntil(counted, now);
  if (end === null) await countFailures(trx, [pair, address, user], { at: now, since: now - FORGOTTEN_AFTER });
  else await forgetUncounted(trx, [pair, address, user]);
  return end;
}
