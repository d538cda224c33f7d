import { encodeBytes } from '../text-decode.ts';
import { characterOf } from './character.ts';
import { characterFrequency } from './language.ts';

const BROKEN = Math.log(1e-8);
/** Ideographs that touch a Latin letter: `M8螺丝` exists, but it is what a wrong reading of accents looks like too. */
const BESIDE_LATIN = -2.5;
/** Half-width syllables and Cyrillic letters are rare, but hardly ever alone. */
const NEXT_OF_RUN = { 'half-width': Math.log(0.8 / 63), cyrillic: Math.log(0.8 / 66) };

const LANGUAGE = { gb18030: 'zh', big5: 'zh-Hant', shift_jis: 'ja', 'euc-jp': 'ja', 'euc-kr': 'ko' } as const;

export type IdeographicCharset = keyof typeof LANGUAGE;

export function isIdeographic(charset: string): charset is IdeographicCharset {
  return Object.hasOwn(LANGUAGE, charset);
}

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
  const structural = STRUCTURE[charset](character);
  const seen = characterFrequency(LANGUAGE[charset], character);
  return Math.log(seen === undefined ? structural : 0.6 * structural + 0.4 * Math.exp(seen));
}

/** The share of a charset's plane in running text, divided by the number of its characters. */
const STRUCTURE: Record<IdeographicCharset, (character: string) => number> = {
  gb18030: (character) => {
    const [lead = 0, trail = 0, third] = encodeBytes(character, 'gb18030');
    if (third !== undefined) return 1e-7;
    if (lead < 0xa1 || trail < 0xa1) return 0.01 / 14_000;
    if (lead === 0xa1 || lead === 0xa3) return 0.1 / 188;
    if (lead >= 0xb0 && lead <= 0xd7) return 0.75 / 3755;
    return lead >= 0xd8 && lead <= 0xf7 ? 0.06 / 3008 : 2e-6;
  },
  big5: (character) => {
    const [lead = 0] = encodeBytes(character, 'big5');
    if (lead >= 0xa4 && lead <= 0xc6) return 0.8 / 5401;
    if (lead >= 0xc9 && lead <= 0xf9) return 0.04 / 7652;
    return lead >= 0xa1 && lead <= 0xa3 ? 0.1 / 400 : 1e-6;
  },
  'euc-kr': (character) => {
    const [lead = 0, trail = 0] = encodeBytes(character, 'euc-kr');
    if (lead < 0xa1 || trail < 0xa1) return 0.01 / 8822;
    if (lead >= 0xb0 && lead <= 0xc8) return 0.85 / 2350;
    if (lead >= 0xca && lead <= 0xfd) return 0.01 / 4888;
    if (lead === 0xa2 || lead === 0xa4) return 0.02 / 188;
    return lead === 0xa1 || lead === 0xa3 ? 0.05 / 188 : 1e-6;
  },
  shift_jis: japanese,
  'euc-jp': japanese,
};

function japanese(character: string): number {
  if (/[\uFF61-\uFF9F]/.test(character)) return 0.02 / 63;
  if (/[\u3041-\u3096]/.test(character)) return 0.3 / 83;
  if (/[\u30A0-\u30FF]/.test(character)) return 0.25 / 86;
  const [lead = 0, , third] = encodeBytes(character, 'euc-jp');
  if (third !== undefined || lead < 0xa1) return 1e-6;
  if (lead >= 0xb0 && lead <= 0xcf) return 0.3 / 2965;
  if (lead >= 0xd0 && lead <= 0xf4) return 0.02 / 3390;
  if (lead === 0xa2) return 0.01 / 94;
  return lead <= 0xa3 ? 0.1 / 160 : 1e-5;
}
