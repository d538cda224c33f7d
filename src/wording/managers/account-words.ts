import { accountLines, skippedLines, type Fate } from '../account.ts';
import type { RunAnswer } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** The account of a run's rows in words. */
export function accountRows(
  answer: RunAnswer,
  language: Language,
): { label: string; count: string; kind: 'sum' | 'loss'; fate: Fate | null }[] {
  return accountLines(answer).map(({ label, count, kind, fate }) => ({
    label,
    count: language.number(count),
    kind,
    fate,
  }));
}

/** Which lines are no offers; null when all are. */
export function skippedText({ skipped }: RunAnswer, language: Language): string | null {
  return skipped.length === 0 ? null : language.list(skippedLines(skipped));
}
