import { adviceOn } from '../advice.ts';
import type { Outcome, RunAnswer } from '../../model.ts';
import { runSentence, type RunReason } from '../reasons/run-reasons.ts';
import type { Language } from '../language/language.ts';
import { happened, reasonBeyond } from '../words.ts';

/** A run with its reason as a code with its facts. */
export type ToldRun = Omit<RunAnswer, 'reason'> & { reason: RunReason | string | null };

function worded({ reason, ...run }: ToldRun): RunAnswer {
  return { ...run, reason: reason === null || typeof reason === 'string' ? reason : runSentence(reason) };
}

/** What happened, as the heading of a report and the subject of a mail. */
export function runTitle(
  answer: ToldRun,
  { supplier }: { supplier: string; causes: number },
  _language: Language,
): string {
  return `${supplier}: ${happened(worded(answer))}`;
}

/** Why it happened, beyond the title; null when there is nothing more to say. */
export function runWhy(answer: ToldRun, _language: Language): string | null {
  return reasonBeyond(worded(answer));
}

/** What it means. */
export function runMeaning(answer: ToldRun, _language: Language): string {
  return adviceOn(worded(answer), 'managers').meaning;
}

/** What to do, and who does it. */
export function runSteps(answer: RunAnswer, _language: Language): string[] {
  return adviceOn(answer, 'managers').steps;
}

/** The outcome in a word. */
export function outcomeWord(outcome: Outcome | null, _language: Language): string {
  return outcome ?? 'running';
}
