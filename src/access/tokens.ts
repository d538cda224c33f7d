import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import {
  allTokens,
  findToken,
  findTokenById,
  insertToken,
  markRevoked,
  replaceSecret,
  usedToken,
} from '../ledger/access/tokens.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import { timeId } from '../ledger/ids.ts';
import type { TokenRole, TokenRow } from '../ledger/schema/schema.ts';
import { isSecretOf, newSecret, secretHash } from './secret.ts';
import type { By } from './users.ts';

type Access = Pick<Context, 'ledger'>;

/** What is shown of a token: never its secret. */
export type ShownToken = Omit<TokenRow, 'secret_hash' | 'scope' | 'former_hash'> & { feeds: string[] | null };

/** A token for a program: how it begins shows scanners of secrets what it is. */
const PREFIX = 'ofl_';
/** The use of a token is written down at most so often, in milliseconds. */
const USED_EVERY = 60_000;

/**
 * Makes a token; its secret is shown this once. `ends`: epoch milliseconds. Fails with `usage` when the name cannot be used, and
 * for some feeds with a role that is about more than feeds, and for one to push without feeds.
 */
export async function addToken(
  token: { name: string; role: TokenRole; feeds: string[] | null; ends: number | null },
  by: By,
  { ledger }: Access,
): Promise<{ id: string; secret: string }> {
  const name = token.name.trim();
  if (name === '' || name.length > 64)
    throw new OfferlineError('usage', 'A token needs a name of at most 64 characters: what it is for.');
  if (token.role === 'push' && (token.feeds ?? []).length === 0)
    throw new OfferlineError('usage', 'A token to push is for some feeds: name them.');
  if (token.feeds !== null && !['viewer', 'manager', 'push'].includes(token.role)) {
    const why = `What the role ${token.role} does concerns whole logins`;
    throw new OfferlineError('usage', `${why}; a token for some feeds has the role viewer or manager.`);
  }
  const at = await ledger.now();
  const [id, secret] = [timeId(at), newSecret(PREFIX)];
  await ledger.transaction(async (trx) => {
    await insertToken(trx, {
      id,
      name,
      secret_hash: secretHash(secret),
      role: token.role,
      scope: token.feeds?.join(',') ?? null,
      created_by: by.who,
      created_at: at,
      expires_at: token.ends,
      used_at: null,
      revoked_at: null,
      former_hash: null,
      former_ends_at: null,
      former_used_at: null,
    });
    const seen = token.feeds === null ? 'all feeds' : `feeds ${token.feeds.join(', ')}`;
    await recordDecision(trx, {
      at,
      action: 'add-token',
      subject: `token ${id}`,
      reason: `${name}: ${token.role}, ${seen}`,
      ...by,
    });
  });
  return { id, secret };
}

/**
 * Gives a token another secret, shown this once; the one that it has stays valid for `overlap` milliseconds besides it, so that a
 * program can change over without a gap. `ends`: when the token ends from now on; null: as before. Fails with `not-found` when there
 * is none that could be used, and with `conflict` while two of its secrets are valid; without `overlap` both end.
 */
export async function rotateToken(
  { id, overlap, ends }: { id: string; overlap: number; ends: number | null },
  by: By,
  { ledger }: Access,
): Promise<{ secret: string; formerEnds: number | null; expires: number | null }> {
  assertIsId(id);
  const at = await ledger.now();
  const secret = newSecret(PREFIX);
  const dates = await ledger.transaction(async (trx) => {
    const found = await findTokenById(trx, id);
    if (found === undefined || isOver(found, at)) throw noToken(id);
    if (overlap > 0 && found.former_ends_at !== null && found.former_ends_at > at)
      throw twoAlready(id, found.former_ends_at);
    const expires = ends ?? found.expires_at;
    const formerEnds = overlap === 0 ? null : Math.min(at + overlap, found.expires_at ?? Infinity);
    const hashes = { from: found.secret_hash, to: secretHash(secret) };
    // Of two who do this at the same moment the second would cut off what uses the first secret.
    if (!(await replaceSecret(trx, id, { ...hashes, formerEnds, expires }))) throw replacedMeanwhile(id);
    const former = formerEnds === null ? 'ends now' : `ends ${new Date(formerEnds).toISOString()}`;
    const reason = `${found.name}: the secret before ${former}`;
    await recordDecision(trx, { at, action: 'rotate-token', subject: `token ${id}`, reason, ...by });
    return { formerEnds, expires };
  });
  return { secret, ...dates };
}

