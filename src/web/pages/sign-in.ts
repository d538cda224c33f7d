import { OfferlineError } from '../../errors.ts';
import { html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { Answer, Page } from '../route.ts';
import type { Visit } from '../visit.ts';

/** The form to sign in; whoever is signed in already goes on. */
export async function signInPage({ language, url, visitor }: Visit): Promise<Answer> {
  const to = targetOf(url.searchParams.get('to'));
  return visitor.signedIn ? { redirect: to } : { page: form(language, { to }) };
}

/** Signs in: a new session at each time, so that one which somebody else knows never becomes a user's. */
export async function signIn({ ctx, form: fields, language, visitor, device, call }: Visit): Promise<Answer> {
  const [to, name, password] = [targetOf(fields.get('to')), fields.get('name') ?? '', fields.get('password') ?? ''];
  const result = await call('signIn', { name, password, address: visitor.origin, device });
  if ('session' in result) {
    const { session, device: kept } = result;
    const known = { name: 'device', value: kept, maxAge: LONG } as const;
    return { redirect: to, cookies: [{ name: 'session', value: session }, known] };
  }
  const { again } = result;
  if (again === null)
    return { page: form(language, { to, name, refused: language.say('web.signIn.wrong') }), status: 401 };
  const seconds = Math.max(1, Math.ceil((again - (await ctx.ledger.now())) / 1000));
  return { page: form(language, { to, name, refused: language.say('web.signIn.wait', { seconds }) }), status: 429 };
}

/** Ends the session, wherever else it may be known. */
export async function signOut({ session, call }: Visit): Promise<Answer> {
  if (session !== null) await call('signOut', { session });
  return { redirect: '/sign-in', cookies: [{ name: 'session', value: null }] };
}

/** A year, in seconds. */
const LONG = 31_536_000;

/** Chooses the language of all pages, for this browser and for the user. */
export async function chooseLanguage({ form: fields, visitor, call }: Visit): Promise<Answer> {
  const value = fields.get('language') ?? '';
  if (!/^[a-z]{2}$/u.test(value)) throw new OfferlineError('usage', 'There is no such language.');
  if (visitor.signedIn) await call('setLanguage', { language: value });
  return { redirect: targetOf(fields.get('to')), cookies: [{ name: 'language', value, maxAge: LONG }] };
}

function form(language: Language, { to, name, refused }: { to: string; name?: string; refused?: string }): Page {
  return {
    title: language.say('web.signIn.title'),
    body: html`
      <h1>${language.say('web.signIn.title')}</h1>
      ${refused !== undefined && html`<p class="reason failed" role="alert">${refused}</p>`}
      <form method="post" action="/sign-in" class="narrow">
        <input type="hidden" name="to" value="${to}" />
        <p>
          <label for="name">${language.say('web.signIn.name')}</label>
          <input id="name" name="name" value="${name ?? ''}" autocomplete="username" required autofocus />
        </p>
        <p>
          <label for="password">${language.say('web.signIn.password')}</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
        </p>
        <p><button class="first">${language.say('web.signIn.button')}</button></p>
        <p class="note">${language.say('web.signIn.help')}</p>
      </form>
    `,
  };
}

/** Where to go after something was done: a page of ours that was asked for, else the first. Never an address of somebody else. */
function targetOf(wanted: string | null): string {
  const url = wanted === null || !wanted.startsWith('/') ? null : URL.parse(wanted, 'http://console');
  // Browsers read `//host` as another host, and `/.//host` becomes that.
  if (url === null || url.origin !== 'http://console' || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
