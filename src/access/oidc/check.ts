import * as client from 'openid-client';
import { systemClock } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { claimCheck, deleteSession, findSession, keepRefresh } from '../../ledger/access/sessions.ts';
import { recordRefusal } from '../refusals.ts';
import { secretHash } from '../secret.ts';
import { closeRefresh, openRefresh } from '../sessions.ts';
import { subjectOf } from '../users.ts';
import { checkAfter, claimsOf } from './flow.ts';
import { identityIn } from './identity.ts';
import { keepUser, loseRole } from './keep-user.ts';
import { failureOf, openProvider, providerHost, type Oidc } from './provider.ts';

type Access = Pick<Context, 'ledger' | 'log' | 'config'>;

/** A provider that is away is asked about a session again after so long; milliseconds. */
const AGAIN_AFTER = 60_000;

/** Until when a provider that was away is asked nothing, by the monotonic clock: one page in a minute may wait for it, not each. */
const awayUntil = new WeakMap<Oidc, number>();

/**
 * Asks the provider whether somebody may still be signed in, once it is time to: a session that the provider does not renew ends, and its
 * user gets the role that the provider says. While the provider is away a session goes on for its own time. Nobody else asks
 * meanwhile: most providers end what is renewed twice with the same token.
 */
export async function checkSession({ session }: { session: string }, ctx: Access): Promise<void> {
  const { ledger, config } = ctx;
  const { oidc } = config.web;
  const hash = secretHash(session);
  const found = await findSession(ledger.db, hash);
  const now = await ledger.now();
  if (oidc === undefined || found?.subject == null || found.refresh === null) return;
  if (found.check_at === null || found.check_at > now) return;
  if (!(await claimCheck(ledger.db, hash, { from: found.check_at, to: now + AGAIN_AFTER }))) return;
  if (systemClock.monotonic() < (awayUntil.get(oidc) ?? 0)) return;
  const ended = await renew({ session, subject: found.subject, refresh: found.refresh }, oidc, ctx).catch(
    (error: unknown) => {
      const { kind, reason } = failureOf(error);
      ctx.log.warn({ provider: providerHost(oidc), kind, reason }, 'session could not be renewed by the provider');
      if (kind === 'away') awayUntil.set(oidc, systemClock.monotonic() + AGAIN_AFTER);
      return kind === 'denied' || kind === 'untrusted' ? reason : null;
    },
  );
  if (ended === null) return;
  await deleteSession(ledger.db, hash);
  const what = 'session';
  await recordRefusal({ who: found.name, what, reason: ended, via: 'console', origin: null }, { ledger });
}

/** Has the provider forget what a session that was ended could be renewed with. What it says of that is of no use to anybody. */
export async function forgetAtProvider(
  { session, refresh }: { session: string; refresh: string },
  { config, log }: Pick<Access, 'config' | 'log'>,
): Promise<void> {
  const { oidc } = config.web;
  const token = openRefresh(refresh, session);
  if (oidc === undefined || token === null) return;
  try {
    const configuration = await openProvider(oidc);
    if (configuration.serverMetadata().revocation_endpoint === undefined) return;
    await client.tokenRevocation(configuration, token, { token_type_hint: 'refresh_token' });
  } catch (error) {
    const { reason } = failureOf(error);
    log.warn({ provider: providerHost(oidc), reason }, 'token of an ended session was not revoked');
  }
}

type Renewed = { session: string; subject: string; refresh: string };

/** Renews a session; says why it has ended, null while it goes on. */
async function renew({ session, subject, refresh }: Renewed, oidc: Oidc, { ledger }: Access): Promise<string | null> {
  const token = openRefresh(refresh, session);
  if (token === null) return 'what it is renewed with cannot be read';
  const sub = subject.slice(subjectOf(oidc.issuer, '').length);
  const configuration = await openProvider(oidc);
  const tokens = await client.refreshTokenGrant(configuration, token);
  const now = await ledger.now();
  // Kept first: the token before it is of no use any more, whatever fails below.
  const next = closeRefresh(tokens.refresh_token ?? token, session);
  await keepRefresh(ledger.db, secretHash(session), { refresh: next, check_at: now + checkAfter(tokens) });
  const claims = await claimsOf(tokens, sub, configuration, oidc);
  if (claims === null) return null;
  const { role, ...identity } = identityIn(claims, oidc);
  const host = providerHost(oidc);
  const from = { via: 'console', origin: null } as const;
  if (role === null) {
    await ledger.transaction((trx) => loseRole({ subject, host }, from, trx, now));
    return `${host} gives them no role here any more`;
  }
  await ledger.transaction((trx) => keepUser({ subject, host, identity: { ...identity, role } }, from, trx, now));
  return null;
}
