import { isDeepStrictEqual } from 'node:util';
import { foldHalf } from '../../parts/part-key.ts';
import type { Condition, RuleField, RuleTest } from '../../model.ts';

type Leaf = Extract<Condition, { field: unknown }>;

/** Why no cell can be all that is asked of it, or null. */
export function contradictionIn(tests: RuleTest[], field: RuleField): string | null {
  const numbers = tests.filter((one) => one.test === 'below' || one.test === 'above' || one.test === 'equals');
  const below = Math.min(...numbers.flatMap((one) => (one.test === 'below' ? [one.value] : [])));
  const above = Math.max(...numbers.flatMap((one) => (one.test === 'above' ? [one.value] : [])));
  const equal = numbers.flatMap((one) => (one.test === 'equals' ? [one.value] : []));
  if (below <= above || equal.some((value) => value >= below || value <= above || value !== equal[0]))
    return 'can never be true: no number is all of this; write `any` for one or the other';
  const isEmpty = tests.some(asksEmpty);
  if (isEmpty && !tests.every(asksEmpty))
    return 'can never be true: an empty cell has no other value; write `any` for one or the other';
  return areApart(tests, field)
    ? 'can never be true: no value is in all of these; write them into one list, or `any` for one or the other'
    : null;
}

/**
 * Why a condition can never be true, or null: all of it asks contradictory things of one cell, or for something and its opposite. What can never be
 * true stands nowhere in a condition on purpose, so each part of it is looked at. Pure.
 */
export function whyNeverTrue(condition: Condition): string | null {
  if ('not' in condition) return whyNeverTrue(condition.not);
  const parts = 'any' in condition ? condition.any : partsOf(condition);
  for (const part of parts) {
    const why = part === condition ? null : whyNeverTrue(part);
    if (why !== null) return why;
  }
  if ('any' in condition) return null;
  const leaves = parts.filter((part): part is Leaf => 'field' in part);
  for (const same of Map.groupBy(leaves, ({ field }) => JSON.stringify(field)).values()) {
    const asks = same.map((leaf) => leaf.asks);
    const why = contradictionIn(asks, same[0]!.field);
    if (why !== null) return why;
  }
  const denied = parts.flatMap((part) => ('not' in part ? [part.not] : []));
  return denied.some((one) => parts.some((part) => isDeepStrictEqual(part, one)))
    ? 'can never be true: it asks for something and for its opposite; leave out one of them'
    : null;
}

/** What is asked together, however deep it is written. */
function partsOf(condition: Condition): Condition[] {
  return 'all' in condition ? condition.all.flatMap(partsOf) : [condition];
}

function asksEmpty(one: RuleTest): boolean {
  return one.test === 'empty' && one.value;
}

/** Whether lists of values have none in common. Brands may be spellings of each other, and a row may have several tags. */
function areApart(tests: RuleTest[], field: RuleField): boolean {
  if (field === 'brand' || field === 'tags') return false;
  const lists = tests.flatMap((one) => (one.test === 'in' ? [new Set(one.values.map(foldHalf))] : []));
  const [first, ...others] = lists;
  return first !== undefined && others.some((list) => ![...list].some((value) => first.has(value)));
}
