import { foldExactName } from '../../config/schema/match-names.ts';

/** So many names of a kind are said of a difference. */
const SHOWN = 8;

/**
 * What is different about the columns of a file, as a part of a sentence: `"Marke" is now "Hersteller"; new: "EAN"`. Null when the
 * names are the same in the same order. Columns that only make room for others have not moved. Pure.
 */
export function compareHeaders(before: string[], now: string[]): string | null {
  const [old, fresh] = [named(before), named(now)];
  if (old.length === 0 || fresh.length === 0) {
    if (old.length === fresh.length) return null;
    return fresh.length === 0 ? 'the header is missing' : 'there is a header, as there was none before';
  }
  const kept = keptInOrder(old, fresh);
  const keys = new Set(kept.map(({ key }) => key));
  const [oldKeys, freshKeys] = [new Set(old.map(({ key }) => key)), new Set(fresh.map(({ key }) => key))];
  const gaps = gapsBetween(old, fresh, keys).map(({ dropped, added }) => ({
    dropped: dropped.filter(({ key }) => !freshKeys.has(key)),
    added: added.filter(({ key }) => !oldKeys.has(key)),
  }));
  const renamed = gaps.filter(({ dropped, added }) => dropped.length === added.length);
  const others = gaps.filter((gap) => !renamed.includes(gap));
  const parts = [
    ...renamed.flatMap(({ dropped, added }) => dropped.map(({ name }, at) => `"${name}" is now "${added[at]!.name}"`)),
    list(
      'moved',
      fresh.filter(({ key }) => oldKeys.has(key) && !keys.has(key)),
    ),
    list(
      'new',
      others.flatMap(({ added }) => added),
    ),
    list(
      'gone',
      others.flatMap(({ dropped }) => dropped),
    ),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join('; ');
}

/** A column by its folded name; a second one of the same name has another key. */
type Named = { key: string; name: string };

function named(header: string[]): Named[] {
  const seen = new Map<string, number>();
  return header.flatMap((cell) => {
    const name = foldExactName(cell);
    if (name === '') return [];
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return [{ key: `${times} ${name}`, name: cell.trim().slice(0, 60) }];
  });
}

/** The longest run of columns that stand in both headers in the same order. */
function keptInOrder(old: Named[], fresh: Named[]): Named[] {
  const places = new Map(fresh.map(({ key }, at) => [key, at]));
  const common = old.filter(({ key }) => places.has(key));
  const best: { length: number; before: number }[] = [];
  for (const [at, { key }] of common.entries()) {
    let [length, before] = [1, -1];
    for (let other = 0; other < at; other++) {
      if (places.get(common[other]!.key)! > places.get(key)! || best[other]!.length < length) continue;
      [length, before] = [best[other]!.length + 1, other];
    }
    best.push({ length, before });
  }
  const kept: Named[] = [];
  let at = best.findIndex(({ length }) => length === Math.max(...best.map((one) => one.length)));
  for (; at >= 0; at = best[at]!.before) kept.unshift(common[at]!);
  return kept;
}

/** What stands before, between and behind the kept columns. */
function gapsBetween(old: Named[], fresh: Named[], kept: Set<string>): { dropped: Named[]; added: Named[] }[] {
  const [dropped, added] = [split(old, kept), split(fresh, kept)];
  return dropped.map((gap, at) => ({ dropped: gap, added: added[at]! }));
}

function split(header: Named[], kept: Set<string>): Named[][] {
  const gaps: Named[][] = [[]];
  for (const column of header) {
    if (kept.has(column.key)) gaps.push([]);
    else gaps.at(-1)!.push(column);
  }
  return gaps;
}

function list(what: string, columns: Named[]): string {
  if (columns.length === 0) return '';
  const shown = columns.slice(0, SHOWN).map(({ name }) => `"${name}"`);
  const more = columns.length > shown.length ? ` and ${columns.length - shown.length} more` : '';
  return `${what}: ${shown.join(', ')}${more}`;
}
