import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { moment } from './moment.ts';

/** Says in a list of facts that something was paused or frozen: since when, by whom and why. */
export function stopped(
  key: 'web.feed.frozen' | 'web.feed.paused',
  { since, who, reason }: { since: number; who: string; reason: string },
  language: Language,
): Html {
  return html`<dt>${language.say(key)}</dt>
    <dd class="say waiting">${moment(since, language)}, ${who}: <bdi>${reason}</bdi></dd>`;
}
