import { wordEvidence, wordScore } from './alphabetic.ts';
import { characterOf } from './character.ts';
import type { Candidate } from './charsets.ts';
import { language } from './language.ts';

/** The logarithm of the likelihood of a step from letter to letter: words of a language are far above, names of others too. */
const WORST_STEP = -9;
/** One word may be a name or a slip. */
const LEAST_WORDS = 2;

/**
 * Finds a character beyond ASCII that makes nonsense of all words it stands in, in each language of the charset: a charset that
 * differs in a few letters only has another one there. Pure.
 */
export function misreadCharacter(words: string[], { languages, guests = [] }: Candidate): string | undefined {
  const judges = [...languages, ...guests].map((name) => language(name));
  const groups = new Map<string, { steps: number; words: number }>();
  for (const word of new Set(words.map((written) => written.toLowerCase()))) {
    const evidence = wordEvidence(word);
    const best = Math.max(...judges.map((judge) => wordScore(evidence, judge)));
    for (const character of new Set(charactersInside(word))) {
      const group = groups.get(character) ?? { steps: 0, words: 0 };
      group.steps += best / evidence.steps;
      group.words += 1;
      groups.set(character, group);
    }
  }
  const isNonsense = (group: { steps: number; words: number }) =>
    group.words >= LEAST_WORDS && group.steps < group.words * WORST_STEP;
  return [...groups].find(([, group]) => isNonsense(group))?.[0];
}

/** Letters beyond ASCII, and what stands between letters; symbols that are common stand anywhere: `1ºPISO`. */
function charactersInside(word: string): string[] {
  const characters = Array.from(word);
  const isLetter = (at: number) => at in characters && /^(?:ascii-)?letter$/.test(characterOf(characters[at]!).kind);
  return characters.filter((character, at) => {
    const { kind } = characterOf(character);
    if (kind === 'plain' || kind === 'ascii-letter' || kind === 'symbol') return false;
    return kind === 'letter' || (isLetter(at - 1) && isLetter(at + 1));
  });
}
