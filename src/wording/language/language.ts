import { readdirSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import type english from '../../../locales/en.json';

/** What can be said: the keys of locales/en.json, which every other language has too. */
export type MessageKey = keyof typeof english;

/** What a message speaks of; numbers are grouped and set in the plural as the language does it. */
export type MessageFacts = Record<string, string | number>;

/** How things are said to one reader: in a language, with the clock of a time zone. */
export type Language = {
  /** A BCP 47 tag, such as `de`. */
  name: string;
  /** A message with its facts filled in. Throws when a fact is missing. */
  say: (key: MessageKey, facts?: MessageFacts) => string;
  /** Whether there is a message of this name. */
  knows: (key: string) => key is MessageKey;
  number: (count: number) => string;
  /** A share from 0 to 1, with at most one decimal. */
  percent: (share: number) => string;
  /** A moment with its day, time and time zone. */
  moment: (at: number) => string;
  /** A moment in few letters, in a time zone that is named elsewhere. */
  stamp: (at: number) => string;
  /** A day in full. */
  day: (at: number) => string;
  /** How long something takes, in milliseconds, in the largest unit that says enough: days from two on. */
  span: (ms: number) => string;
  list: (texts: readonly string[]) => string;
  /** Which of two names comes first in an alphabetical list: below 0 the first one. */
  compare: (one: string, other: string) => number;
};

/** What is spoken where nothing is configured, and the language that all keys are taken from. */
export const USUAL_LANGUAGE = 'en';

const LOCALES = new URL('../../../locales/', import.meta.url);

let names: string[] | undefined;

/** The languages that there is a catalogue for, in alphabetical order. */
export function languages(): string[] {
  names ??= readdirSync(LOCALES)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  return [...names];
}

/**
 * The messages of a language as they are written in its catalogue.
 * @internal exported for tests
 */
export function catalogue(name: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, LOCALES), 'utf8')) as Record<string, string>;
}

const opened = new Map<string, Language>();

/** A language of `languages()` for readers in a time zone (IANA name). */
export function openLanguage(name: string, timeZone = 'UTC'): Language {
  const key = `${name} ${timeZone}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  const say = speaker(name);
  const language = { name, say, knows, ...formats(say('language.formats'), timeZone) };
  opened.set(key, language);
  return language;
}

let keys: Record<string, string> | undefined;

function knows(key: string): key is MessageKey {
  keys ??= catalogue(USUAL_LANGUAGE);
  return Object.hasOwn(keys, key);
}

const speakers = new Map<string, Language['say']>();

function speaker(name: string): Language['say'] {
  const known = speakers.get(name);
  if (known !== undefined) return known;
  const messages = catalogue(name);
  const parse = (key: MessageKey) => {
    const text = messages[key];
    if (text === undefined) throw new Error(`the catalogue of ${name} has no message ${key}`);
    return new IntlMessageFormat(text, messages['language.formats'], undefined, { ignoreTag: true });
  };
  const parsed = new Map<string, IntlMessageFormat>();
  const say: Language['say'] = (key, facts) => {
    const message = parsed.get(key) ?? parse(key);
    parsed.set(key, message);
    return String(message.format<string>(facts));
  };
  speakers.set(name, say);
  return say;
}

const SPANS = [
  { ms: 86_400_000, unit: 'day', from: 2 },
  { ms: 3_600_000, unit: 'hour', from: 1 },
  { ms: 60_000, unit: 'minute', from: 1 },
] as const;

/** `name`: a BCP 47 tag, `en-GB` for day before month. */
function formats(name: string, timeZone: string): Omit<Language, 'name' | 'say' | 'knows'> {
  const count = new Intl.NumberFormat(name);
  const share = new Intl.NumberFormat(name, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'negative',
  });
  const moment = new Intl.DateTimeFormat(name, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const stamp = new Intl.DateTimeFormat(name, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const day = new Intl.DateTimeFormat(name, { timeZone, dateStyle: 'long' });
  const spans = new Map<string, Intl.NumberFormat>();
  const inUnit = (unit: string) => {
    const format = spans.get(unit) ?? new Intl.NumberFormat(name, { style: 'unit', unit, unitDisplay: 'long' });
    spans.set(unit, format);
    return format;
  };
  const list = new Intl.ListFormat(name, { type: 'conjunction' });
  const { compare } = new Intl.Collator(name);
  return {
    number: (value) => count.format(value),
    percent: (value) => share.format(value),
    moment: (at) => moment.format(at),
    stamp: (at) => stamp.format(at),
    day: (at) => day.format(at),
    span: (ms) => {
      const { ms: one, unit } = SPANS.find((span) => ms >= span.from * span.ms) ?? { ms: 1000, unit: 'second' };
      return inUnit(unit).format(Math.floor(ms / one));
    },
    list: (texts) => list.format(texts),
    compare,
  };
}
