import type { RunAnswer } from '../model.ts';
import { findingWords, STRANGE } from '../wording/signal-words.ts';
import type { ContentList } from './content.ts';

/** What is strange about a delivery although it is valid; without items when nothing is. */
export function signalList({ signals }: Pick<RunAnswer, 'signals'>): ContentList {
  const found = signals === null ? [] : findingWords(signals);
  const items = found.map(({ sentence, examples }) => ({
    head: sentence,
    detail: examples.length === 0 ? null : `e.g. ${examples.join('; ')}`,
  }));
  return { heading: STRANGE, items, more: null };
}
