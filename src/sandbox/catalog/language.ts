import { Refusal } from '../http.ts';

/** The languages of the reference data. */
const LANGUAGES = ['en', 'de', 'ru'] as const;

export type Language = (typeof LANGUAGES)[number];

/** In which words a reply is written. */
export type Wording = {
  /** As the caller gave it, such as `de_DE`. */
  locale: string;
  /** English where the data lack the language that was asked for. */
  language: Language;
  /** Whether attributes get names. */
  localized: boolean;
};

/** Reads a locale: a language of ISO 639-1 and a country of ISO 3166-1 joined by an underscore. */
export function readLanguage(name: string, locale: string): Language {
  if (!/^[a-z]{2}_[A-Z]{2}$/.test(locale)) {
    throw new Refusal(400, 'INVALID_PARAMETER', `The parameter ${name} is not a locale such as en_US.`);
  }
  return LANGUAGES.find((language) => locale.startsWith(language)) ?? 'en';
}
