import type { Outcome } from '../../model.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { outcomeWord } from '../../wording/managers/run-words.ts';

/** An outcome as a badge. */
export function outcomeBadge(outcome: Outcome | null, language: Language): Html {
  return html`<span class="badge ${outcome ?? 'running'}">${outcomeWord(outcome, language)}</span>`;
}
