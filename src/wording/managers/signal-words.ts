import type { Signals } from '../../model.ts';
import type { Language } from '../language/language.ts';
import { findingWords, type FindingWords } from '../signal-words.ts';

/** What is strange about a delivery, in sentences. */
export function strangeFindings(signals: Signals, _language: Language): FindingWords[] {
  return findingWords(signals);
}
