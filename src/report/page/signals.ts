import { html, type Html } from '../../wording/html.ts';
import { strangeFindings } from '../../wording/managers/signal-words.ts';
import type { ReportInput } from '../input.ts';
import { section } from './parts.ts';

/** What is strange about a delivery although it is valid, with numbers and examples. */
export function signalsSection({ answer: { signals }, language }: ReportInput): Html {
  const found = signals === null ? [] : strangeFindings(signals, language);
  if (found.length === 0) return html``;
  return section('signals', language.say('report.signals.title'), [
    html`<ul class="signals">
      ${found.map(
        ({ sentence, examples }) =>
          html`<li>
            <strong>${sentence}.</strong>
            ${examples.map((text) => html`<div><bdi>${text}</bdi></div>`)}
          </li>`,
      )}
    </ul>`,
  ]);
}
