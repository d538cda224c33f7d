import { Refusal } from './reply.ts';

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
  int64: (name: string) => number | undefined;
  requiredInt64: (name: string) => number;
  /** An int64 that a double may not hold, as decimal text without leading zeros. */
  id: (name: string) => string | undefined;
  requiredId: (name: string) => string;
  /** `page` from 0 (default 0) and `size` from 1 (default 20). */
  page: () => Page;
  locale: () => Locale;
  /** What was not asked for by name yet. */
  others: () => Map<string, string>;
  /** Refuses parameters that were not read: a misspelt one would otherwise be ignored in silence. */
  end: () => void;
};

export type Page = { page: number; size: number };

/**
 * Reads the parameters of a call; a wrong type, a repetition and an unknown name are refused with 400. `nameOf` says how the
 * caller names a parameter that is asked for by another name here.
 */
export function readParameters(
  given: Iterable<[string, string]>,
  nameOf: (name: string) => string = (name) => name,
): Parameters {
  const once = readOnce(given);
  const text = (name: string) => once.text(nameOf(name));
  const required = <T>(name: string, value: T | undefined): T => {
    if (value === undefined) throw invalid(nameOf(name), 'is missing');
    return value;
  };
  const int32 = (name: string, fallback: number, least: number) => {
    const value = text(name);
    return value === undefined ? fallback : readInt32(nameOf(name), value, least);
  };
  const bigint = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : readInt64(nameOf(name), value);
  };
  /** Ids of this service's vehicles fit a double; one that does not is an id that nothing has. */
  const int64 = (name: string) => {
    const value = bigint(name);
    return value === undefined ? undefined : Number(value);
  };
  const id = (name: string) => bigint(name)?.toString();
  return {
    text,
    requiredText: (name) => {
      const value = required(name, text(name));
      if (value.trim() === '') throw invalid(nameOf(name), 'is empty');
      return value;
    },
    all: (name) => once.all(nameOf(name)),
    int64,
    requiredInt64: (name) => required(name, int64(name)),
    id,
    requiredId: (name) => required(name, id(name)),
    page: () => ({ page: int32('page', 0, 0), size: int32('size', 20, 1) }),
    locale: () => readLocale(text('locale'), nameOf('locale')),
    others: once.others,
    end: once.end,
  };
}

/** The language and country of names, `en_US` unless asked otherwise. */
export function readLocale(text = 'en_US', name = 'locale'): Locale {
  if (!/^[a-z]{2}_[A-Z]{2}$/.test(text)) throw invalid(name, 'is not a language and country such as en_US');
  const language = LANGUAGES.find((known) => text.startsWith(known)) ?? null;
  return { text, language };
}

/** A refusal of one parameter or field. */
export function invalid(name: string, what: string): Refusal {
  return new Refusal(400, 'INVALID_PARAMETER', `The parameter ${name} ${what}.`);
}

/** The values by the names that the caller gave them, and which of them were asked for. */
function readOnce(given: Iterable<[string, string]>): Pick<Parameters, 'text' | 'all' | 'others' | 'end'> {
  const values = Map.groupBy(given, ([name]) => name);
  const asked = new Set<string>();
  const all = (name: string): string[] => {
    asked.add(name);
    return (values.get(name) ?? []).map(([, value]) => value);
  };
  const text = (name: string): string | undefined => {
    const [value, ...more] = all(name);
    if (more.length > 0) throw invalid(name, 'is given more than once');
    return value;
  };
  const unasked = () => [...values.keys()].filter((name) => !asked.has(name));
  return {
    all,
    text,
    others: () => new Map(unasked().map((name) => [name, text(name)!])),
    end: () => {
      const [unknown] = unasked();
      if (unknown !== undefined) throw invalid(unknown, `is not known here; known are ${[...asked].join(', ')}`);
    },
  };
}

function readInt32(name: string, text: string, least: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < least || value > MAX_INT32) throw invalid(name, `is not a whole number from ${least} to ${MAX_INT32}`);
  return value;
}

function readInt64(name: string, text: string): bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw invalid(name, 'is not a whole number');
  const value = BigInt(text);
  if (value > MAX_INT64 || value < -MAX_INT64) throw invalid(name, 'is beyond 64 bits');
  return value;
}
