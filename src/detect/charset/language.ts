import { readFileSync } from 'node:fs';

/** The natural logarithm of how likely `letter` follows `previous` in a language; `_` is the border of a word. */
export type Language = { name: string; follow: (previous: string, letter: string) => number };

/** How much the plain frequency of a letter counts beside what was seen to follow another one. */
const PLAIN = { least: 4, share: 0.1 };
/** Letters that a language does not have at all turn up in names only. */
const UNKNOWN_LETTER = 2e-5;

/** How often letters were met, by language: `а 12 б 3`. */
type Written = string;
type Learned = {
  /** Languages that are written in Latin letters: the ones that ASCII words can belong to. */
  latin: string[];
  /** Of each letter how often it was met, and then the letters that followed it. */
  alphabetic: Record<string, Record<string, Written>>;
  ideographic: Record<string, Written>;
};
let known: Learned | undefined;
const languages = new Map<string, Language>();

/** Read when they are asked for: most files are UTF-8. */
function learned(): Learned {
  known ??= JSON.parse(readFileSync(new URL('./letters.json', import.meta.url), 'utf8')) as Learned;
  return known;
}

function countsIn(written: Written | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  const words = (written ?? '').split(' ');
  for (let at = 0; at + 1 < words.length; at += 2) counts.set(words[at]!, Number(words[at + 1]));
  return counts;
}

/** A language of letters by its BCP 47 code; built once. */
export function language(name: string): Language {
  const built = languages.get(name) ?? build(name, learned().alphabetic[name] ?? {});
  languages.set(name, built);
  return built;
}

/** Whether a language is written in Latin letters. */
export function isLatin(name: string): boolean {
  return learned().latin.includes(name);
}

function build(name: string, letters: Record<string, Written>): Language {
  const met = new Map(Object.entries(letters).map(([letter, written]) => [letter, Number.parseInt(written, 10)]));
  let total = 0;
  for (const count of met.values()) total += count;
  const frequency = (letter: string) => Math.max((met.get(letter) ?? 0) / total, UNKNOWN_LETTER);
  const followers = new Map<string, (letter: string) => number>();
  const after = (previous: string) => {
    const before = met.get(previous) ?? (previous === '_' ? 1 : 0);
    const plain = PLAIN.least + PLAIN.share * before;
    const counts = countsIn(letters[previous]?.replace(/^\d+ ?/, ''));
    const scores = new Map<string, number>();
    return (letter: string) => {
      let score = scores.get(letter);
      if (score === undefined) {
        score = Math.log(((counts.get(letter) ?? 0) + plain * frequency(letter)) / (before + plain));
        scores.set(letter, score);
      }
      return score;
    };
  };
  const follow = (previous: string, letter: string) => {
    let follower = followers.get(previous);
    if (follower === undefined) followers.set(previous, (follower = after(previous)));
    return follower(letter);
  };
  return { name, follow };
}

type Frequencies = { counts: Map<string, number>; total: number };
const frequencies = new Map<string, Frequencies>();

/** The natural logarithm of how common an ideograph or a syllable is in a language, or undefined when it was not seen. */
export function characterFrequency(name: string, character: string): number | undefined {
  const { counts, total } = frequencies.get(name) ?? countFrequencies(name);
  const count = counts.get(character);
  return count === undefined ? undefined : Math.log(count / total);
}

function countFrequencies(name: string): Frequencies {
  const counts = countsIn(learned().ideographic[name]);
  const counted = { counts, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  frequencies.set(name, counted);
  return counted;
}

/** Any file may have English words and brands: it is what ASCII words are in files of other scripts. */
const ENGLISH = 'en';
const WORST_WORD = -3;
const WORST_LANGUAGE = -8;
const WORD_WEIGHT = 0.1;

/** How well each language explains the words of ASCII letters in a file, from -8 to 0; null stands for other scripts. */
export function plainWordFit(words: string[]): (name: string | null) => number {
  const { latin } = learned();
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
