import { sessionOf } from '../../access/sessions.ts';
import { tokenOf } from '../../access/tokens.ts';
import { feedsOfManager } from '../../access/visitor.ts';
import { isLoopback } from '../../config/loopback.ts';
import { countUsers } from '../../ledger/access/users.ts';
import type { Used } from '../actions/access.ts';
import { askerOf, type Looker, type WebWorld } from '../visit.ts';

/** What a request shows of who sends it. */
export type Shown = { session: string | undefined; authorization: string | null; address: string | null };

/** Who sends a request, and the language that they chose. */
export type Known = { looker: Looker; language: string | null };

/** Who sends a request; null when nobody is known. Only on this machine, while there are no users, everybody may look. */
export async function lookerOf(shown: Shown, world: WebWorld): Promise<Known | null> {
  if (shown.authorization !== null) return ofToken(shown.authorization, shown, world);
  const known = shown.session === undefined ? null : await ofSession(shown.session, shown, world);
  return known ?? ofThisMachine(shown, world);
}

async function ofToken(authorization: string, { address }: Shown, world: WebWorld): Promise<Known | null> {
  const [, secret] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
  const token = secret === undefined ? null : await tokenOf(secret, world.ctx);
  if (token === null) return null;
  const { role, feeds } = token;
  const { id, name } = token;
  const looker: Looker = { name: `token ${name}`, token: id, role, feeds, via: 'api', origin: address, signedIn: true };
  if (token.stale) await seen({ token: id, former: token.former === true }, looker, world);
  return { looker, language: null };
}

async function ofSession(session: string, { address }: Shown, world: WebWorld): Promise<Known | null> {
  const user = await sessionOf(session, world.ctx);
  if (user === null) return null;
  const { name, role, email, language } = user;
  const feeds = role === 'manager' ? feedsOfManager(email, world.ctx.config) : null;
  const looker: Looker = { name, role, feeds, via: 'console', origin: address, signedIn: true };
  if (user.stale) await seen({ session }, looker, world);
  return { looker, language };
}

/** A ledger that cannot be written just now must not keep anybody from reading. */
async function seen(used: Used, looker: Looker, { call }: WebWorld): Promise<void> {
  await call('touch', used, askerOf(looker)).catch(() => undefined);
}

async function ofThisMachine({ address }: Shown, { ctx, loaded }: WebWorld): Promise<Known | null> {
  const { listen, publicUrl } = loaded.config.web;
  const isHere = listen !== null && isLoopback(listen.host);
  const isOnlyHere = publicUrl === undefined || isLoopback(URL.parse(publicUrl)?.hostname ?? '');
  if (!isHere || !isOnlyHere || (await countUsers(ctx.ledger.db)) > 0) return null;
  const looker: Looker = { name: '', role: 'viewer', feeds: null, via: 'console', origin: address, signedIn: false };
  return { looker, language: null };
}
