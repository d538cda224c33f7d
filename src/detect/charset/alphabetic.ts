import { characterOf, type Character } from './character.ts';
import type { Language } from './language.ts';

/** What a word costs in any language (symbols, mixed scripts, odd capitals), and the letter pairs that languages judge. */
export type WordEvidence = {
  fixed: number;
  pairs: [previous: string, letter: string][];
  steps: number;
  /** Whether letters beyond ASCII stand beside others of their alphabet, or only alone, as symbols do. */
  letters: 'none' | 'alone' | 'word';
};

const SYMBOL = Math.log(4e-3);
const RARE_SYMBOL = Math.log(5e-5);
const DEAD_SYMBOL = Math.log(5e-7);
const BOX = Math.log(2e-6);
const BROKEN = Math.log(1e-8);
const MIXED_SCRIPTS = Math.log(5e-3);
const ODD_CAPITALS = Math.log(3e-2);
const SYMBOL_AT_NUMBER = Math.log(2e-2);
/** Nobody sees one where a word may be broken: it is no part of the word, and may be in all words of a file. */
const SOFT_HYPHEN = Math.log(2e-2);
const NEXT_SYMBOL = -2;
const MAX_ODD_CAPITALS = 3;

/** What a symbol costs beyond its rarity by where it stands: between letters, before a word, after one. */
const BETWEEN = placed({ '’´·\u00A0': -2, '–—…': -4 });
const BEFORE = placed({ '«“„‘¿¡№–—…·•\u00A0': 0, '°µ»”´×': -3 });
const AFTER = placed({ '»”’´®™©–—…·\u00A0': 0, '²³': 1.5, '°ªº': -1.5, '«“×': -3 });
const MISPLACED = -10;
const MISPLACED_BETWEEN = -15;
/** Symbols that belong to numbers. */
const AT_NUMBER = new Set('£€°±²³½¼¾×µ§№´øƒ¢¥\u00A0');
/** Letters that stand for a diameter and for a currency where no letter is beside them. */
const LONE_SYMBOLS = new Map<string, Character>(
  Array.from('øƒ', (folded) => [folded, { kind: 'symbol', script: 'none', case: 'none', folded }]),
);

function placed(costs: Record<string, number>): Map<string, number> {
  return new Map(Object.entries(costs).flatMap(([symbols, cost]) => Array.from(symbols, (symbol) => [symbol, cost])));
}

/** Takes one decoded word apart. Pairs of ASCII letters are left out: they are the same in every reading. */
export function wordEvidence(word: string): WordEvidence {
  const characters = charactersOf(word);
  const evidence: WordEvidence = { fixed: 0, pairs: [], steps: 0, letters: lettersIn(characters) };
  let previous: Character | undefined;
  for (const [at, character] of characters.entries()) {
    if (isLetter(character)) {
      addLetter(evidence, previous, character);
    } else if (breaksWord(previous, character, characters[at + 1])) {
      evidence.fixed += SOFT_HYPHEN;
      evidence.steps += 1;
      continue;
    } else {
      if (previous?.kind === 'letter' || previous?.kind === 'mark') evidence.pairs.push([previous.folded, '_']);
      addOther(evidence, previous, character, characters[at + 1]);
    }
    previous = character;
  }
  if (previous?.kind === 'letter' || previous?.kind === 'mark') evidence.pairs.push([previous.folded, '_']);
  evidence.fixed += oddCapitals(characters) * ODD_CAPITALS;
  evidence.steps += evidence.pairs.length;
  return evidence;
}

/** The logarithm of the word's likelihood in a language. */
export function wordScore(evidence: WordEvidence, language: Language): number {
  let score = evidence.fixed;
  for (const [previous, letter] of evidence.pairs) score += language.follow(previous, letter);
  return score;
}

function isLetter({ kind }: Character): boolean {
  return kind === 'ascii-letter' || kind === 'letter' || kind === 'mark';
}

/** Whether a character is a soft hyphen between two letters or digits. */
function breaksWord(previous: Character | undefined, { folded }: Character, next: Character | undefined): boolean {
  return folded === '\u00AD' && isOfWord(previous) && isOfWord(next);
}

