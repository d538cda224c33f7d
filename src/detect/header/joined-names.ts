import { knowledgeOf } from './known-cells.ts';
import type { HeaderNames } from '../table/header-names.ts';

/**
 * The names that a header of several rows gives to the columns. A name of its own that is known stands for itself; otherwise what
 * stands above it belongs to it: `Price` over `retail` and `net`, `Part` over `number`. Pure.
 */
export function joinedNames(rows: string[][], names: HeaderNames): string[] {
  return rows.reduce((upper, lower) => joinRows(upper, lower, names));
}

function joinRows(upper: string[], lower: string[], names: HeaderNames): string[] {
  const length = Math.max(upper.length, lower.length);
  const spread = spreadTitles(upper, lower, length);
  return Array.from({ length }, (_, at) => {
    const [above, own, title] = [upper[at] ?? '', lower[at] ?? '', spread[at]!];
    if (own === '' || title === '' || title === own) return own === '' ? above : own;
    const joined = `${title} ${own}`;
    if (isKnown(joined, names)) return joined;
    if (isKnown(own, names) && isOnly(own, lower)) return own;
    if (isKnown(title, names) && isOnly(title, spread)) return title;
    return joined;
  });
}

/** The title of a group stands in the first of its cells only: it holds for the empty ones to its right that have names below. */
function spreadTitles(upper: string[], lower: string[], length: number): string[] {
  let title = '';
  return Array.from({ length }, (_, at) => {
    const own = upper[at] ?? '';
    if (own !== '') title = (lower[at] ?? '') === '' ? '' : own;
    else if ((lower[at] ?? '') === '') title = '';
    return own === '' ? title : own;
  });
}

function isKnown(name: string, names: HeaderNames): boolean {
  return knowledgeOf(name, names) === 'whole';
}

function isOnly(name: string, row: string[]): boolean {
  return row.indexOf(name) === row.lastIndexOf(name);
}
