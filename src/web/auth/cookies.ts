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
