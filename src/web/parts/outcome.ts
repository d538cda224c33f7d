import type { Outcome } from '../../model.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';

/** An outcome as a badge; what has none yet is at a stage. */
export function outcomeBadge(outcome: Outcome | null, stage: string, language: Language): Html {
  if (outcome === null) return html`<span class="badge busy">${stage}</span>`;
  return html`<span class="badge ${outcome}">${language.say(`web.outcome.${outcome}`)}</span>`;
}
