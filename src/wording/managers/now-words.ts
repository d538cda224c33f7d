import type { RunAnswer } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** What is live now and since when, as pairs of a label and a text. */
export function standingText({ now }: RunAnswer, language: Language): [string, string][] {
  const { live, since } = now;
  return [['Live now', `${live ?? '?'} parts${since === null ? '' : ` since ${language.moment(Date.parse(since))}`}`]];
}
