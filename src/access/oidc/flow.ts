import * as client from 'openid-client';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { places } from '../../io/places.ts';
import { recordRefusal } from '../refusals.ts';
import { createSession } from '../sessions.ts';
import { subjectOf } from '../users.ts';
import { identityIn, saysRoles, type Claims } from './identity.ts';
import { keepUser, loseRole } from './keep-user.ts';
import { failureOf, openProvider, providerHost, type Failure, type Oidc } from './provider.ts';

type Access = Pick<Context, 'ledger' | 'log' | 'config'>;

/** Why nobody was signed in; the sign-in page has words for each. */
export type Refusal = Failure['kind'] | 'noRole' | 'disabled' | 'stale';

/** What a browser keeps while its user is at the provider: nothing of it is of use to anybody else. */
const flow = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });

/** So many are signed in at the same time: each asks the provider several times. */
const AT_A_TIME = places(8);
/** How long somebody waits for a place, in milliseconds. */
const LONGEST_WAIT = 10_000;
/** A session is asked about after the time that its access lasts, within these bounds; seconds. */
const CHECK = { least: 60, most: 3600 };

/** The address at the provider where somebody signs in, and what their browser keeps until they are back. `to`: where they go then. */
export async function beginSignIn(
  { to }: { to: string },
  ctx: Access,
): Promise<{ url: string; flow: string } | { refused: Refusal }> {
  return withProvider(ctx, async (configuration, oidc) => {
    const kept = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      to,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callbackOf(ctx).href,
      scope: oidc.scopes.join(' '),
      state: kept.state,
      nonce: kept.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow: Buffer.from(JSON.stringify(kept)).toString('base64url') };
  });
}

/**
 * Signs in whom the provider sent back with `search`, and gives the session and where they go. `kept`: what their browser kept, without
 * which somebody else may have begun this.
 */
export async function finishSignIn(
  { search, kept, address }: { search: string; kept: string | null; address: string | null },
  ctx: Access,
): Promise<{ session: string; to: string } | { refused: Refusal }> {
  const begun = readFlow(kept);
  const refuse = (refused: Refusal, reason: string, who: string | null = null) =>
    refuseSignIn({ refused, reason, who, address }, ctx);
  if (begun === null) return refuse('stale', 'the sign-in was not begun in this browser');
  return withProvider(
    ctx,
    async (configuration, oidc) => {
      const came = callbackOf(ctx);
      came.search = search;
      const tokens = await client.authorizationCodeGrant(configuration, came, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      });
      const claims = await claimsOf(tokens, null, configuration, oidc);
      const { role, ...identity } = identityIn(claims ?? {}, oidc);
      const { ledger } = ctx;
      const now = await ledger.now();
      const who = { subject: subjectOf(oidc.issuer, String(claims?.['sub'])), host: providerHost(oidc) };
      const from = { via: 'console', origin: address } as const;
      if (role === null) {
        await ledger.transaction((trx) => loseRole(who, from, trx, now));
        return refuse('noRole', `${who.host} gives them no role here`);
      }
      const done = await ledger.transaction(async (trx) => {
        const user = await keepUser({ ...who, identity: { ...identity, role } }, from, trx, now);
        if (user.disabled_at !== null) return { disabled: user.name };
        const { refresh_token: refresh = null } = tokens;
        const check = refresh === null ? null : { refresh, at: now + checkAfter(tokens) };
        return { session: await createSession(trx, { user: user.name, address, now, check }), to: begun.to };
      });
      return 'disabled' in done ? refuse('disabled', 'the user is disabled', done.disabled) : done;
    },
    (refused, reason) => refuse(refused, reason),
  );
}

/** The address where somebody signs out at the provider as well; null where it has none. */
export async function endAtProvider(ctx: Access): Promise<{ url: string | null } | { refused: Refusal }> {
  return withProvider(ctx, async (configuration): Promise<{ url: string | null }> => {
    const { end_session_endpoint: end } = configuration.serverMetadata();
    if (end === undefined) return { url: null };
    const back = new URL('/sign-in', callbackOf(ctx)).href;
    const url = client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back });
    return { url: url.href };
  });
}

/**
 * What a provider claims with its tokens: in the ID token and, where that says nothing of roles, when it is asked for more. `subject`:
 * whom it must be about; null: whom the ID token is about. Null: it said nothing of anybody.
 */
export async function claimsOf(
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  subject: string | null,
  configuration: client.Configuration,
  oidc: Oidc,
): Promise<Claims | null> {
  const said: Claims | undefined = tokens.claims();
  const sub = subject ?? String(said?.['sub']);
  if (said !== undefined && said['sub'] !== sub) throw new Error('its ID token is about somebody else');
  const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
  if (!canAsk || (said !== undefined && saysRoles(said, oidc))) return said ?? null;
  return { ...said, ...(await client.fetchUserInfo(configuration, tokens.access_token, sub)) };
}

/** Milliseconds after which the provider is asked again whether somebody may still be signed in. */
export function checkAfter({
  expires_in: lasts = CHECK.most,
}: Pick<client.TokenEndpointResponse, 'expires_in'>): number {
  return Math.min(CHECK.most, Math.max(CHECK.least, lasts)) * 1000;
}

/** Where the provider sends browsers back to: never what a request says of the address that it came to. */
function callbackOf({ config: { web } }: Access): URL {
  return new URL('/sign-in/callback', web.publicUrl);
}

function readFlow(kept: string | null): z.output<typeof flow> | null {
  try {
    return flow.parse(JSON.parse(Buffer.from(kept ?? '', 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

async function withProvider<Done>(
  { config: { web }, log }: Access,
  work: (configuration: client.Configuration, oidc: Oidc) => Promise<Done>,
  refuse: (kind: Refusal, reason: string) => Promise<{ refused: Refusal }> = (refused) => Promise.resolve({ refused }),
): Promise<Done | { refused: Refusal }> {
  const { oidc } = web;
  if (oidc === undefined) return { refused: 'stale' };
  let leave: (() => void) | undefined;
  try {
    leave = await AT_A_TIME.take(AbortSignal.timeout(LONGEST_WAIT));
    return await work(await openProvider(oidc), oidc);
  } catch (error) {
    const { kind, reason } = leave === undefined ? BUSY : failureOf(error);
    log.warn({ provider: providerHost(oidc), kind, reason }, 'sign-in by the provider failed');
    return refuse(kind, reason);
  } finally {
    leave?.();
  }
}

const BUSY = { kind: 'away', reason: 'too many are being signed in' } as const;

async function refuseSignIn(
  { refused, reason, who, address }: { refused: Refusal; reason: string; who: string | null; address: string | null },
  { ledger }: Access,
): Promise<{ refused: Refusal }> {
  await recordRefusal({ who, what: 'sign-in', reason, via: 'console', origin: address }, { ledger });
  return { refused };
}
