/**
 * Learns which letters follow each other in the languages of the trade, from the names of countries, languages,
 * currencies, units and dates that Node knows (Unicode CLDR), and from the words of faker (MIT). Writes
 * src/detect/charset/letters.json; run it when a language is added. Price lists are short of prose, so words of this kind serve
 * better than a novel would.
 */
import { writeFileSync } from 'node:fs';
import * as faker from '@faker-js/faker';

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

const ALPHABETIC =
  'ru uk be bg sr mk pl cs sk hu ro hr sl de fr es pt it sv da nb fi is nl ca tr lt lv et el he ar fa th vi kk eo mt en'.split(
    ' ',
  );
const IDEOGRAPHIC = ['zh', 'zh-Hant', 'ja', 'ko'];

/** Where faker names a language otherwise. */
const FAKER_LOCALES: Record<string, string[]> = {
  cs: ['cs_CZ'],
  de: ['de', 'de_AT'],
  es: ['es', 'es_MX'],
  fr: ['fr', 'fr_BE'],
  nb: ['nb_NO'],
  pt: ['pt_PT', 'pt_BR'],
  sl: ['sl_SI'],
  zh: ['zh_CN'],
  'zh-Hant': ['zh_TW'],
};

/** Letters of an alphabet that the names of countries and currencies hardly need count as seen this often. */
const LEAST_COUNT = 4;
const ALPHABETS: Record<string, string> = {
  de: 'äöüß',
  fr: 'àâæçéèêëîïôœùûüÿ',
  es: 'áéíñóúü',
  pt: 'àáâãçéêíóôõúü',
  it: 'àèéìòù',
  sv: 'åäöé',
  da: 'åæøé',
  nb: 'åæøéòô',
  fi: 'åäöšž',
  nl: 'éèëïöüá',
  ca: 'àçèéíïòóúü',
  et: 'äöõüšž',
  pl: 'ąćęłńóśźż',
  cs: 'áčďéěíňóřšťúůýž',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  hu: 'áéíóöőúüű',
  ro: 'ăâîșşțţ',
  tr: 'âçğıîöşûü',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž',
  ru: 'ё',
  uk: 'ґєії',
};

/** Every text that Intl can give in a language. */
function* texts(language: string): Generator<string | undefined> {
  const pairs = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
  const codes = [...pairs, ...pairs.flatMap((pair) => LETTERS.map((c) => pair + c))];
  for (const code of pairs) yield name(language, 'region', code);
  for (const code of codes) yield name(language, 'language', code.toLowerCase());
  for (const currency of Intl.supportedValuesOf('currency')) {
    yield name(language, 'currency', currency);
    for (const count of [1, 2, 5]) {
      yield new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' }).format(count);
    }
  }
  for (const unit of Intl.supportedValuesOf('unit')) {
    for (const count of [1, 2, 5]) {
      yield new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
    }
  }
  yield* dates(language);
  for (const locale of FAKER_LOCALES[language] ?? [language]) yield* strings(Object(faker)[locale]);
}

/** Every string inside a locale of faker. */
function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* strings(inner);
}

function* dates(language: string): Generator<string | undefined> {
  for (let day = 0; day < 366; day += 5) {
    yield new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(new Date(2024, 0, 1 + day));
  }
  const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
  for (const unit of units) {
    for (const count of [-5, -2, -1, 0, 1, 2, 5]) {
      yield new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(count, unit);
    }
  }
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0);
    yield parts.find((part) => part.type === 'timeZoneName')?.value;
  }
}

function name(language: string, type: 'region' | 'language' | 'currency', code: string): string | undefined {
  try {
    return new Intl.DisplayNames(language, { type, fallback: 'none' }).of(code);
  } catch {
    return undefined;
  }
}

/** Vietnamese as windows-1258 writes it: letters of the alphabet are one character, their tone marks follow. */
function toneMarksApart(text: string): string {
  return text.normalize('NFD').replaceAll(/(\p{L})(\u0323?)([\u0302\u0306\u031B])/gu, (_, letter, dot, mark) => {
    return `${letter}${mark}`.normalize('NFC') + dot;
  });
}

function wordsOf(language: string): Set<string> {
  const words = new Set<string>();
  for (const text of texts(language)) {
    const forms = language === 'vi' ? `${text} ${toneMarksApart(text ?? '')}` : text;
    for (const word of (forms ?? '').toLowerCase().split(/[^\p{L}\p{M}]+/u)) if (word !== '') words.add(word);
  }
  return words;
}

/** Counts letters and pairs of letters; `_` is the border of a word. Pairs seen once tell nothing. */
function countPairs(language: string): Record<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const letter of ALPHABETS[language] ?? '') counts.set(letter, LEAST_COUNT);
  for (const word of wordsOf(language)) {
    const letters = ['_', ...Array.from(word), '_'];
    for (const [at, letter] of letters.entries()) {
      if (at > 0) add(letter);
      const pair = (letters[at - 1] ?? '') + letter;
      if (at > 0) add(pair);
    }
  }
  const telling = [...counts].filter(([key, count]) => count > 1 || key.length === 1 || /[^_a-z]/.test(key));
  return Object.fromEntries(telling.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function countCharacters(language: string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(language)) {
    for (const letter of word) if (!/[a-z]/.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** By letter, how often it was seen and which letters how often after it: `412 б 3 в 5`. Fewer names are read faster. */
function byLetter(counts: Record<string, number>): Record<string, string> {
  const lines = new Map<string, string>();
  for (const [key, count] of Object.entries(counts).sort(([a], [b]) => a.length - b.length)) {
    const [letter, ...next] = Array.from(key) as [string, ...string[]];
    lines.set(letter, next.length === 0 ? String(count) : `${lines.get(letter)} ${next.join('')} ${count}`);
  }
  return Object.fromEntries(lines);
}

/** `的 12 人 3`. */
function written(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([key, count]) => `${key} ${count}`)
    .join(' ');
}

/** A language is written in Latin letters when this one was seen more often in it than as a letter of foreign names. */
const LATIN = { letter: 'e', least: 100 };

const alphabetic = ALPHABETIC.map((language) => [language, countPairs(language)] as const);
const ideographic = IDEOGRAPHIC.map((language) => [language, countCharacters(language)] as const);
const learned = {
  latin: alphabetic.filter(([, counts]) => (counts[LATIN.letter] ?? 0) > LATIN.least).map(([language]) => language),
  alphabetic: Object.fromEntries(alphabetic.map(([language, counts]) => [language, byLetter(counts)])),
  ideographic: Object.fromEntries(ideographic.map(([language, counts]) => [language, written(counts)])),
};
const target = new URL('../src/detect/charset/letters.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(learned)}\n`);
