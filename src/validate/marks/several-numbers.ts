import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { severalNumbers } from '../../parts/several-numbers.ts';
import { createIssue, type Place } from '../issues/catalogue.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import type { ColumnMap } from '../checks/header.ts';
import { quoted } from '../checks/repair.ts';

/** Finds cells that hold several numbers, in a file of which nobody has said what they mean. */
export type NumberCheck = (written: string, place: Place, issues: Issue[]) => void;

/** Creates the check of the numbers of a file; null where none of them is looked at. */
export function createNumberCheck({ watched }: Pick<ReadSettings, 'watched'>): NumberCheck | null {
  if (watched === undefined) return null;
  const { marks, shapes } = watched;
  const known = shapes === null ? null : new Set(shapes);
  return (written, place, issues) => {
    const found = severalNumbers(written, marks, known);
    if (found === null) return;
    const separator = found.marks.map((mark) => JSON.stringify(mark)).join(', ');
    const setting = `numbers: { separator: ${found.marks.length === 1 ? separator : `[${separator}]`}, take: each }`;
    issues.push(createIssue('several-numbers', place, { first: quoted(found.pieces[0]!), setting }));
  };
}

/**
 * The rows that a row stands for where its cell of numbers holds several that are taken one by one, or of which the first is taken; the row
 * itself where it holds one.
 */
export function rowsOfNumbers(row: ScannedRow, settings: ReadSettings, { places }: ColumnMap): ScannedRow[] {
  const { numbers } = settings;
  if (numbers === null || numbers.take === 'whole' || row.problem !== null) return [row];
  const place = places[settings.columns.findIndex(({ key }) => key === 'oem')] ?? null;
  const written = place === null ? undefined : row.cells[place];
  if (place === null || written === undefined) return [row];
  const found = severalNumbers(written, numbers.separators, null, true);
  if (found === null) return [row];
  const taken = numbers.take === 'first' ? found.pieces.slice(0, 1) : found.pieces;
  return taken.map((number) => Object.assign({}, row, { cells: row.cells.with(place, number) }));
}
