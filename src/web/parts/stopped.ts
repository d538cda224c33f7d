import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { moment } from './moment.ts';

/** Says in a list of facts that something was paused or frozen: since when, by whom and why; `next`: what ends it elsewhere. */
export function stopped(
  key: 'web.feed.frozen' | 'web.feed.paused' | 'web.feed.pausedLogin',
  { since, who, reason }: { since: number; who: string; reason: string },
  language: Language,
  next: Part = null,
): Html {
  return html`<dt>${language.say(key)}</dt>
    <dd class="say waiting">${moment(since, language)}, ${who}: <bdi>${reason}</bdi> ${next}</dd>`;
}
