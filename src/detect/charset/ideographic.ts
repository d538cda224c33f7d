import { encodeBytes } from '../../io/text-decode.ts';
import { characterOf } from './character.ts';
import { characterFrequency } from './language.ts';
import { BROKEN, planeShare, type IdeographicCharset } from './ideographic-bytes.ts';

/** Ideographs that touch a Latin letter: `M8螺丝` exists, but it is what a wrong reading of accents looks like too. */
const BESIDE_LATIN = -2.5;
/** Half-width syllables and Cyrillic letters are rare, but hardly ever alone. */
const NEXT_OF_RUN = { 'half-width': Math.log(0.8 / 63), cyrillic: Math.log(0.8 / 66) };

const LANGUAGE = { gb18030: 'zh', big5: 'zh-Hant', shift_jis: 'ja', 'euc-jp': 'ja', 'euc-kr': 'ko' } as const;

/**
 * The logarithm of a decoded word's likelihood in a charset of ideographs or syllables. The standards themselves sort
 * characters into common and rare ones; those that were seen in real words count more.
 */
export function ideographicScore(word: string, charset: IdeographicCharset): { score: number; steps: number } {
  let score = 0;
  let steps = 0;
  let previous = 'none';
  for (const text of word) {
    const { kind } = characterOf(text);
    if (kind === 'plain' || kind === 'ascii-letter') {
      if (kind === 'ascii-letter' && previous !== 'none' && previous !== 'ascii-letter') score += BESIDE_LATIN;
      previous = kind === 'plain' ? 'none' : kind;
      continue;
    }
    if (previous === 'ascii-letter') score += BESIDE_LATIN;
    const run = runOf(text);
    score += run !== undefined && run === previous ? NEXT_OF_RUN[run] : characterScore(text, charset);
    steps += 1;
    previous = run ?? 'full';
  }
  return { score, steps };
}

function runOf(character: string): keyof typeof NEXT_OF_RUN | undefined {
  if (/[\uFF61-\uFF9F]/.test(character)) return 'half-width';
  return /\p{Script=Cyrillic}/u.test(character) ? 'cyrillic' : undefined;
}

const cache = new Map<string, number>();

function characterScore(character: string, charset: IdeographicCharset): number {
  const key = charset + character;
  let score = cache.get(key);
  if (score === undefined) {
    score = characterOf(character).kind === 'broken' ? BROKEN : mixed(character, charset);
    cache.set(key, score);
  }
  return score;
}

function mixed(character: string, charset: IdeographicCharset): number {
  const bytes = encodeBytes(character, LANGUAGE[charset] === 'ja' ? 'euc-jp' : charset);
  const structural = planeShare(bytes, charset);
  const seen = characterFrequency(LANGUAGE[charset], character);
  return Math.log(seen === undefined ? structural : 0.6 * structural + 0.4 * Math.exp(seen));
}
