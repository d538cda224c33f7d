import { decodeBytes } from '../../io/text-decode.ts';
import { wordEvidence, wordScore, type WordEvidence } from './alphabetic.ts';
import type { Candidate } from './charsets.ts';
import type { ForeignWord } from './foreign-words.ts';
import { foldName, type HeaderNames } from '../table/header-names.ts';
import { ideographicScore } from './ideographic.ts';
import { bytesScore, isIdeographic, type IdeographicCharset } from './ideographic-bytes.ts';
import { isLatin, language } from './language.ts';

/** How one charset reads the words of a file. */
export type Reading = {
  charset: string;
  /** The language that fits best. */
  language: string;
  /** Logarithm of the likelihood of all words, the prior included: comparable between readings of the same words. */
  score: number;
  /** Logarithm of the likelihood of one step from letter to letter: how well the best of readings fits at all. */
  fit: number;
  prior: number;
  /** Letters beyond ASCII stand alone only, as symbols do, or there are none where there should be. */
  isWordless: boolean;
  /** Header names of the trade among the words. */
  known: string[];
  words: string[];
};

/** What is known besides the words: folded header names, and what the ASCII words say about each language. */
export type Context = { names: HeaderNames; plainFit: (language: string | null) => number };

/** A word of another language of the same charset (a brand, a city) costs this much, not more. */
const OTHER_LANGUAGE = 3;
/** A whole list in a language that a charset is hardly used for costs this much: German is not written in windows-1250. */
const GUEST_LANGUAGE = 6;
const KNOWN_NAME = 4;
/** Letters beyond ASCII of which none is part of a word are symbols that were read wrong. */
const NO_WORD = 8;

/** Reads the words in one charset and says how plausible that is. Pure. */
export function readWords(words: ForeignWord[], candidate: Candidate, { names, plainFit }: Context): Reading {
  const decoded = decodeWords(words, candidate.charset);
  const weights = words.map(weightOf);
  const { charset, languages, guests = [] } = candidate;
  const { score, steps, language, isWordless } = isIdeographic(charset)
    ? readIdeographs(decoded, weights, charset, plainFit)
    : readLetters(decoded, weights, languages, guests, plainFit);
  const known = decoded.filter((word) => names.has(foldName(word)));
  return {
    charset,
    language: language ?? languages[0]!,
    score: score + candidate.prior + known.length * KNOWN_NAME,
    prior: candidate.prior,
    fit: score / Math.max(steps, 1),
    isWordless,
    known,
    words: decoded,
  };
}

/** What a character of a charset of ideographs may gain over its plane by being common. */
const COMMON = 2;

/** Whether a reading may come near `score`, as far as is seen without reading. */
export function mayReach(score: number, words: ForeignWord[], { charset, prior }: Candidate): boolean {
  if (!isIdeographic(charset)) return true;
  const most = words.map((word) => {
    const { score, steps } = bytesScore(word.bytes, charset);
    return (score + steps * COMMON) * weightOf(word);
  });
  return prior + most.reduce((sum, one) => sum + one, 0) >= score;
}

function weightOf({ count }: ForeignWord): number {
  return 1 + Math.log(count);
}

/** All words are decoded in one go, with newlines between them, which no charset of the trade reads as anything else. */
function decodeWords(words: ForeignWord[], charset: string): string[] {
  return decodeBytes(Buffer.from(words.map(({ bytes }) => bytes).join('\n'), 'latin1'), charset).split('\n');
}

function readIdeographs(
  words: string[],
  weights: number[],
  charset: IdeographicCharset,
  plainFit: Context['plainFit'],
) {
  let score = plainFit(null);
  let steps = 0;
  let isWordless = true;
  for (const [at, word] of words.entries()) {
    const judged = ideographicScore(word, charset);
    score += judged.score * weights[at]!;
    steps += judged.steps * weights[at]!;
    if (judged.steps > 1) isWordless = false;
  }
  return { score: isWordless ? score - NO_WORD : score, steps, language: null, isWordless };
}

function readLetters(
  words: string[],
  weights: number[],
  languages: string[],
  guests: string[],
  plainFit: Context['plainFit'],
) {
  const names = [...languages, ...guests];
  const evidence = words.map(wordEvidence);
  const steps = evidence.reduce((sum, { steps }, at) => sum + steps * weights[at]!, 0);
  const scores = names.map((name) => evidence.map((word) => wordScore(word, language(name))));
  const bestOfWord = words.map((_, at) => Math.max(...scores.map((perWord) => perWord[at]!)));
  const totals = scores.map((perWord, at) =>
    perWord.reduce(
      (sum, score, word) => sum + weights[word]! * Math.max(score, bestOfWord[word]! - OTHER_LANGUAGE),
      plainFit(names[at]!) - (guests.includes(names[at]!) ? GUEST_LANGUAGE : 0),
    ),
  );
  const best = Math.max(...totals);
  const isWordless = lacksWords(evidence, isLatin(names[0]!));
  return { score: isWordless ? best - NO_WORD : best, steps, language: names[totals.indexOf(best)]!, isWordless };
}

/** A list in an alphabet beyond Latin has words in it; one in Latin letters may have symbols only. */
function lacksWords(evidence: WordEvidence[], isLatin: boolean): boolean {
  const has = (kind: WordEvidence['letters']) => evidence.some(({ letters }) => letters === kind);
  return !has('word') && (has('alone') || !isLatin);
}
