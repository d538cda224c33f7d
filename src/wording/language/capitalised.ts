import type { Language } from './language.ts';

/** A text as it stands at the beginning of a sentence. */
export function capitalised(text: string, { name }: Pick<Language, 'name'>): string {
  const first = text.slice(0, 1);
  return `${first.toLocaleUpperCase(name)}${text.slice(first.length)}`;
}
