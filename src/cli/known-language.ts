import { OfferlineError } from '../errors.ts';

/** Fails with `usage` when there is no catalogue of a language. */
export async function assertLanguage(language: string): Promise<void> {
  const { languages } = await import('../wording/language/language.ts');
  const known = languages();
  if (known.includes(language)) return;
  throw new OfferlineError('usage', `Unknown language ${language}: write one of ${known.join(', ')}.`);
}