/** Revokes a token for good. Fails with `not-found` when there is none that could be used. */
export async function revokeToken(id: string, by: By, { ledger }: Access): Promise<void> {
  assertIsId(id);
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    if (!(await markRevoked(trx, id, at))) throw noToken(id);
    await recordDecision(trx, { at, action: 'revoke-token', subject: `token ${id}`, reason: 'revoked', ...by });
  });
}

/** Fails with `usage` for the secret of a token: the message of a refusal must not repeat it. */
function assertIsId(id: string): void {
  if (!id.startsWith(PREFIX)) return;
  const advice = 'name it by its id, which `offerline token list` shows';
  throw new OfferlineError('usage', `This is the secret of a token; ${advice}. If others saw it, revoke the token.`);
}

function noToken(id: string): OfferlineError {
  return new OfferlineError(
    'not-found',
    `There is no token ${id} that could be used; \`offerline token list\` shows them.`,
  );
}

/** Whoever still uses the older one would be cut off without a warning. */
function twoAlready(id: string, until: number): OfferlineError {
  const valid = `Token ${id} has two secrets that are valid, the older one until ${new Date(until).toISOString()}`;
  return new OfferlineError(
    'conflict',
    `${valid}. Wait until then, or end both: offerline token rotate ${id} --at-once.`,
  );
}

function replacedMeanwhile(id: string): OfferlineError {
  const advice = '`offerline token list` shows how it stands';
  return new OfferlineError(
    'conflict',
    `Token ${id} was given another secret, or revoked, at the same moment; ${advice}.`,
  );
}

/** Whether a token was revoked, or its time is over. */
export function isOver({ revoked_at: revoked, expires_at: expires }: TokenRow, now: number): boolean {
  return revoked !== null || (expires !== null && expires <= now);
}

/** All tokens as they are shown, the newest first. */
export async function listTokens({ ledger }: Access): Promise<ShownToken[]> {
  return (await allTokens(ledger.db)).map(shown);
}

function shown({ secret_hash: _hash, former_hash: _former, scope, ...token }: TokenRow): ShownToken {
  return { ...token, feeds: feedsIn(scope) };
}

/** A token that a program has shown the secret of. `stale`: its use is to be written down; `former`: it was the secret before the present one. */
export type KnownToken = Pick<TokenRow, 'id' | 'name' | 'role' | 'created_by'> & {
  feeds: string[] | null;
  stale: boolean;
  former?: true;
};

/** The token of a secret; null when it was revoked or replaced, is over, or is none of ours. */
export async function tokenOf(secret: string, { ledger }: Access): Promise<KnownToken | null> {
  if (!secret.startsWith(PREFIX)) return null;
  const found = await findToken(ledger.db, secretHash(secret));
  const now = await ledger.now();
  if (found === undefined || isOver(found, now)) return null;
  const isFormer = !isSecretOf(found.secret_hash, secret);
  if (isFormer && (found.former_ends_at ?? 0) <= now) return null;
  const { id, name, role, scope, created_by } = found;
  const used = isFormer ? found.former_used_at : found.used_at;
  const stale = used === null || now - used >= USED_EVERY;
  return { id, name, role, created_by, feeds: feedsIn(scope), stale, ...(isFormer ? { former: true } : {}) };
}

/** Writes down that the present secret of a token, or the one before, is used, once a minute at most. */
export async function touchToken(id: string, { ledger }: Access, former = false): Promise<void> {
  const at = await ledger.now();
  await usedToken(ledger.db, id, { column: former ? 'former_used_at' : 'used_at', at, since: at - USED_EVERY });
}

/** Whether an address has a secret of a token in it, where logs, histories and others keep it. */
export function hasToken(address: string): boolean {
  return /ofl_[\w-]{43}/u.test(address);
}

function feedsIn(scope: string | null): string[] | null {
  return scope === null ? null : scope.split(',').filter((feed) => feed !== '');
}
