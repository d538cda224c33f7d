import { rememberKnown, signInsOf } from '../ledger/access/sign-ins.ts';
import type { Db } from '../ledger/ledger.ts';
import { newSecret } from './secret.ts';
import { subjectsOf } from './throttle.ts';

/** So many users may share a browser; of more, those who signed in last are known. */
const MOST = 4;

/** The tokens in what a browser keeps of earlier sign-ins. The ledger says whether one is of a user: nobody can make one up. */
function deviceTokens(kept: string | null): string[] {
  return (kept ?? '')
    .split('.')
    .slice(0, MOST)
    .filter((token) => /^[\w-]{43}$/u.test(token));
}

/**
 * Remembers that a user has signed in with a browser, until the user is changed (`since`); answers with what it keeps from now on, the
 * user's token first.
 */
export async function withDevice(
  trx: Db,
  { user, since, device, now }: { user: string; since: number; device: string | null; now: number },
): Promise<string> {
  const kept = deviceTokens(device);
  const subjectOf = (token: string) => subjectsOf(user, null, { token, since }).device;
  const known = await signInsOf(trx, kept.map(subjectOf));
  const token = kept.find((one) => known.some(({ subject }) => subject === subjectOf(one))) ?? newSecret();
  await rememberKnown(trx, subjectOf(token), now);
  return [token, ...kept.filter((one) => one !== token)].slice(0, MOST).join('.');
}

/** The token of a browser that the user has signed in with before; an empty one when it is none. */
export async function knownDevice(
  db: Db,
  user: string,
  { device, since }: { device: string | null; since: number },
): Promise<string> {
  for (const token of deviceTokens(device)) {
    if ((await signInsOf(db, [subjectsOf(user, null, { token, since }).device])).length > 0) return token;
  }
  return '';
}
