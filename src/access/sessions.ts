import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { deleteOldSessions, deleteSession, findSession, insertSession, sawSession } from '../ledger/access/sessions.ts';
import { deleteOldSignIns } from '../ledger/access/sign-ins.ts';
import { pruneRefusals } from '../ledger/alerts/audit.ts';
import type { Db } from '../ledger/ledger.ts';
import type { SessionStage, UserRow } from '../ledger/schema/schema.ts';
import { newSecret, secretHash } from './secret.ts';

type Access = Pick<Context, 'ledger'>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A session ends when it was not used for so long, and so long after it began; milliseconds. */
export const SESSION = { idle: 8 * HOUR, whole: 7 * DAY };
/** A sign-in waits so long for what is missing, in milliseconds. */
const STAGE_LASTS = 10 * 60_000;
/** The use of a session is written down at most so often. */
const SAW_EVERY = 60_000;
/** What is known of attempts to sign in is forgotten after so long. */
const FORGET = { failed: DAY, known: 400 * DAY, refused: 90 * DAY };
/** So many refused attempts are kept at most. */
const MOST_REFUSALS = 5000;

/** A user who is signed in. `provider`: who they are to the provider that signed them in, their feeds there, and whether it is to be asked again. */
export type SessionUser = Pick<UserRow, 'name' | 'role' | 'email' | 'language'> & {
  provider?: { subject: string; feeds: string | null; isDue: boolean };
  /** They have a second factor. */
  factor?: true;
};

/** A session that begins. `check`: with what and when a provider is asked whether it may go on; `stage`: what it waits for. */
type NewSession = {
  user: string;
  address: string | null;
  now: number;
  check?: { refresh: string; at: number } | null;
  stage?: SessionStage | null;
};

/** Begins a session at a time of the ledger; gives the token that only the browser keeps. */
export async function createSession(
  db: Db,
  { user, address, now, check = null, stage = null }: NewSession,
): Promise<string> {
  const token = newSecret();
  await insertSession(db, {
    token_hash: secretHash(token),
    user_name: user,
    address,
    created_at: now,
    seen_at: now,
    refresh: check === null ? null : closeRefresh(check.refresh, token),
    check_at: check?.at ?? null,
    stage,
  });
  return token;
}

/** The user of a session, and whether its use is to be written down; null when it has ended or its user is disabled. */
export async function sessionOf(token: string, { ledger }: Access): Promise<(SessionUser & { stale: boolean }) | null> {
  const found = await findSession(ledger.db, secretHash(token));
  if (found === undefined || found.disabled_at !== null || found.stage !== null) return null;
  const now = await ledger.now();
  // Also of a session of a time to come: the clock was wrong then, and has been set back since.
  const [whole, idle] = [Math.abs(now - found.created_at), Math.abs(now - found.seen_at)];
  // Of whom a provider cannot be asked again, it is asked anew after a day's work.
  const longest = found.subject !== null && found.refresh === null ? SESSION.idle : SESSION.whole;
  if (whole >= longest || idle >= SESSION.idle) return null;
  const { name, role, email, language, subject, feeds, check_at: check } = found;
  const factor = found.totp === null ? {} : ({ factor: true } as const);
  const user = { name, role, email, language, stale: now - found.seen_at >= SAW_EVERY, ...factor };
  return subject === null ? user : { ...user, provider: { subject, feeds, isDue: check !== null && check <= now } };
}

/** The user of a sign-in that waits for this; null when none does, or not any more. */
export async function stagedUser(token: string, stage: SessionStage, { ledger }: Access): Promise<UserRow | null> {
  const found = await findSession(ledger.db, secretHash(token));
  if (found === undefined || found.disabled_at !== null || found.stage !== stage) return null;
  return Math.abs((await ledger.now()) - found.seen_at) >= STAGE_LASTS ? null : found;
}

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts what a provider is asked with by the token of the session, which the ledger has no more of than a hash. */
export function closeRefresh(refresh: string, token: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, refreshKey(token), iv);
  const closed = Buffer.concat([cipher.update(refresh, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), closed]).toString('base64url');
}

/** Decrypts it again; null when it was changed, or is of another session. */
export function openRefresh(closed: string, token: string): string | null {
  const bytes = Buffer.from(closed, 'base64url');
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, refreshKey(token), bytes.subarray(0, IV_BYTES)).setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    return null;
  }
}

function refreshKey(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'offerline: what a session is renewed with', 32));
}

/** Writes down that a session is used, once a minute at most. */
export async function touchSession(token: string, { ledger }: Access): Promise<void> {
  const at = await ledger.now();
  await sawSession(ledger.db, secretHash(token), { at, since: at - SAW_EVERY });
}

/** Ends a session; gives what it could have been renewed with at a provider, encrypted as before. */
export async function endSession(token: string, { ledger }: Access): Promise<string | null> {
  const hash = secretHash(token);
  const found = await findSession(ledger.db, hash);
  await deleteSession(ledger.db, hash);
  return found?.refresh ?? null;
}

/** Removes sessions that have ended, what is known of old attempts to sign in, and old refusals. */
export async function pruneAccess({ ledger }: Access): Promise<void> {
  const now = await ledger.now();
  await deleteOldSessions(ledger.db, { created: now - SESSION.whole, seen: now - SESSION.idle });
  await deleteOldSignIns(ledger.db, { failed: now - FORGET.failed, known: now - FORGET.known });
  await pruneRefusals(ledger.db, { before: now - FORGET.refused, most: MOST_REFUSALS });
}
