import type { ColumnSettings, ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { isFormula, isFormulaError } from '../../values/spreadsheet.ts';
import { CHARSET } from '../files/joined-columns.ts';
import type { WrittenAs } from '../header/header.ts';
import { createIssue, type Place } from '../issues/create-issue.ts';
import { checkTags } from '../marks/check-tags.ts';
import { cleanCell, isSuspicious, readControls, withoutBlanks } from './clean-cell.ts';
import { MOJIBAKE, repairMojibake } from './mojibake.ts';
import { proposal, quoted, remedy } from './repair.ts';
import type { NumberCheck } from '../marks/several-numbers.ts';
import { damageIssue, placeholderIssue, standsForNothing, whereIn, type ValueRules } from './check-value.ts';

/** The row of a cell; what is found is added to its issues. */
export type CellCheck = {
  settings: ReadSettings;
  rules: ValueRules;
  /** Of all columns, or of those that other files have brought as well. */
  charset: string;
  writtenAs?: WrittenAs[] | null;
  line: number;
  issues: Issue[];
  /** Notes that empty or repeated tags of a column were dropped. */
  dropTags: (column: string) => void;
  /** Finds several numbers in one cell; null where they are not looked for. */
  several: NumberCheck | null;
};

type CellPlace = { line: number; column: string; value: string };

/** Returns the cell as it will be uploaded, and adds what is wrong with it to the issues of its row. */
export function checkCell(written: string, column: ColumnSettings, check: CellCheck): string {
  const { settings, rules, line, issues } = check;
  const place = { line, column: column.key, value: written };
  const max = settings.limits.cellLength;
  if (written.length > max) {
    issues.push(createIssue('cell-too-long', place, { count: written.length, max }));
    return '';
  }
  const cell =
    column.list && settings.tagMark === '\n' ? linesOf(written, place, check) : mended(written, place, check);
  if (cell === '') {
    if (column.required) issues.push(emptyIssue(column.key, { ...place, value: '' }));
    return cell;
  }
  const hasFailed = isFormulaError(cell);
  if (hasFailed || isFormula(cell, column.key === 'brand' || column.key === 'oem')) {
    issues.push(formulaIssue(column, place, hasFailed));
    return column.list ? checkTags(cell, place, check) : cell;
  }
  if (column.list) return checkTags(cell, place, check);
  const where = whereIn(column);
  if (where !== null && standsForNothing(cell, where, rules)) {
    issues.push(placeholderIssue(place, column.required));
    return column.required ? cell : '';
  }
  if (column.key === 'oem') {
    const damage = damageIssue(cell, place, rules, settings);
    if (damage !== null) issues.push(damage);
    check.several?.(written, place, issues);
  }
  return cell;
}

/** The cell without blanks around it and damage in it. */
function mended(written: string, place: CellPlace, check: CellCheck): string {
  return isSuspicious(written) ? repairCell(written, place, check) : written.trim();
}

/** The lines of a cell that has one tag in each: elsewhere line breaks become blanks. */
function linesOf(written: string, place: CellPlace, check: CellCheck): string {
  const lines = written.split(/[\r\n]+/).map((line) => mended(line, place, check));
  return lines.join('\n').trim();
}

function repairCell(written: string, place: CellPlace, check: CellCheck): string {
  const { settings, issues } = check;
  if (written.includes('\uFFFD')) issues.push(undecodableIssue(place, writtenAs(place.column, check)));
  if (!MOJIBAKE.test(written)) return checkControls(written, place, check, true);
  const allowed = settings.repair.includes('mojibake');
  const repaired = repairMojibake(written);
  issues.push(mojibakeIssue(place, remedy('mojibake', allowed, written, repaired)));
  // Control characters are bytes of the letters that were garbled.
  return checkControls(allowed ? (repaired ?? written) : written, place, check, repaired === null);
}

/** Removes invisible characters; for some of them it is known which character was meant. */
function checkControls(text: string, place: CellPlace, { settings, issues }: CellCheck, proposes: boolean): string {
  const read = readControls(text);
  const allowed = settings.repair.includes('control-characters');
  const clean = cleanCell(allowed ? (read ?? text) : text);
  const replaced = allowed && read !== null ? cleanCell(text).removed - clean.removed : 0;
  const count = clean.removed + replaced;
  if (count === 0) return clean.text;
  const fate = replaced === 0 ? 'removed' : clean.removed === 0 ? 'replaced' : 'replaced or removed';
  const better = read === null || allowed || !proposes ? null : cleanCell(read).text;
  const proposed = better === null ? '' : proposal('control-characters', better);
  issues.push(invisibleIssue(place, { count, fate, before: withoutBlanks(text), after: clean.text, proposed }));
  return clean.text;
}

/** The issue of a cell that was read in a wrong charset, and what was or could be done about it. */
export function mojibakeIssue(place: Place, advice: string): Issue {
  return createIssue('mojibake', place, { remedy: advice });
}

/** The issue of a cell from which invisible characters were removed. */
export function invisibleIssue(
  place: Place,
  facts: { count: number | string; fate?: string; before: string; after: string; proposed?: string },
): Issue {
  const { count, fate = 'removed', before, after, proposed = '' } = facts;
  const shown = { before: quoted(before), after: quoted(after), proposal: proposed };
  return createIssue('control-character', place, { count, fate, ...shown });
}

/** The issue of a cell that has the message of a failed formula in place of a value, or the formula itself. */
export function formulaIssue({ required }: Pick<ColumnSettings, 'required'>, place: Place, hasFailed: boolean): Issue {
  const what = hasFailed
    ? 'A formula in the supplier’s spreadsheet has failed here'
    : 'The formula stands here in place of its value';
  return createIssue('spreadsheet-error', place, { what }, required ? 'error' : 'warning');
}

/** How the file of a column is written. */
export function writtenAs(
  key: string,
  { settings, charset, writtenAs: all }: Pick<CellCheck, 'settings' | 'charset' | 'writtenAs'>,
): WrittenAs {
  const at = settings.columns.findIndex((column) => column.key === key);
  return all?.[at] ?? { charset, setting: CHARSET };
}

/** The issue of a cell with characters that were lost when it was decoded. */
export function undecodableIssue(place: Place, { charset, setting }: WrittenAs): Issue {
  return createIssue('undecodable', place, { charset, setting });
}

/** The issue of an empty cell in a required column. */
export function emptyIssue(key: string, place: Place): Issue {
  if (key === 'brand') return createIssue('brand-empty', place, {});
  if (key === 'oem') return createIssue('oem-empty', place, {});
  return createIssue('value-empty', place, {});
}
