import { html, type Html } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { doneAt, doneNotice } from '../../parts/done.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { signsInText } from './signs-in.ts';

/** What the console knows of its visitor, and the form to change the password. */
export async function accountPage({ language, visitor, url }: Visit): Promise<Answer> {
  const { say } = language;
  if (!visitor.signedIn) return { redirect: '/sign-in' };
  const { name, role, feeds, provider } = visitor;
  const body = html`
    <h1>${name}</h1>
    ${doneNotice(url, language)}
    <dl class="facts">
      <dt>${say('web.users.role')}</dt>
      <dd>${role}</dd>
      <dt>${say('web.users.feeds')}</dt>
      <dd>${feeds === null ? say('web.users.allFeeds') : feeds.join(', ') || say('web.users.noFeeds')}</dd>
    </dl>
    ${provider === undefined ? passwordForm(language) : html`<p>${signsInText(provider, language)}</p>`}
  `;
  return { page: { title: name, body, section: '/account' } };
}

function passwordForm({ say }: Language): Html {
  return html`<h2>${say('web.account.password')}</h2>
    <form method="post" action="/account/password" class="narrow">
      <p>
        <label for="now">${say('web.account.now')}</label>
        <input id="now" name="now" type="password" autocomplete="current-password" required />
      </p>
      <p>
        <label for="next">${say('web.account.next')}</label>
        <input id="next" name="next" type="password" autocomplete="new-password" minlength="12" required />
      </p>
      <p><button class="first">${say('web.account.change')}</button></p>
      <p class="note">${say('web.account.ends')}</p>
    </form>
    <p><a href="/account/factor">${say('web.factor.setUp')}</a></p>`;
}

/** Changes the visitor's own password. */
export async function changePassword({ form, session, device, call }: Visit): Promise<Answer> {
  await call('changePassword', {
    now: form.get('now') ?? '',
    password: form.get('next') ?? '',
    session: session ?? '',
    device,
  });
  return doneAt('/account', 'password');
}
