import { html, type Part } from '../../wording/html.ts';
import type { Language, MessageKey } from '../../wording/language/language.ts';
import type { Page } from '../route.ts';

/** A page that only says why there is no other; nothing was changed. `link`: what leads on, else the first page. */
export function refusal(
  language: Language,
  title: MessageKey,
  why?: Part,
  link: { to: string; name: MessageKey } = { to: '/', name: 'web.toStart' },
): Page {
  return {
    title: language.say(title),
    body: html`
      <h1>${language.say(title)}</h1>
      ${why !== undefined && html`<p class="reason failed" role="alert">${why}</p>`}
      <p><a href="${link.to}">${language.say(link.name)}</a></p>
    `,
  };
}
