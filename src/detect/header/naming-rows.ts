import { meaningsOf } from '../../columns/column-names.ts';
import { cellKind } from '../table/cells.ts';
import type { KnownNames } from '../table/header-names.ts';
import type { Row } from '../table/table.ts';
import { isOdd } from './columns-below.ts';
import type { Knowledge } from './known-cells.ts';

/** So many names make a row one that names columns; fewer do if they are those of brand and number. */
const LEAST = 2;
const PLENTY = 3;

/**
 * The rows that name columns, whatever their other cells are: dates, long texts, labels with a colon, names that a program made up
 * (`Unnamed: 4`), or nothing. In an introduction names stand before their values (`Currency;EUR;Date;04.05.2026`), in a header beside
 * each other. Pure.
 */
export function namingRows(rows: Row[], knowledge: (cell: string) => Knowledge, names: KnownNames): Set<Row> {
  return new Set(
    rows.filter(({ cells }) =>
      isNaming(
        cells.map(({ text }) => text.trim()),
        knowledge,
        names,
      ),
    ),
  );
}

function isNaming(cells: string[], knowledge: (cell: string) => Knowledge, names: KnownNames): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const known = filled.map((cell) => {
    const found = knowledge(cell);
    return found === 'whole' && isAmountWord(cell) ? 'none' : found;
  });
  const whole = new Map(filled.flatMap((cell, at) => (known[at] === 'whole' ? [[cell.toLowerCase(), cell]] : [])));
  if ((whole.size > 0 && names.isComplete(cells)) || areBareLabels(cells, known)) return true;
  if (whole.size > 0 && !known.includes('none') && areRepeated(filled)) return true;
  if (whole.size < LEAST || areMostlyPairs(filled)) return false;
  if (filled.filter((cell) => cellKind(cell) === 'number').length >= whole.size) return false;
  // A name among the words of a cell counts beside whole ones, but not that of an amount: `3 days`.
  const isName = filled.map((cell, at) => known[at] === 'whole' || (known[at] === 'words' && !/\d/.test(cell)));
  if (!isName.some((one, at) => one && isName[at + 1] === true)) return false;
  if (whole.size >= PLENTY || namesPart([...whole.values()])) return true;
  const others = filled.filter((cell, at) => !isName[at] && !isOdd(cell)).length;
  return isName.filter(Boolean).length >= PLENTY && others === 0;
}

/** Whether the same names come again in the same order, as above tables that stand beside each other: `Art.;Price;Art.;Price`. */
function areRepeated(cells: string[]): boolean {
  const length = cells.indexOf(cells[0]!, 1);
  return length >= LEAST && cells.length % length === 0 && cells.every((cell, at) => cell === cells[at % length]);
}

/** Whether a row has nothing but known names with a colon behind each, side by side: labels have their values beside or below them. */
function areBareLabels(cells: string[], known: Knowledge[]): boolean {
  const row = cells.slice(
    cells.findIndex((cell) => cell !== ''),
    cells.findLastIndex((cell) => cell !== '') + 1,
  );
  return row.length >= LEAST && row.every((cell) => cell.endsWith(':')) && !known.includes('none');
}

/** Whether most labels of a row have their values beside them: `Supplier:;Parts Ltd.;Currency:;EUR`. */
function areMostlyPairs(filled: string[]): boolean {
  const labels = filled.flatMap((cell, at) => (cell.endsWith(':') ? [at] : []));
  const pairs = labels.filter((at) => at + 1 < filled.length && !filled[at + 1]!.endsWith(':'));
  return pairs.length * 2 > labels.length;
}

/** `EUR`, `total`: a word that stands below a name as often as it is one. */
function isAmountWord(cell: string): boolean {
  const meanings = meaningsOf(cell);
  return meanings.length > 0 && meanings.every(({ meaning, strength }) => meaning === 'price' && strength === 'weak');
}

/** Whether the names of brand and number are among these. */
function namesPart(names: string[]): boolean {
  const meanings = names.map(
    (name) => new Set(meaningsOf(name).flatMap(({ meaning, whole }) => (whole ? meaning : []))),
  );
  return meanings.some(
    (one, at) => one.has('brand') && meanings.some((other, place) => place !== at && other.has('oem')),
  );
}
