import type { RowCause } from '../../model.ts';
import { USUAL_LANGUAGE, type Language } from '../language/language.ts';
import { columnWord } from './column-words.ts';

/** A cause in a few words: what is wrong, and in which column where that is not clear. */
export function causeTitle({ code, column, text, by }: RowCause, language: Language): string {
  const { say, knows } = language;
  const key = `cause.${code}`;
  if (by === 'us' && knows(key)) {
    const cause = say(key, { column: column ?? '', message: text ?? '' });
    return column === null || NAMES_ITS_COLUMN.has(code ?? '')
      ? cause
      : say('cause.in-column', { cause, column: columnWord(column, language) });
  }
  return by === 'us' ? (text ?? code ?? '') : say('cause.service', { message: text || code || '' });
}

/** What to do about a cause, and who does it. */
export function causeRemedy({ code, column, by }: RowCause, language: Language): string {
  const { say, knows } = language;
  const key = `remedy.${code}`;
  if (by === 'service') return say('remedy.service');
  const remedy = say(knows(key) ? key : 'remedy.unknown', { column: columnWord(column ?? '', language) });
  return say('remedy.for-supplier', { remedy });
}

/** What is wrong with one row. */
export function issueMessage(
  { code, column, message }: { code: string; column: string | null; message: string },
  { say, knows }: Language,
): string {
  const key = `cause.${code}`;
  return knows(key) ? say(key, { column: column ?? '', message }) : message;
}

/**
 * What is wrong with one row: in English as the issue says it, with its figures; in other languages in their words. What the service
 * says is not ours to word.
 */
export function issueText(
  { by, code, column, message }: { by: 'us' | 'service'; code: string | null; column: string | null; message: string },
  language: Language,
): string {
  const isWorded = by === 'us' && code !== null && language.name !== USUAL_LANGUAGE;
  return isWorded ? issueMessage({ code, column, message }, language) : message;
}

/** Causes whose words say which column is meant. */
const NAMES_ITS_COLUMN = new Set([
  'brand-empty',
  'oem-empty',
  'too-many-tags',
  'tag-with-separator',
  'several-numbers',
  'column-missing',
  'cells-swapped',
]);
