import { Refusal } from './http.ts';

const MAX_INT32 = 2_147_483_647;
const MAX_INT64 = 9_223_372_036_854_775_807n;
const LANGUAGES = ['en', 'de', 'ru'] as const;

/** A language that the reference data has names in. */
export type Language = (typeof LANGUAGES)[number];

/** A locale such as `de_DE`; `language` is null when there are no names in it. */
export type Locale = { text: string; language: Language | null };

/** The parameters of one call. What is not asked for by name is refused as unknown when `end` is called. */
export type Parameters = {
  text: (name: string) => string | undefined;
  requiredText: (name: string) => string;
  /** Every value of a parameter that may be repeated. */
  all: (name: string) => string[];
  int32: (name: string, fallback: number, least: number) => number;
  int64: (name: string) => number | undefined;
  requiredInt64: (name: string) => number;
  locale: () => Locale;
  /** Refuses parameters that nobody asked for: a misspelt one would be ignored in silence otherwise. */
  end: () => void;
};

/** Reads the query of a call; a wrong type, a repetition and an unknown name are refused with 400. */
export function readParameters(query: URLSearchParams): Parameters {
  const asked = new Set<string>();
  const text = (name: string): string | undefined => {
    asked.add(name);
    const values = query.getAll(name);
    if (values.length > 1) throw invalid(name, 'is given more than once');
    return values[0];
  };
  const required = <T>(name: string, value: T | undefined): T => {
    if (value === undefined) throw invalid(name, 'is missing');
    return value;
  };
  const int64 = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : readInt64(name, value);
  };
  return {
    text,
    requiredText: (name) => {
      const value = required(name, text(name));
      if (value.trim() === '') throw invalid(name, 'is empty');
      return value;
    },
    all: (name) => {
      asked.add(name);
      return query.getAll(name);
    },
    int32: (name, fallback, least) => {
      const value = text(name);
      return value === undefined ? fallback : readInt32(name, value, least);
    },
    int64,
    requiredInt64: (name) => required(name, int64(name)),
    locale: () => readLocale(text('locale')),
    end: () => {
      const unknown = [...query.keys()].find((name) => !asked.has(name));
      if (unknown !== undefined) throw invalid(unknown, `is not known here; known are ${[...asked].join(', ')}`);
    },
  };
}

/** The language and country of names, `en_US` unless told otherwise. */
export function readLocale(text = 'en_US'): Locale {
  if (!/^[a-z]{2}_[A-Z]{2}$/.test(text)) throw invalid('locale', 'is no language and country such as en_US');
  const language = LANGUAGES.find((known) => text.startsWith(known)) ?? null;
  return { text, language };
}

/** A refusal of one parameter or field. */
export function invalid(name: string, what: string): Refusal {
  return new Refusal(400, 'INVALID_PARAMETER', `The parameter ${name} ${what}.`);
}

function readInt32(name: string, text: string, least: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < least || value > MAX_INT32) throw invalid(name, `is not a whole number from ${least} to ${MAX_INT32}`);
  return value;
}

/** Ids of this service's vehicles fit a double; one that does not is an id that nothing has. */
function readInt64(name: string, text: string): number {
  if (!/^-?\d{1,20}$/.test(text)) throw invalid(name, 'is not a whole number');
  const value = BigInt(text);
  if (value > MAX_INT64 || value < -MAX_INT64) throw invalid(name, 'is beyond 64 bits');
  return Number(value);
}
