import type { ColumnSettings, ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue, ValueHabits } from '../../model.ts';
import { damageOf, shapeOf } from '../../values/damaged-numbers.ts';
import { whyNoNumber, type NoNumber } from '../../values/no-numbers.ts';
import { foldPlaceholder, isPlaceholder, type Where } from '../../values/placeholders.ts';
import { createIssue, type Place } from '../issues/create-issue.ts';
import type { ColumnMap } from '../header/header.ts';

/** What of one file's values is taken for what it is, whatever it looks like. */
export type ValueRules = {
  /** Folded values that the feed keeps, and brands that are makers in this file besides. */
  kept: ReadonlySet<string>;
  brands: ReadonlySet<string>;
  /** Shapes of numbers that only look damaged. */
  shapes: ReadonlySet<string>;
  /** The name of the column of numbers, folded: a cell with it is none. Null where it could be one. */
  header: string | null;
};

const NONE: ValueHabits = { makers: [], shapes: [] };

/** The rules for the values of one file: what its feed keeps, and what its columns show of themselves. */
export function valueRules({ keep, columns }: ReadSettings, habits: ValueHabits | null, map: ColumnMap): ValueRules {
  const { makers, shapes } = habits ?? NONE;
  const kept = keep.map((value) => foldPlaceholder(value) || value.trim());
  const place = map.places[columns.findIndex(({ key }) => key === 'oem')] ?? null;
  return {
    kept: new Set(kept),
    brands: new Set([...kept, ...makers]),
    shapes: new Set(shapes),
    header: place === null ? null : headerWord(map.header[place] ?? ''),
  };
}

/** A header with a digit may be a number itself: then the first row was taken for one. */
function headerWord(name: string): string | null {
  const word = foldPlaceholder(name);
  return word === '' || /\d/.test(word) ? null : word;
}

/** Whether a cell that is not empty stands for nothing in its column. */
export function standsForNothing(cell: string, where: Where, { kept, brands, header }: ValueRules): boolean {
  if (isPlaceholder(cell, where, where === 'brand' ? brands : kept)) return true;
  return where === 'oem' && header !== null && foldPlaceholder(cell) === header && !kept.has(header);
}

/** The column of the table of placeholders that a column of the offer file is; null when nothing is known of it. */
export function whereIn({ key, list }: ColumnSettings): Where | null {
  if (list) return 'tags';
  return key === 'brand' || key === 'oem' || key === 'name' ? key : null;
}

/** The issue of a cell that stands for nothing: the row is dropped, or the cell is emptied. */
export function placeholderIssue(place: Place, isDropped: boolean): Issue {
  const consequence = isDropped
    ? 'the row is dropped. Write the real value, or keep this one with feeds.NAME.values.keep'
    : 'it is left out. Leave the cell empty, or keep the value with feeds.NAME.values.keep';
  return createIssue('placeholder-value', place, { consequence }, isDropped ? 'error' : 'info');
}

const NO_NUMBER: Record<NoNumber, string> = {
  example: 'is the example of a template',
  sentence: 'is a sentence',
  brand: 'is the brand once more',
  address: 'is an address of the web or of mail',
  price: 'is a price',
  quantity: 'is a quantity',
  reference: 'names another part',
  unknown: 'has question marks in place of letters or digits',
};

/** The issue of a text in the place of a number that is none, or null. */
export function noNumberIssue(number: string, brand: string, line: number, { kept }: ValueRules): Issue | null {
  const why = whyNoNumber(number, brand);
  if (why === null || kept.has(foldPlaceholder(number))) return null;
  return createIssue('no-article-number', { line, column: 'oem', value: number }, { why: NO_NUMBER[why] });
}

/** The issue of a number that a spreadsheet or an export has damaged, or null. */
export function damageIssue(
  number: string,
  place: Place,
  rules: ValueRules,
  { onDamagedNumber }: Pick<ReadSettings, 'onDamagedNumber'>,
): Issue | null {
  const damage = damageOf(number);
  if (damage === null || rules.shapes.has(shapeOf(number)) || rules.kept.has(foldPlaceholder(number))) return null;
  const isDropped = onDamagedNumber === 'drop';
  const facts = { consequence: isDropped ? 'The row is dropped' : 'The row is kept' };
  const severity = isDropped ? 'error' : 'warning';
  switch (damage) {
    case 'date':
      return createIssue('number-became-date', place, facts, severity);
    case 'power':
      return createIssue('scientific-notation', place, facts, severity);
    case 'digits':
      return createIssue('digits-lost', place, facts, severity);
    case 'comment':
      return createIssue('comment-in-number', place, facts, severity);
  }
}
