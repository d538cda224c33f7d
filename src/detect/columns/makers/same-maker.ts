import groups from './groups.json' with { type: 'json' };
import { BETWEEN_NAMES, LEGAL_FORM, makerKind, spellingsOfMaker } from '../makers.ts';

/** The makers with several spellings by each of these, folded. */
const GROUPS = new Map<string, string[]>();
for (const line of groups) {
  const names = line.split(' ');
  for (const name of names) GROUPS.set(name, (GROUPS.get(name) ?? []).concat(names));
}

/**
 * Whether a text is the name of a known maker that is another one than the brand. Names that are ordinary words as well are none for
 * certain, and a name of several makers may stand for each of them.
 */
export function isOtherMaker(spelling: string, brand: string): boolean {
  if (makerKind(spelling) === null) return false;
  const names = new Set(namesOf(brand).flatMap((name) => GROUPS.get(name) ?? [name]));
  return !namesOf(spelling).some((name) => names.has(name));
}

/** The folded names in a cell: its own, without a legal form, and those of several makers. */
function namesOf(cell: string): string[] {
  const whole = [cell, cell.replace(LEGAL_FORM, '')];
  return [...whole, ...cell.split(BETWEEN_NAMES)].flatMap(spellingsOfMaker).filter((name) => name !== '');
}
