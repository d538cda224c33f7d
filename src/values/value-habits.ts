import type { ValueHabits } from '../model.ts';
import { genuineShapes } from './damaged-numbers.ts';
import { mayBeMaker } from './placeholders.ts';

/** A value of a brand column in at least so many of its rows is a maker, where each row has a number of its own. */
const LARGE_PART = 1 / 3;
const LEAST_ROWS = 3;
/** Numbers of their own: so many of them differ. */
const LEAST_DISTINCT = 0.9;

/** What a table's brands and numbers show of themselves. `rows`: brand and number of some of its rows, empty where there is none; `hasDates` as for `genuineShapes`. */
export function habitsOf(
  rows: readonly (readonly [brand: string, number: string])[],
  { hasDates }: { hasDates: boolean },
): ValueHabits {
  const numbers = rows.map(([, number]) => number).filter((number) => number !== '');
  return { makers: makersAmong(rows), shapes: genuineShapes(numbers, { hasDates }) };
}

/** Words that stand for nothing elsewhere, and are makers here. */
function makersAmong(rows: readonly (readonly [brand: string, number: string])[]): string[] {
  const numbers = new Map<string, string[]>();
  let filled = 0;
  for (const [brand, number] of rows) {
    if (brand === '') continue;
    filled += 1;
    const known = numbers.get(brand);
    if (known === undefined) numbers.set(brand, [number]);
    else known.push(number);
  }
  const makers = [...numbers].flatMap(([brand, its]) => {
    const word = its.length < Math.max(filled * LARGE_PART, LEAST_ROWS) ? null : mayBeMaker(brand);
    return word !== null && new Set(its).size >= its.length * LEAST_DISTINCT ? [word] : [];
  });
  return [...new Set(makers)];
}

/** What the habits of a table mean, a sentence for each. */
export function habitEvidence({ makers, shapes }: ValueHabits): string[] {
  return [
    ...makers.map(
      (maker) => `"${maker}" is taken for a maker: a large part of the brands is called so, with numbers of their own.`,
    ),
    ...(shapes.length === 0
      ? []
      : ['Numbers that look like dates or powers of ten are taken as they are where the column is written so.']),
  ];
}
