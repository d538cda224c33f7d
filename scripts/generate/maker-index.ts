import { readFileSync } from 'node:fs';
import { BETWEEN_NAMES, spellingsOfMaker } from '../../src/detect/columns/makers.ts';

/** src/detect/columns/makers/index.json as the lists beside it make it: each name as it is looked up, by kind. */
export function makerIndex(): string {
  const kinds = new Map<string, 'parts' | 'vehicles' | 'both' | 'ambiguous'>();
  for (const kind of ['parts', 'vehicles'] as const) {
    for (const spelling of spellingsIn(kind)) {
      for (const name of spellingsOfMaker(spelling)) {
        const known = kinds.get(name);
        const isAmbiguous = spelling.endsWith('?') || known === 'ambiguous';
        kinds.set(name, isAmbiguous ? 'ambiguous' : known === undefined || known === kind ? kind : 'both');
      }
    }
  }
  const namesOf = (kind: string) => [...kinds].flatMap(([name, one]) => (one === kind ? [name] : []));
  const index = {
    parts: namesOf('parts'),
    vehicles: namesOf('vehicles'),
    both: namesOf('both'),
    ambiguous: namesOf('ambiguous'),
    none: spellingsIn('no-makers').flatMap(spellingsOfMaker),
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}

/**
 * src/detect/columns/makers/groups.json: the makers with several spellings, as they are looked up. A name of several makers (`VW/AUDI`) is a
 * spelling of each of them, too.
 */
export function makerGroups(): string {
  const lines = (['parts', 'vehicles'] as const).flatMap(linesOf).map((line) => {
    const names = line.split(' = ');
    const all = names.concat(names.flatMap((name) => name.split(BETWEEN_NAMES))).flatMap(spellingsOfMaker);
    return Array.from(new Set(all)).join(' ').trim();
  });
  return `${JSON.stringify(
    lines.filter((line) => line.includes(' ')),
    null,
    2,
  )}\n`;
}

function spellingsIn(list: string): string[] {
  return linesOf(list).flatMap((line) => line.split(' = '));
}

function linesOf(list: string): string[] {
  const path = new URL(`../../src/detect/columns/makers/${list}.txt`, import.meta.url);
  return readFileSync(path, 'utf8').trim().split('\n');
}
