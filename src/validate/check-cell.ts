import type { ColumnSettings, ReadSettings } from '../config/feed-settings.ts';
import type { Issue } from '../model.ts';
import { createIssue } from './catalogue.ts';
import { cleanCell, isScientific, isStriking } from './clean-cell.ts';

/** The row in which a cell stands; what is found is added to its issues. */
export type CellCheck = { settings: ReadSettings; charset: string; line: number; issues: Issue[] };

/** Answers the cell as it is uploaded, and adds what is wrong with it to the issues of its row. */
export function checkCell(written: string, column: ColumnSettings, check: CellCheck): string {
  const { settings, line, issues } = check;
  const place = { line, column: column.key, value: written };
  const max = settings.limits.cellLength;
  if (written.length > max) {
    issues.push(createIssue('cell-too-long', place, { count: written.length, max }));
    return '';
  }
  const cell = isStriking(written) ? repairCell(written, place, check) : written.trim();
  if (cell === '') {
    if (column.required) issues.push(emptyIssue(column.key, { ...place, value: '' }));
    return cell;
  }
  if (column.key === 'oem' && isScientific(cell)) issues.push(createIssue('scientific-notation', place, {}));
  return column.list ? checkTags(cell, place, check) : cell;
}

function repairCell(
  written: string,
  place: { line: number; column: string; value: string },
  { charset, issues }: CellCheck,
): string {
  const clean = cleanCell(written);
  if (clean.undecodable) issues.push(createIssue('undecodable', place, { charset }));
  if (clean.mojibake) issues.push(createIssue('mojibake', place, {}));
  if (clean.removed > 0) issues.push(createIssue('control-character', place, { count: clean.removed }));
  return clean.text;
}

function emptyIssue(key: string, place: { line: number; column: string; value: string }): Issue {
  if (key === 'brand') return createIssue('brand-empty', place, {});
  if (key === 'oem') return createIssue('oem-empty', place, {});
  return createIssue('value-empty', place, {});
}

/** Trims tags, drops empty and repeated ones, and keeps to the limit. */
function checkTags(
  cell: string,
  place: { line: number; column: string; value: string },
  { settings, issues }: CellCheck,
): string {
  const { tagSeparator, maxTags: max, onTooManyTags } = settings;
  const tags = [...new Set(cell.split(tagSeparator).map((tag) => tag.trim()))].filter((tag) => tag !== '');
  const count = tags.length;
  if (count > max) {
    const truncate = onTooManyTags === 'truncate';
    const consequence = truncate ? `the first ${max} are kept` : 'the row is dropped';
    issues.push(createIssue('too-many-tags', place, { count, max, consequence }, truncate ? 'warning' : 'error'));
  }
  return tags.slice(0, max).join(tagSeparator);
}
