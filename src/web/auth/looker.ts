import { sessionOf, type SessionUser } from '../../access/sessions.ts';
import { tokenOf } from '../../access/tokens.ts';
import { canSignIn, isProxied } from '../../access/users.ts';
import { feedsOfUser } from '../../access/visitor.ts';
import type { ProxyHeader, ProxyRefusal } from '../../access/proxy.ts';
import { isLoopback } from '../../config/loopback.ts';
import { countUsers } from '../../ledger/access/users.ts';
import type { Used } from '../actions/access.ts';
import { askerOf, type Looker, type WebWorld } from '../visit.ts';
import { ofProxy } from './proxied.ts';

/** What a request shows of who sends it. */
export type Shown = {
  session: string | undefined;
  authorization: string | null;
  address: string | null;
  /** What the proxy says, where it signs users in. */
  header: ProxyHeader;
  /** Whether the request has just come, so that what the proxy says is written down: a stream says for long what it said at first. */
  mayKeep: boolean;
};

/** Who sends a request, and the language that they chose. */
export type Known = { looker: Looker; language: string | null };

/**
 * Who sends a request; null when nobody is known. Whom the proxy names is nobody else, whatever session the browser has. Only on this machine, while
 * there are no users, everybody may look.
 */
export async function lookerOf(shown: Shown, world: WebWorld): Promise<Known | { refused: ProxyRefusal } | null> {
  if (shown.authorization !== null) return ofToken(shown.authorization, shown, world);
  if (shown.header.kind === 'odd') return { refused: 'odd' };
  if (shown.header.kind === 'said') return ofProxy(shown.header, shown, world);
  // Whose header it was cannot be told any more, nor whether the session beside it counts.
  if (shown.header.kind === 'gone') return null;
  const known = shown.session === undefined ? null : await ofSession(shown.session, shown, world);
  return known ?? ofThisMachine(shown, world);
}

async function ofToken(authorization: string, { address }: Shown, world: WebWorld): Promise<Known | null> {
  const [, secret] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
  const token = secret === undefined ? null : await tokenOf(secret, world.ctx);
  if (token === null) return null;
  const { role, feeds } = token;
  const { id, name, created_by: owner } = token;
  const asked = { role, feeds, via: 'api', origin: address, signedIn: true } as const;
  const looker: Looker = { name: `token ${name}`, token: id, owner, ...asked };
  if (token.stale) await seen({ token: id, former: token.former === true }, looker, world);
  return { looker, language: null };
}

async function ofSession(session: string, { address }: Shown, world: WebWorld): Promise<Known | null> {
  const user = await checked(session, world, address);
  if (user === null || !mayBeSignedIn(user, world)) return null;
  const { name, role, language, email, provider } = user;
  const feeds = feedsOfUser({ role, email, feeds: provider?.feeds ?? null }, world.ctx.config);
  const by = provider === undefined ? {} : { provider: provider.subject };
  const looker: Looker = { name, role, feeds, via: 'console', origin: address, signedIn: true, ...by };
  if (user.stale) await seen({ session }, looker, world);
  return { looker, language };
}

/** A page waits for the provider so long at most, in milliseconds: what it says later counts for the next one. */
const LONGEST_WAIT = 2000;

/** The user of a session, of whom the provider was asked first where it is time to. */
async function checked(session: string, world: WebWorld, address: string | null) {
  const user = await sessionOf(session, world.ctx);
  if (user?.provider?.isDue !== true) return user;
  const asker = { who: user.name, via: 'console', origin: address } as const;
  const asked = world.call('checkSession', { session }, asker).catch(() => undefined);
  const waited = new AbortController();
  await Promise.race([asked, world.ctx.clock.wait(LONGEST_WAIT, waited.signal)]);
  waited.abort();
  return sessionOf(session, world.ctx);
}

/** Whether the configuration still lets a user be signed in: by the provider that did, or by a password and what their role needs besides. */
function mayBeSignedIn({ provider, factor, role }: SessionUser, { loaded }: WebWorld): boolean {
  const { web } = loaded.config;
  if (provider !== undefined) return !isProxied(provider.subject) && canSignIn(provider.subject, web);
  return canSignIn(null, web) && (factor === true || !web.secondFactor.includes(role));
}

/** A ledger that cannot be written just now must not keep anybody from reading. */
async function seen(used: Used, looker: Looker, { call }: WebWorld): Promise<void> {
  await call('touch', used, askerOf(looker)).catch(() => undefined);
}

async function ofThisMachine({ address }: Shown, { ctx, loaded }: WebWorld): Promise<Known | null> {
  const { listen, publicUrl, oidc, proxy } = loaded.config.web;
  if (oidc !== undefined || proxy !== undefined) return null;
  const isHere = listen !== null && isLoopback(listen.host);
  const isOnlyHere = publicUrl === undefined || isLoopback(URL.parse(publicUrl)?.hostname ?? '');
  if (!isHere || !isOnlyHere || (await countUsers(ctx.ledger.db)) > 0) return null;
  const looker: Looker = { name: '', role: 'viewer', feeds: null, via: 'console', origin: address, signedIn: false };
  return { looker, language: null };
}
