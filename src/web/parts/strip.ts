import type { StripEntry } from '../../jobs/standing/feed/history.ts';
import { html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { outcomeWord } from '../../wording/managers/run-words.ts';
import { SHOWN_MARKS } from './tone.ts';

/** How the last deliveries ended, the newest last; each leads to its run. */
export function deliveryStrip(entries: readonly StripEntry[], language: Language): Part {
  if (entries.length === 0) return null;
  return html`<figure class="strip">
    <ol>
      ${entries.map((entry) => stripItem(entry, language))}
    </ol>
    <figcaption>${language.say('web.feed.strip', { count: entries.length })}</figcaption>
  </figure>`;
}

function stripItem({ run, at, outcome, tone, live }: StripEntry, language: Language): Part {
  const rows = live === null ? '' : `, ${language.say('web.progress.rows', { count: live })}`;
  const text = `${language.stamp(at)}: ${outcomeWord(outcome, language)}${rows}`;
  return html`<li class="${outcome ?? ''}">
    <a href="/runs/${run}" title="${text}"
      >${SHOWN_MARKS[outcome === 'partial' ? 'look' : tone]}<span class="unseen">${text}</span></a
    >
  </li>`;
}
