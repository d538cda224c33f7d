import { readFileSync } from 'node:fs';

/** The natural logarithm of how likely `letter` follows `previous` in a language; `_` is the border of a word. */
export type Language = { name: string; follow: (previous: string, letter: string) => number };

/** How much the plain frequency of a letter counts beside what was seen to follow another one. */
const PLAIN = { least: 4, share: 0.1 };
/** Letters that a language does not have at all turn up in names only. */
const UNKNOWN_LETTER = 2e-5;

/** How often which letters were met, alone and after each other, by language. */
type Counts = Record<string, Record<string, number>>;
let counted: { alphabetic: Counts; ideographic: Counts } | undefined;
const languages = new Map<string, Language>();

/** Read when they are asked for: most files are UTF-8. */
function learned() {
  counted ??= JSON.parse(readFileSync(new URL('./letters.json', import.meta.url), 'utf8')) as NonNullable<
    typeof counted
  >;
  return counted;
}

/** A language of letters by its BCP 47 code; built once. */
export function language(name: string): Language {
  const known = languages.get(name) ?? build(name, learned().alphabetic[name] ?? {});
  languages.set(name, known);
  return known;
}

function build(name: string, counts: Record<string, number>): Language {
  let total = 0;
  for (const [key, count] of Object.entries(counts)) if (key.length === 1) total += count;
  const words = counts['_'] ?? 1;
  const frequency = (letter: string) => Math.max((counts[letter] ?? 0) / total, UNKNOWN_LETTER);
  const cache = new Map<string, number>();
  const follow = (previous: string, letter: string) => {
    const pair = previous + letter;
    let score = cache.get(pair);
    if (score === undefined) {
      const before = previous === '_' ? words : (counts[previous] ?? 0);
      const plain = PLAIN.least + PLAIN.share * before;
      score = Math.log(((counts[pair] ?? 0) + plain * frequency(letter)) / (before + plain));
      cache.set(pair, score);
    }
    return score;
  };
  return { name, follow };
}

/** The natural logarithm of how common an ideograph or a syllable is in a language, or undefined when it was not seen. */
export function characterFrequency(name: string, character: string): number | undefined {
  const counts = learned().ideographic[name] ?? {};
  const count = counts[character];
  return count === undefined ? undefined : Math.log(count / ideographTotal(name, counts));
}

const totals = new Map<string, number>();

function ideographTotal(name: string, counts: Record<string, number>): number {
  const known = totals.get(name) ?? Object.values(counts).reduce((sum, count) => sum + count, 0);
  totals.set(name, known);
  return known;
}

/** Languages that are written in Latin letters: the ones that ASCII words can belong to. */
function latinLanguages(): string[] {
  const { alphabetic } = learned();
  return Object.keys(alphabetic).filter((name) => (alphabetic[name]!['e'] ?? 0) > 100);
}
/** Any file may have English words and brands: it is what ASCII words are in files of other scripts. */
const ENGLISH = 'en';
const WORST_WORD = -3;
const WORST_LANGUAGE = -5;
const WORD_WEIGHT = 0.1;

/** How well each language explains the words of ASCII letters in a file, from -5 to 0; null stands for other scripts. */
export function plainWordFit(words: string[]): (name: string | null) => number {
  const latin = latinLanguages();
  const totals = new Map(latin.map((name) => [name, 0]));
  for (const word of words) {
    const english = wordLikelihood(word, language(ENGLISH));
    const scores = latin.map((name) => Math.max(wordLikelihood(word, language(name)), english));
    const best = Math.max(...scores);
    for (const [at, name] of latin.entries()) {
      totals.set(name, totals.get(name)! + Math.max(scores[at]! - best, WORST_WORD) * WORD_WEIGHT);
    }
  }
  const best = Math.max(...totals.values());
  return (name) => Math.max((totals.get(name ?? ENGLISH) ?? totals.get(ENGLISH)!) - best, WORST_LANGUAGE);
}

function wordLikelihood(word: string, { follow }: Language): number {
  let score = 0;
  let previous = '_';
  for (const letter of `${word}_`) {
    score += follow(previous, letter);
    previous = letter;
  }
  return score;
}
