import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { SetCookie } from '../route.ts';

/** What the cookies of a console are called: browsers do not keep those of several ports apart, so the port is part of the name. */
export type CookieNames = Record<SetCookie['name'], string>;

/** `secure`: its users come by https, where browsers protect a cookie by its name. */
export function cookieNames(host: string, secure: boolean): CookieNames {
  const port = URL.parse(`http://${host}`)?.port ?? '';
  const own = secure ? '__Host-offerline' : `offerline${port === '' ? '' : `-${port}`}`;
  return { session: own, language: `${own}-language`, device: `${own}-device`, flow: `${own}-flow` };
}

/** The value of a cookie, if it was sent. */
export function readCookie(c: Context, names: CookieNames, name: SetCookie['name']): string | undefined {
  return getCookie(c, names[name]);
}

/** Sets a cookie for the whole console. A link in a mail leads to a page with its session; a form of another site does not. */
export function writeCookie(c: Context, names: CookieNames, { name, value, maxAge }: SetCookie, secure: boolean): void {
  setCookie(c, names[name], value ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    ...(value === null ? { maxAge: 0 } : maxAge === undefined ? {} : { maxAge }),
  });
}

/** Where a console is asked, as its cookies depend on it. */
type Place = { host: string; secure: boolean };

/** Each link has a cookie of its own, at its own path: a browser may be that of several suppliers. */
function supplierCookie({ host, secure }: Place): string {
  return secure ? '__Secure-offerline-supplier' : `${cookieNames(host, false).session}-supplier`;
}

/** The secret of a link to a supplier's page, as a browser keeps it; null where it keeps none. */
export function readLinkCookie(c: Context, place: Place): string | null {
  return getCookie(c, supplierCookie(place)) ?? null;
}

/** Browsers keep no cookie for longer, in seconds. */
const LONGEST = 400 * 86_400;

/** Has a browser keep the secret of a link for the pages below a path, and send it from these pages only. */
export function writeLinkCookie(
  c: Context,
  place: Place,
  { secret, path, maxAge }: { secret: string; path: string; maxAge: number },
): void {
  setCookie(c, supplierCookie(place), secret, {
    path,
    httpOnly: true,
    sameSite: 'Strict',
    secure: place.secure,
    maxAge: Math.min(LONGEST, Math.floor(maxAge)),
  });
}
