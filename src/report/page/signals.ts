import type { RunAnswer } from '../../model.ts';
import { html, type Html } from '../../wording/html.ts';
import { findingWords, seenLines, STRANGE } from '../../wording/signal-words.ts';
import { section } from './parts.ts';

/** What is strange about a delivery although it is valid, with numbers and examples; what was seen without that is no section. */
export function signalsSection({ signals }: Pick<RunAnswer, 'signals'>): Html {
  const found = signals === null ? [] : findingWords(signals);
  if (signals === null || found.length === 0) return html``;
  return section('signals', STRANGE, [
    html`<ul>
      ${found.map(
        ({ sentence, examples }) =>
          html`<li>
            <strong>${sentence}.</strong>
            ${examples.map((text) => html`<div>${text}</div>`)}
          </li>`,
      )}
    </ul>`,
    ...seenLines(signals).map(([label, text]) => html`<p class="note">${label}: ${text}</p>`),
  ]);
}
