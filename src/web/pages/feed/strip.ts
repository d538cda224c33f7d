import type { RecentDelivery } from '../../../model.ts';
import { html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { outcomeWord } from '../../../wording/managers/run-words.ts';

const MARKS: Record<string, string> = { live: '✓', partial: '◐', held: '!', rejected: '✗', failed: '✗' };

/** How the last deliveries ended, the newest last; each leads to its run. */
export function deliveryStrip(deliveries: readonly RecentDelivery[], language: Language): Part {
  if (deliveries.length === 0) return null;
  return html`<figure class="strip">
    <ol>
      ${deliveries.map(
        ({ run, at, outcome }) =>
          html`<li class="${outcome}">
            <a href="/runs/${run}" title="${language.stamp(at)}: ${outcomeWord(outcome, language)}"
              >${MARKS[outcome] ?? '·'}<span class="unseen"
                >${language.stamp(at)}: ${outcomeWord(outcome, language)}</span
              ></a
            >
          </li>`,
      )}
    </ol>
    <figcaption>${language.say('web.feed.strip', { count: deliveries.length })}</figcaption>
  </figure>`;
}
