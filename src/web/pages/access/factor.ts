import { encode } from 'uqr';
import type { NewFactor } from '../../../access/second-factor.ts';
import { OfferlineError } from '../../../errors.ts';
import { html, type Html } from '../../../wording/html.ts';
import type { Language, MessageKey } from '../../../wording/language/language.ts';
import { targetOf } from '../../parts/target.ts';
import type { Answer, Page } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { keepDevice } from '../sign-in.ts';

/** The form for the code that a sign-in waits for; whoever is signed in goes on. */
export async function codePage({ language, url, visitor }: Visit): Promise<Answer> {
  const to = targetOf(url.searchParams.get('to'));
  return visitor.signedIn ? { redirect: to } : { page: codeForm(language, { to }) };
}

/** Completes a sign-in with a code. */
export async function confirmCode({ ctx, form, session, device, language, visitor, call }: Visit): Promise<Answer> {
  const to = targetOf(form.get('to'));
  const code = form.get('code') ?? '';
  const done = session === null ? null : await call('confirmCode', { session, code, address: visitor.origin, device });
  if (done === null) return { redirect: '/sign-in' };
  if ('session' in done)
    return { redirect: to, cookies: [{ name: 'session', value: done.session }, keepDevice(done.device)] };
  if (done.again === null)
    return { page: codeForm(language, { to, refused: language.say('web.factor.wrong') }), status: 401 };
  const seconds = Math.max(1, Math.ceil((done.again - (await ctx.ledger.now())) / 1000));
  return { page: codeForm(language, { to, refused: language.say('web.signIn.wait', { seconds }) }), status: 429 };
}

/** What somebody sets an app up with, whose role needs a second factor before they go on. */
export async function enrolPage({ language, url, session, call }: Visit): Promise<Answer> {
  const made = session === null ? null : await call('beginEnrol', { session });
  if (made === null) return { redirect: '/sign-in' };
  return { page: setUpForm(language, made, { action: '/sign-in/enrol', to: targetOf(url.searchParams.get('to')) }) };
}

/** Makes the app the second factor, and shows the recovery codes, this once. */
export async function enrol({ language, form, session, call }: Visit): Promise<Answer> {
  const [to, secret, code] = [targetOf(form.get('to')), form.get('secret') ?? '', form.get('code') ?? ''];
  const done = session === null ? null : await call('enrolAtSignIn', { session, secret, code });
  if (done === null) return { redirect: '/sign-in' };
  if ('codes' in done)
    return { page: codesPage(language, done.codes, to), cookies: [{ name: 'session', value: done.session }] };
  const refused = language.say('web.factor.wrong');
  return { page: setUpForm(language, done.again, { action: '/sign-in/enrol', to, refused }), status: 400 };
}

/** The same for a user who is signed in, or has another app. */
export async function factorPage({ language, visitor, call }: Visit): Promise<Answer> {
  if (!visitor.signedIn || visitor.provider !== undefined) return { redirect: '/account' };
  const made = await call('newFactor', {});
  return { page: setUpForm(language, made, { action: '/account/factor', to: '/account', withPassword: true }) };
}

/** Makes the app the visitor's second factor, and shows the recovery codes, this once. */
export async function setUpFactor({ language, form, session, device, visitor, call }: Visit): Promise<Answer> {
  const [secret, code, password] = ['secret', 'code', 'password'].map((name) => form.get(name) ?? '');
  if (session === null || visitor.provider !== undefined)
    throw new OfferlineError('usage', 'Only users who sign in with a password have a second factor here.');
  const done = await call('setUpFactor', { session, device, secret: secret!, code: code!, password: password! });
  if ('codes' in done) return { page: codesPage(language, done.codes, '/account') };
  const refused = language.say('web.factor.wrong');
  const shown = { action: '/account/factor', to: '/account', withPassword: true, refused };
  return { page: setUpForm(language, done.again, shown), status: 400 };
}

function page(language: Language, title: MessageKey, body: Html): Page {
  return {
    title: language.say(title),
    body: html`<h1>${language.say(title)}</h1>
      ${body}`,
  };
}

function codeForm(language: Language, { to, refused }: { to: string; refused?: string }): Page {
  const { say } = language;
  return page(
    language,
    'web.factor.title',
    html`${refusal(refused)}
      <form method="post" action="/sign-in/code" class="narrow">
        <input type="hidden" name="to" value="${to}" />
        ${codeField(language)}
        <p><button class="first">${say('web.signIn.button')}</button></p>
        <p class="note">${say('web.factor.lost')}</p>
      </form>`,
  );
}

type SetUp = { action: string; to: string; withPassword?: boolean; refused?: string };

function setUpForm(language: Language, { secret, uri }: NewFactor, { action, to, withPassword, refused }: SetUp): Page {
  const { say } = language;
  return page(
    language,
    'web.factor.setUp',
    html`${refusal(refused)}
      <p>${say('web.factor.says')}</p>
      ${picture(uri, say('web.factor.picture'))}
      <p><code>${secret.replaceAll(/.{4}(?=.)/gu, '$& ')}</code></p>
      <form method="post" action="${action}" class="narrow">
        <input type="hidden" name="to" value="${to}" />
        <input type="hidden" name="secret" value="${secret}" />
        ${
          withPassword === true &&
          html`<p>
            <label for="password">${say('web.account.now')}</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required />
          </p>`
        }
        ${codeField(language)}
        <p><button class="first">${say('web.factor.confirm')}</button></p>
      </form>`,
  );
}

function codeField({ say }: Language): Html {
  return html`<p>
    <label for="code">${say('web.factor.code')}</label>
    <input id="code" name="code" autocomplete="one-time-code" maxlength="40" required autofocus />
  </p>`;
}

function codesPage(language: Language, codes: readonly string[], to: string): Page {
  const { say } = language;
  return page(
    language,
    'web.factor.codes',
    html`<p class="notice" role="status">${say('web.factor.codesSay')}</p>
      <ul>
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button first" href="${to}">${say('web.factor.goOn')}</a></p>`,
  );
}

function refusal(refused: string | undefined): Html | false {
  return refused !== undefined && html`<p class="reason failed" role="alert">${refused}</p>`;
}

/** Dark squares on light, also on dark pages: cameras expect it. */
function picture(text: string, label: string): Html {
  const { data, size } = encode(text, { border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg viewBox="0 0 ${size} ${size}" width="232" height="232" role="img" aria-label="${label}">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${dark.join('')}" fill="#000" />
  </svg>`;
}
