import { adviceOn } from '../advice.ts';
import type { Outcome, RunAnswer } from '../../model.ts';
import type { Language } from '../language/language.ts';
import { happened, reasonBeyond } from '../words.ts';

/** What happened, as the heading of a report and the subject of a mail. */
export function runTitle(
  answer: RunAnswer,
  { supplier }: { supplier: string; causes: number },
  _language: Language,
): string {
  return `${supplier}: ${happened(answer)}`;
}

/** Why it happened, beyond the title; null when there is nothing more to say. */
export function runWhy(answer: RunAnswer, _language: Language): string | null {
  return reasonBeyond(answer);
}

/** What it means. */
export function runMeaning(answer: RunAnswer, _language: Language): string {
  return adviceOn(answer, 'managers').meaning;
}

/** What to do, and who does it. */
export function runSteps(answer: RunAnswer, _language: Language): string[] {
  return adviceOn(answer, 'managers').steps;
}

/** The outcome in a word. */
export function outcomeWord(outcome: Outcome | null, _language: Language): string {
  return outcome ?? 'running';
}
