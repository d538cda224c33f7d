import { html, type Html } from '../../wording/html.ts';
import { standingText } from '../../wording/managers/now-words.ts';
import { outcomeWord } from '../../wording/managers/run-words.ts';
import type { RecentDelivery } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';
import type { ReportInput } from '../input.ts';
import { section } from './parts.ts';

/** What is live of the supplier now and since when, and how its last deliveries ended. */
export function liveSection({ answer, strip, language }: ReportInput): Html {
  const standing = standingText(answer, language);
  return section('live', language.say('report.live.title'), [
    standing.length > 0 &&
      html`<dl class="standing">
        ${standing.map(
          ([label, text]) =>
            html`<div>
              <dt>${label}</dt>
              <dd>${text}</dd>
            </div>`,
        )}
      </dl>`,
    strip.length > 0 && stripFigure(strip, answer.run, language),
  ]);
}

/** A sign for each outcome, so that nobody has to tell them apart by colour. */
const SIGNS: Record<RecentDelivery['outcome'], string> = {
  live: '✓',
  partial: '◐',
  held: '‖',
  rejected: '✕',
  failed: '!',
};

/** One cell for each delivery, the newest last, and a legend that counts them. */
function stripFigure(strip: RecentDelivery[], run: string, language: Language): Html {
  const { say, number } = language;
  const counts = Map.groupBy(strip, ({ outcome }) => outcome);
  const outcomes = (Object.keys(SIGNS) as RecentDelivery['outcome'][]).filter((outcome) => counts.has(outcome));
  return html`<figure class="strip">
    <ol aria-label="${say('strip.title', { count: strip.length })}">
      ${strip.map(
        (one) =>
          html`<li class="${one.outcome} ${one.run === run && 'this'}" title="${stripText(one, language)}">
            <span aria-hidden="true">${SIGNS[one.outcome]}</span><span class="unseen">${stripText(one, language)}</span>
          </li>`,
      )}
    </ol>
    <figcaption>
      ${say('strip.title', { count: strip.length })}:
      ${outcomes.map(
        (outcome) =>
          html`<span class="key"
            ><i class="${outcome}" aria-hidden="true">${SIGNS[outcome]}</i> ${outcomeWord(outcome, language)}
            ${number(counts.get(outcome)?.length ?? 0)}</span
          > `,
      )}
    </figcaption>
  </figure>`;
}

function stripText({ at, outcome, rows }: RecentDelivery, language: Language): string {
  const facts = { day: language.day(at), outcome: outcomeWord(outcome, language) };
  return rows === null ? language.say('strip.end', facts) : language.say('strip.live', { ...facts, count: rows });
}
