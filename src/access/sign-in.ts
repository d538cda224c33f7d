import type { Context } from '../context.ts';
import { countFailures, setFailures, signInsOf, takeFailureBack } from '../ledger/access/sign-ins.ts';
import { findUser, updateUser } from '../ledger/access/users.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { createSession } from './sessions.ts';
import { FORGOTTEN_AFTER, subjectsOf, waitUntil } from './throttle.ts';

/** The token of a new session; or why there is none, and when (epoch milliseconds) it may be tried again. */
export type SignedIn = { session: string } | { refused: string; again: number | null };

const WRONG = 'The name or the password is wrong, or this user is disabled.';

/**
 * Signs a user in. Unknown users, wrong passwords and disabled users look alike and take as long. An attempt is counted before its
 * password is looked at, so that many at once are no way round the limits.
 */
export async function signIn(
  { name, password, address }: { name: string; password: string; address: string | null },
  { ledger, log }: Pick<Context, 'ledger' | 'log'>,
): Promise<SignedIn> {
  const subjects = subjectsOf(name, address);
  const now = await ledger.now();
  const again = await ledger.transaction(async (trx) => {
    const rows = await signInsOf(trx, Object.values(subjects));
    const counted = Object.fromEntries(
      Object.entries(subjects).flatMap(([kind, subject]) => {
        const row = rows.find((one) => one.subject === subject);
        return row === undefined ? [] : [[kind, row]];
      }),
    );
    const end = waitUntil(counted, now);
    const { pair, address: from, user } = subjects;
    if (end === null) await countFailures(trx, [pair, from, user], { at: now, since: now - FORGOTTEN_AFTER });
    return end;
  });
  if (again !== null) {
    log.warn({ address }, 'sign-in refused, too many attempts');
    return { refused: `Too many attempts. Try again in ${Math.ceil((again - now) / 1000)} seconds.`, again };
  }
  const user = await findUser(ledger.db, name);
  const { isRight, rehash } = await verifyPassword(password, user?.disabled_at === null ? user.password : null);
  if (user === undefined || !isRight) {
    log.warn({ address }, 'sign-in refused');
    return { refused: WRONG, again: null };
  }
  await ledger.transaction(async (trx) => {
    await setFailures(trx, subjects.known, 0, now);
    await setFailures(trx, subjects.pair, 0, now);
    for (const subject of [subjects.address, subjects.user]) await takeFailureBack(trx, subject);
  });
  if (rehash) await updateUser(ledger.db, name, { password: await hashPassword(password) });
  return { session: await createSession(name, address, { ledger }) };
}
