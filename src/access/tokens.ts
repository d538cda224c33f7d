import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { allTokens, findToken, insertToken, markRevoked, usedToken } from '../ledger/access/tokens.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import { timeId } from '../ledger/ids.ts';
import type { TokenRole, TokenRow } from '../ledger/schema/schema.ts';
import { newSecret, secretHash } from './secret.ts';
import type { By } from './users.ts';

type Access = Pick<Context, 'ledger'>;

/** What is shown of a token: never its secret. */
export type ShownToken = Omit<TokenRow, 'secret_hash' | 'scope'> & { feeds: string[] | null };

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

/** Revokes a token for good. Fails with `not-found` when there is none that could be used. */
export async function revokeToken(id: string, by: By, { ledger }: Access): Promise<void> {
  // The message of a refusal must not repeat it.
  if (id.startsWith(PREFIX)) {
    const advice = 'name it by its id, which `offerline token list` shows';
    throw new OfferlineError('usage', `This is the secret of a token; ${advice}. If others saw it, revoke the token.`);
  }
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    if (!(await markRevoked(trx, id, at)))
      throw new OfferlineError(
        'not-found',
        `There is no token ${id} that could be used; \`offerline token list\` shows them.`,
      );
    await recordDecision(trx, { at, action: 'revoke-token', subject: `token ${id}`, reason: 'revoked', ...by });
  });
}

/** All tokens as they are shown, the newest first. */
export async function listTokens({ ledger }: Access): Promise<ShownToken[]> {
  return (await allTokens(ledger.db)).map(shown);
}

function shown({ secret_hash: _hash, scope, ...token }: TokenRow): ShownToken {
  return { ...token, feeds: feedsIn(scope) };
}

/** The token of a secret, and whether its use is to be written down; null when it was revoked, is over, or is none of ours. */
export async function tokenOf(
  secret: string,
  { ledger }: Access,
): Promise<
  (Pick<TokenRow, 'id' | 'name' | 'role' | 'created_by'> & { feeds: string[] | null; stale: boolean }) | null
> {
  if (!secret.startsWith(PREFIX)) return null;
  const found = await findToken(ledger.db, secretHash(secret));
  if (found === undefined || found.revoked_at !== null) return null;
  const now = await ledger.now();
  if (found.expires_at !== null && found.expires_at <= now) return null;
  const { id, name, role, scope, created_by, used_at: used } = found;
  return { id, name, role, created_by, feeds: feedsIn(scope), stale: used === null || now - used >= USED_EVERY };
}

/** Writes down that a token is used, once a minute at most. */
export async function touchToken(id: string, { ledger }: Access): Promise<void> {
  const at = await ledger.now();
  await usedToken(ledger.db, id, { at, since: at - USED_EVERY });
}

function feedsIn(scope: string | null): string[] | null {
  return scope === null ? null : scope.split(',').filter((feed) => feed !== '');
}
