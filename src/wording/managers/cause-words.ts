import type { RowCause } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** A cause in a few words. */
export function causeTitle({ code, column, text }: RowCause, _language: Language): string {
  return text ?? `${code ?? ''}${column === null ? '' : ` in ${column}`}`;
}

/** What to do about a cause. */
export function causeRemedy(_cause: RowCause, _language: Language): string {
  return 'Ask the supplier to correct it.';
}

/** What is wrong with one row. */
export function issueMessage({ message }: { message: string }, _language: Language): string {
  return message;
}
