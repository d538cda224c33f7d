import type { RowsDiff } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** All that changed, in a sentence. */
export function changeHeadline({ before, after, added, removed, changed }: RowsDiff, { number }: Language): string {
  return `${number(before)} → ${number(after)} parts: ${number(added)} added, ${number(removed)} gone, ${number(changed)} changed`;
}
