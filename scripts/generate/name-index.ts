import languages from '../../src/columns/column-names.json' with { type: 'json' };
import { foldNames } from '../../src/columns/name-words.ts';

type Meaning = keyof (typeof languages)['English'];
type Strength = 'strong' | 'weak';
type Entries = Map<string, Map<Meaning, Strength>>;

/** src/columns/name-index.json as src/columns/column-names.json makes it: each name as it is looked up, with what it means. */
export function nameIndex(): string {
  const [whole, beginnings, endings]: Entries[] = [new Map(), new Map(), new Map()];
  for (const language of Object.values(languages)) {
    for (const [meaning, list] of Object.entries(language) as [Meaning, string][]) {
      const spellings = /[äöü]/i.test(list) ? [list, withoutUmlauts(list)] : [list];
      for (const written of spellings.flatMap((names) => foldNames(names, ',?*').split(','))) {
        addName(written.endsWith('*') ? beginnings! : written.startsWith('*') ? endings! : whole!, written, meaning);
      }
    }
  }
  const written = Object.values(languages)
    .flatMap((language) => Object.values(language))
    .flatMap((list) =>
      list
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N},*]+/gu, '')
        .split(','),
    )
    .filter((name) => !name.includes('*') && !whole!.has(name));
  const index = {
    whole: brief(whole!),
    beginnings: brief(beginnings!),
    endings: brief(endings!),
    written: [...new Set(written)].map((name) => `${name}\t`).sort(),
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}

/** What one language calls strong is strong. */
function addName(entries: Entries, written: string, meaning: Meaning): void {
  const strength = written.endsWith('?') ? 'weak' : 'strong';
  const name = written.replaceAll(/[?*]/g, '');
  const known = entries.get(name) ?? new Map<Meaning, Strength>();
  entries.set(name, known.set(meaning, known.get(meaning) === 'strong' ? 'strong' : strength));
}

/** Each name, a tab and what it means, in the order of their characters. */
function brief(entries: Entries): string[] {
  const sign = (strength: Strength) => (strength === 'weak' ? '?' : '');
  return [...entries]
    .map(
      ([name, means]) => `${name}\t${[...means].map(([meaning, strength]) => `${meaning}${sign(strength)}`).join(' ')}`,
    )
    .sort();
}

/** Umlauts become two letters where a keyboard lacks them. */
function withoutUmlauts(text: string): string {
  const lower = text.toLowerCase();
  return lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
}