function isOfWord(character: Character | undefined): boolean {
  return character !== undefined && (isLetter(character) || /\d/.test(character.folded));
}

function charactersOf(word: string): Character[] {
  const found = Array.from(word, characterOf);
  const isLone = (at: number) =>
    ![found[at - 1], found[at + 1]].some((beside) => beside !== undefined && isLetter(beside));
  return found.map((character, at) => (isLone(at) && LONE_SYMBOLS.get(character.folded)) || character);
}

function addLetter(evidence: WordEvidence, previous: Character | undefined, letter: Character): void {
  const inWord = previous !== undefined && isLetter(previous);
  if (letter.kind !== 'ascii-letter' || (inWord && previous.kind !== 'ascii-letter')) {
    evidence.pairs.push([inWord ? previous.folded : '_', letter.folded]);
  }
  const isMark = letter.kind === 'mark' || previous?.kind === 'mark';
  if (inWord && !isMark && previous.script !== letter.script) evidence.fixed += MIXED_SCRIPTS;
}

function lettersIn(characters: Character[]): WordEvidence['letters'] {
  const foreign = characters.flatMap(({ kind }, at) => (kind === 'letter' ? [at] : []));
  if (foreign.length === 0) return 'none';
  const isBeside = (at: number, beside: number) => characters[at]!.script === characters[beside]?.script;
  return foreign.some((at) => isBeside(at, at - 1) || isBeside(at, at + 1)) ? 'word' : 'alone';
}

function addOther(
  evidence: WordEvidence,
  previous: Character | undefined,
  { kind, folded }: Character,
  next: Character | undefined,
): void {
  if (kind === 'plain') return;
  const after = previous !== undefined && isLetter(previous);
  const before = next !== undefined && isLetter(next);
  evidence.steps += kind === 'symbol' ? 2 : 1;
  if (previous !== undefined && isSymbol(previous)) evidence.fixed += NEXT_SYMBOL;
  const misplaced = after || before ? MISPLACED : 0;
  if (kind === 'broken') evidence.fixed += BROKEN;
  else if (kind === 'box') evidence.fixed += BOX;
  else if (kind === 'rare-symbol') evidence.fixed += RARE_SYMBOL + misplaced;
  else if (kind === 'dead-symbol') evidence.fixed += DEAD_SYMBOL + misplaced;
  else if (after && before) evidence.fixed += SYMBOL + (BETWEEN.get(folded) ?? MISPLACED_BETWEEN);
  else if (before && isMicro(folded, previous)) evidence.fixed += SYMBOL_AT_NUMBER;
  else if (before) evidence.fixed += SYMBOL + (BEFORE.get(folded) ?? MISPLACED);
  else if (after) evidence.fixed += SYMBOL + (AFTER.get(folded) ?? MISPLACED);
  else evidence.fixed += (previous ?? next) !== undefined && AT_NUMBER.has(folded) ? SYMBOL_AT_NUMBER : SYMBOL;
}

/** A millionth, between a number and the letter of a unit: `10µF`. */
function isMicro(folded: string, previous: Character | undefined): boolean {
  return folded === 'µ' && previous !== undefined && /\d/.test(previous.folded);
}

function isSymbol({ kind }: Character): boolean {
  return kind === 'symbol' || kind === 'rare-symbol' || kind === 'dead-symbol';
}

/** Capitals behind small letters, and small letters behind several capitals: what the wrong Cyrillic charset shows. */
function oddCapitals(characters: Character[]): number {
  let odd = 0;
  let capitals = 0;
  let previous: Character['case'] = 'none';
  for (const { case: now } of characters) {
    if (now === 'upper' && previous === 'lower') odd += 1;
    if (now === 'lower' && previous === 'upper' && capitals >= 2) odd += 1;
    capitals = now === 'upper' ? capitals + 1 : 0;
    previous = now;
  }
  return Math.min(odd, MAX_ODD_CAPITALS);
}
