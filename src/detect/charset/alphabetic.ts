import { characterOf, type Character } from './character.ts';
import type { Language } from './language.ts';

/** What a word costs in any language (symbols, mixed scripts, odd capitals), and the letter pairs that languages judge. */
export type WordEvidence = { fixed: number; pairs: [previous: string, letter: string][]; steps: number };

const SYMBOL = Math.log(4e-3);
const RARE_SYMBOL = Math.log(5e-5);
const BOX = Math.log(2e-6);
const BROKEN = Math.log(1e-8);
const MIXED_SCRIPTS = Math.log(5e-3);
const ODD_CAPITALS = Math.log(3e-2);
const SYMBOL_AT_NUMBER = Math.log(2e-2);
const MAX_ODD_CAPITALS = 3;

/** What a symbol costs beyond its rarity by where it stands: between letters, before a word, after one. */
const BETWEEN = placed({ '’·\u00A0': -2, '–—…': -4 });
const BEFORE = placed({ '«“„‘¿¡©№–—…·•\u00A0': 0, '°µ»”': -3 });
const AFTER = placed({ '»”’®™©–—…·\u00A0': 0, '°²³ªº': -1.5, '«“': -3 });
const MISPLACED = -8;
/** Symbols that belong to numbers. */
const AT_NUMBER = new Set('£€°±²³½¼¾×µ§№\u00A0');

function placed(costs: Record<string, number>): Map<string, number> {
  return new Map(Object.entries(costs).flatMap(([symbols, cost]) => Array.from(symbols, (symbol) => [symbol, cost])));
}

/** Takes one decoded word apart. Pairs of ASCII letters are left out: they are the same in every reading. */
export function wordEvidence(word: string): WordEvidence {
  const texts = Array.from(word);
  const characters = texts.map(characterOf);
  const evidence: WordEvidence = { fixed: 0, pairs: [], steps: 0 };
  let previous: Character | undefined;
  for (const [at, character] of characters.entries()) {
    if (isLetter(character)) {
      addLetter(evidence, previous, character);
    } else {
      if (previous?.kind === 'letter' || previous?.kind === 'mark') evidence.pairs.push([previous.folded, '_']);
      addOther(evidence, previous, character, characters[at + 1], texts[at]!);
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

function addLetter(evidence: WordEvidence, previous: Character | undefined, letter: Character): void {
  const inWord = previous !== undefined && isLetter(previous);
  if (letter.kind !== 'ascii-letter' || (inWord && previous.kind !== 'ascii-letter')) {
    evidence.pairs.push([inWord ? previous.folded : '_', letter.folded]);
  }
  const isMark = letter.kind === 'mark' || previous?.kind === 'mark';
  if (inWord && !isMark && previous.script !== letter.script) evidence.fixed += MIXED_SCRIPTS;
}

function addOther(
  evidence: WordEvidence,
  previous: Character | undefined,
  { kind }: Character,
  next: Character | undefined,
  text: string,
): void {
  if (kind === 'plain') return;
  const after = previous !== undefined && isLetter(previous);
  const before = next !== undefined && isLetter(next);
  evidence.steps += kind === 'symbol' ? 2 : 1;
  if (kind === 'broken') evidence.fixed += BROKEN;
  else if (kind === 'box') evidence.fixed += BOX;
  else if (kind === 'rare-symbol') evidence.fixed += RARE_SYMBOL + (after && before ? MISPLACED / 2 : 0);
  else if (after && before) evidence.fixed += SYMBOL + (BETWEEN.get(text) ?? MISPLACED);
  else if (before) evidence.fixed += SYMBOL + (BEFORE.get(text) ?? MISPLACED);
  else if (after) evidence.fixed += SYMBOL + (AFTER.get(text) ?? MISPLACED);
  else evidence.fixed += (previous ?? next) !== undefined && AT_NUMBER.has(text) ? SYMBOL_AT_NUMBER : SYMBOL;
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
