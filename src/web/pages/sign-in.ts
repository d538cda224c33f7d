import type { Refusal } from '../../access/oidc/flow.ts';
import { isProxied } from '../../access/users.ts';
import { passwordsCount } from '../../config/local-users.ts';
import type { Config } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { targetOf } from '../parts/target.ts';
import type { Answer, Page, SetCookie } from '../route.ts';
import type { Visit } from '../visit.ts';

/** The form to sign in; whoever is signed in already goes on. */
export async function signInPage({ language, url, visitor, ctx }: Visit): Promise<Answer> {
  const to = targetOf(url.searchParams.get('to'));
  const { oidc, proxy } = ctx.config.web;
  if (isProxied(visitor.provider) && url.searchParams.has('out'))
    return { page: proxiedPage(language, proxy?.signOutUrl) };
  if (visitor.signedIn) return { redirect: to };
  const why = REFUSALS.find((one) => one === url.searchParams.get('refused'));
  const host = oidc === undefined ? '' : providerHost(oidc);
  const refused =
    why === undefined || oidc === undefined ? {} : { refused: language.say(`web.provider.${why}`, { host }) };
  const isOut = oidc !== undefined && url.searchParams.has('out');
  return { page: form(language, ctx.config.web, { to, isOut, ...refused }) };
}

/** Who is signed in by the proxy cannot be signed out here, where its next request comes with the same header. */
function proxiedPage({ say }: Language, signOutUrl: string | undefined): Page {
  return {
    title: say('web.signOut'),
    body: html`<h1>${say('web.signOut')}</h1>
      <p class="notice" role="status">${say('web.proxy.out')}</p>
      ${signOutUrl !== undefined && html`<p><a class="button first" href="${signOutUrl}">${say('web.proxy.outThere')}</a></p>`}
      <p><a href="/">${say('web.toStart')}</a></p>`,
  };
}

/** Why a provider has not signed somebody in. */
const REFUSALS: readonly Refusal[] = ['away', 'denied', 'untrusted', 'setup', 'noRole', 'disabled', 'stale'];

/** The host of the provider, as people know it. */
function providerHost({ issuer }: NonNullable<Config['web']['oidc']>): string {
  return URL.parse(issuer)?.host ?? issuer;
}

/** Signs in: a new session at each time, so that one which somebody else knows never becomes a user's. */
export async function signIn({ ctx, form: fields, language, visitor, device, call }: Visit): Promise<Answer> {
  const [to, name, password] = [targetOf(fields.get('to')), fields.get('name') ?? '', fields.get('password') ?? ''];
  const { web } = ctx.config;
  // A session beside the header would never count.
  if (isProxied(visitor.provider)) return { redirect: to };
  if (!passwordsCount(web))
    return { page: form(language, web, { to, refused: onlyThere(language, web) }), status: 403 };
  const result = await call('signIn', { name, password, address: visitor.origin, device });
  if ('session' in result) {
    const known = 'device' in result ? [keepDevice(result.device)] : [];
    const next = result.stage === null ? to : `/sign-in/${result.stage}?to=${encodeURIComponent(to)}`;
    return { redirect: next, cookies: [{ name: 'session', value: result.session }, ...known] };
  }
  const { again } = result;
  if (again === null)
    return { page: form(language, web, { to, name, refused: language.say('web.signIn.wrong') }), status: 401 };
  const seconds = Math.max(1, Math.ceil((again - (await ctx.ledger.now())) / 1000));
  return {
    page: form(language, web, { to, name, refused: language.say('web.signIn.wait', { seconds }) }),
    status: 429,
  };
}

/** Ends the session, wherever else it may be known. */
export async function signOut({ session, visitor, call }: Visit): Promise<Answer> {
  if (session !== null) await call('signOut', { session });
  return {
    redirect: visitor.provider === undefined ? '/sign-in' : '/sign-in?out=yes',
    cookies: [{ name: 'session', value: null }],
  };
}

/** A year, in seconds. */
const LONG = 31_536_000;

/** What has a browser known again that a user has signed in with. */
export function keepDevice(value: string): SetCookie {
  return { name: 'device', value, maxAge: LONG };
}

/** Chooses the language of all pages, for this browser and for the user. */
export async function chooseLanguage({ form: fields, visitor, call }: Visit): Promise<Answer> {
  const value = fields.get('language') ?? '';
  if (!/^[a-z]{2}$/u.test(value)) throw new OfferlineError('usage', 'There is no such language.');
  if (visitor.signedIn) await call('setLanguage', { language: value });
  return { redirect: targetOf(fields.get('to')), cookies: [{ name: 'language', value, maxAge: LONG }] };
}

/** Who signs users in where passwords do not count. */
function onlyThere({ say }: Language, { oidc }: Config['web']): string {
  return oidc === undefined ? say('web.proxy.onlyThere') : say('web.provider.onlyThere', { host: providerHost(oidc) });
}

type Shown = { to: string; name?: string; refused?: string; isOut?: boolean };

function form(language: Language, web: Config['web'], { to, name, refused, isOut }: Shown): Page {
  const { say } = language;
  const { oidc } = web;
  const isShut = oidc === undefined && refused === undefined && !passwordsCount(web);
  const host = oidc === undefined ? '' : providerHost(oidc);
  return {
    title: say('web.signIn.title'),
    body: html`
      <h1>${say('web.signIn.title')}</h1>
      ${refused !== undefined && html`<p class="reason failed" role="alert">${refused}</p>`}
      ${isShut && html`<p class="notice" role="status">${onlyThere(language, web)}</p>`}
      ${
        isOut === true &&
        html`<p class="notice" role="status">
          ${say('web.provider.out', { host })}
          <a href="/sign-out/provider">${say('web.provider.outThere', { host })}</a>
        </p>`
      }
      ${
        oidc !== undefined &&
        html`<p>
          <a class="button first" href="/sign-in/provider?to=${encodeURIComponent(to)}"
            >${say('web.provider.button', { host })}</a
          >
        </p>`
      }
      ${passwordsCount(web) && passwordForm(language, { to, name, isFirst: oidc === undefined })}
    `,
  };
}

type Typed = { to: string; name: string | undefined; isFirst: boolean };

function passwordForm({ say }: Language, { to, name, isFirst }: Typed): Html {
  return html`${!isFirst && html`<h2>${say('web.provider.local')}</h2>`}
    <form method="post" action="/sign-in" class="narrow">
      <input type="hidden" name="to" value="${to}" />
      <p>
        <label for="name">${say('web.signIn.name')}</label>
        <input
          id="name"
          name="name"
          value="${name ?? ''}"
          autocomplete="username"
          required
          ${isFirst && html`autofocus`}
        />
      </p>
      <p>
        <label for="password">${say('web.signIn.password')}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
      </p>
      <p><button class="${isFirst && 'first'}">${say('web.signIn.button')}</button></p>
      <p class="note">${say('web.signIn.help')}</p>
    </form>`;
}
