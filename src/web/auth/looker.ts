import { sessionOf } from '../../access/sessions.ts';
import { tokenOf } from '../../access/tokens.ts';
import { feedsOfManager } from '../../access/visitor.ts';
import { isLoopback } from '../../config/loopback.ts';
import { countUsers } from '../../ledger/access/users.ts';
import type { Looker, WebWorld } from '../visit.ts';

/** What a request shows of who sends it. */
export type Shown = { session: string | undefined; authorization: string | null; address: string | null };

/** Who sends a request; null when nobody is known. Only on this machine, while there are no users, everybody may look. */
export async function lookerOf(
  shown: Shown,
  { ctx, loaded }: WebWorld,
): Promise<(Looker & { language?: string }) | null> {
  const { session, authorization, address: origin } = shown;
  if (authorization !== null) {
    const [, secret] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
    const token = secret === undefined ? null : await tokenOf(secret, ctx);
    if (token === null) return null;
    return { name: `token ${token.name}`, role: token.role, feeds: token.feeds, via: 'api', origin, signedIn: true };
  }
  const user = session === undefined ? null : await sessionOf(session, ctx);
  if (user !== null) {
    const { name, role, email, language } = user;
    const feeds = role === 'manager' ? feedsOfManager(email, ctx.config) : null;
    return { name, role, feeds, via: 'console', origin, signedIn: true, ...(language === null ? {} : { language }) };
  }
  const { listen, publicUrl } = loaded.config.web;
  const isHere = listen !== null && isLoopback(listen.host) && isLocal(publicUrl);
  if (!isHere || (await countUsers(ctx.ledger.db)) > 0) return null;
  return { name: '', role: 'viewer', feeds: null, via: 'console', origin, signedIn: false };
}

function isLocal(publicUrl: string | undefined): boolean {
  return publicUrl === undefined || isLoopback(URL.parse(publicUrl)?.hostname ?? '');
}
