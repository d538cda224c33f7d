import type { Language } from '../../wording/language/language.ts';
import type { Score } from './measure.ts';

/** What a scorecard is made from: the scores of a period, the best first. Times are epoch milliseconds. */
export type ScorecardInput = { from: number; to: number; scores: Score[]; language: Language; sandbox: boolean };
