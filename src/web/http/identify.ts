import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext } from 'hono';
import { languages, openLanguage } from '../../wording/language/language.ts';
import { cookieNames, readCookie, type CookieNames } from '../auth/cookies.ts';
import { lookerOf } from '../auth/looker.ts';
import { proxyHeader } from '../auth/proxied.ts';
import { HEALTH_CHECKS, isForPrograms, type Route } from '../route.ts';
import type { WebWorld } from '../visit.ts';
import type { Asked } from './answer.ts';
import { markKnown } from './connections.ts';
import { continueNow } from './expect.ts';
import { arrivalOf } from './origin.ts';

/** A request of the console's application. */
export type Exchange = HonoContext<{ Bindings: HttpBindings }>;

/** Who asks, and in which language; with the names of the cookies that say so. */
export type Identity = { asked: Omit<Asked, 'request' | 'url'>; names: CookieNames; secure: boolean };

const NO_HEADER = { kind: 'none' } as const;

/** Finds out who sends a request to a route, and in which language they read. `mayKeep`: what a proxy says of them is of now, and is written down. */
export async function identify(c: Exchange, route: Route, world: WebWorld, mayKeep = true): Promise<Identity> {
  const { web, mail } = world.loaded.config;
  const { address, secure, host } = arrivalOf(c.req.raw.headers, c.env.incoming.socket.remoteAddress, web);
  const names = cookieNames(host, secure);
  const authorization = isForPrograms(route) ? (c.req.header('authorization') ?? null) : null;
  const session = readCookie(c, names, 'session');
  // Whether this machine lives does not depend on the ledger, in which users are.
  const header = HEALTH_CHECKS.includes(route.path) ? NO_HEADER : proxyHeader(c.env.incoming, world);
  const shown = { session, authorization, address, header, mayKeep };
  const found = await lookerOf(shown, world);
  const refused = found !== null && 'refused' in found ? found.refused : null;
  const known = found === null || 'refused' in found ? null : found;
  if (known !== null) markKnown(c.env.incoming.socket);
  const chosen = [readCookie(c, names, 'language'), known?.language, mail.language];
  const language = openLanguage(
    chosen.find((name) => typeof name === 'string' && languages().includes(name)) ?? mail.language,
    web.timezone,
  );
  const params = c.req.param() as Record<string, string>;
  const visitor = known?.looker ?? null;
  const device = readCookie(c, names, 'device') ?? null;
  const letBodyCome = () => continueNow(c.env.outgoing);
  const lookAgain = async () => {
    const again = await lookerOf({ ...shown, mayKeep: false }, world);
    return again === null || 'refused' in again ? null : again.looker;
  };
  const flow = readCookie(c, names, 'flow') ?? null;
  const kept = { session: session ?? null, device, flow };
  const asked = { visitor, refused, language, address, ...kept, route, params, letBodyCome, lookAgain };
  return { asked, names, secure };
}
