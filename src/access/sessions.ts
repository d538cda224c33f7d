import type { Context } from '../context.ts';
import { deleteOldSessions, deleteSession, findSession, insertSession, sawSession } from '../ledger/access/sessions.ts';
import { deleteOldSignIns } from '../ledger/access/sign-ins.ts';
import { deleteOldLinks } from '../ledger/access/supplier-links.ts';
import { pruneRefusals } from '../ledger/alerts/audit.ts';
import type { Db } from '../ledger/ledger.ts';
import type { UserRow } from '../ledger/schema/schema.ts';
import { newSecret, secretHash } from './secret.ts';

type Access = Pick<Context, 'ledger'>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A session ends when it was not used for so long, and so long after it began; milliseconds. */
export const SESSION = { idle: 8 * HOUR, whole: 7 * DAY };
/** The use of a session is written down at most so often. */
const SAW_EVERY = 60_000;
/** What is known of attempts to sign in is forgotten after so long. */
const FORGET = { failed: DAY, known: 400 * DAY, refused: 90 * DAY };
/** Links to pages of suppliers are shown for so long after their end. */
const LINKS_SHOWN = 90 * DAY;
/** So many refused attempts are kept at most. */
const MOST_REFUSALS = 5000;

/** A user who is signed in. */
export type SessionUser = Pick<UserRow, 'name' | 'role' | 'email' | 'language'>;

/** Begins a session at a time of the ledger; gives the token that only the browser keeps. */
export async function createSession(
  db: Db,
  { user, address, now }: { user: string; address: string | null; now: number },
): Promise<string> {
  const token = newSecret();
  await insertSession(db, {
    token_hash: secretHash(token),
    user_name: user,
    address,
    created_at: now,
    seen_at: now,
  });
  return token;
}

/** The user of a session, and whether its use is to be written down; null when it has ended or its user is disabled. */
export async function sessionOf(token: string, { ledger }: Access): Promise<(SessionUser & { stale: boolean }) | null> {
  const found = await findSession(ledger.db, secretHash(token));
  if (found === undefined || found.disabled_at !== null) return null;
  const now = await ledger.now();
  // Also of a session of a time to come: the clock was wrong then, and has been set back since.
  const [whole, idle] = [Math.abs(now - found.created_at), Math.abs(now - found.seen_at)];
  if (whole >= SESSION.whole || idle >= SESSION.idle) return null;
  const { name, role, email, language } = found;
  return { name, role, email, language, stale: now - found.seen_at >= SAW_EVERY };
}

/** Writes down that a session is used, once a minute at most. */
export async function touchSession(token: string, { ledger }: Access): Promise<void> {
  const at = await ledger.now();
  await sawSession(ledger.db, secretHash(token), { at, since: at - SAW_EVERY });
}

/** Ends a session. */
export async function endSession(token: string, { ledger }: Access): Promise<void> {
  await deleteSession(ledger.db, secretHash(token));
}

/** Removes sessions and links to pages of suppliers that have ended, what is known of old attempts to sign in, and old refusals. */
export async function pruneAccess({ ledger }: Access): Promise<void> {
  const now = await ledger.now();
  await deleteOldSessions(ledger.db, { created: now - SESSION.whole, seen: now - SESSION.idle });
  await deleteOldSignIns(ledger.db, { failed: now - FORGET.failed, known: now - FORGET.known });
  await deleteOldLinks(ledger.db, now - LINKS_SHOWN);
  await pruneRefusals(ledger.db, { before: now - FORGET.refused, most: MOST_REFUSALS });
}
