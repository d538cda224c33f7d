import { advise } from '../../config/read/nearest.ts';
import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName, placesByConfiguration } from '../../config/schema/match-names.ts';
import { OfferlineError } from '../../errors.ts';
import { columnInWords, columnName, HEADINGS } from '../../wording/columns/accepted-column.ts';
import type { AcceptedColumn, Detection } from '../../model.ts';

/** A column of the offer file and which of a supplier's columns it is said to be: a header cell, or a position. */
export type AskedColumn = { key: string; column: string };

/** What the columns of a held run are chosen from. */
export type Choice = {
  run: string;
  feed: string;
  columns: ColumnSettings[];
  detection: Pick<Detection, 'columns' | 'width' | 'mapping'>;
  /** What was accepted for this header before. */
  before: AcceptedColumn[];
};

/**
 * The columns that a person accepts: those that are asked for, or as proposed (null), and what was accepted before where that
 * says nothing else. Fails with `usage` when that cannot be done, and says why. Pure.
 */
export function chooseColumns(asked: AskedColumn[] | null, choice: Choice): AcceptedColumn[] {
  const chosen = asked === null ? proposed(choice) : asked.map((one) => resolve(one, choice));
  assertDistinct(chosen, choice);
  assertFitsSettings(chosen, choice);
  // What is doubted since must be said anew.
  const doubted = choice.detection.mapping.filter(({ sure }) => !sure).map(({ key }) => key);
  const kept = choice.before.filter(
    (old) => !doubted.includes(old.key) && !chosen.some((one) => one.key === old.key || one.position === old.position),
  );
  const all = [...kept, ...chosen];
  assertComplete(all, choice);
  return all;
}

function proposed({ run, detection, columns }: Choice): AcceptedColumn[] {
  const open = detection.mapping.filter(({ sure }) => !sure);
  if (open.length > 0) return open.map(({ key, column, position }) => ({ key, column, position }));
  const keys = columns.filter(({ required }) => required).map(({ key }) => `${key}=COLUMN`);
  const name = `Name the columns: \`offerline approve ${run} --columns ${keys.join(',')} --reason TEXT\`.`;
  throw new OfferlineError('usage', `Nothing is proposed for the columns of run ${run}. ${name}`);
}

function resolve({ key, column }: AskedColumn, { columns, detection, run }: Choice): AcceptedColumn {
  const keys = columns.map((one) => one.key);
  if (!keys.includes(key)) {
    throw new OfferlineError('usage', `There is no column "${key}" in the offer file; ${advise(key, keys)}.`);
  }
  const header = detection.columns;
  const fits = (test: (name: string) => boolean) => header.flatMap((name, index) => (test(name.trim()) ? [index] : []));
  const exact = fits((name) => name === column.trim() && name !== '');
  const folded = foldExactName(column);
  const found = exact.length > 0 ? exact : fits((name) => folded !== '' && foldExactName(name) === folded);
  if (found.length > 1) {
    const places = found.map((index) => index + 1).join(' and ');
    const advice = `Give its position: ${key}=${found[0]! + 1}.`;
    throw new OfferlineError('usage', `The file of run ${run} has several columns "${column}" (${places}). ${advice}`);
  }
  if (found.length === 0 && key === 'brand' && folded === 'headings') return { key, column: null, position: HEADINGS };
  const position = found.length === 1 ? found[0]! + 1 : positionIn(column, detection);
  if (position !== null) return { key, column: header[position - 1]?.trim() || null, position };
  const has =
    header.length === 0
      ? `The file has no header: give a position from 1 to ${detection.width}, as in ${key}=1`
      : `Its columns: ${listed(header)}. Name one of them, or its position`;
  throw new OfferlineError('usage', `The file of run ${run} has no column "${column}". ${has}.`);
}

function positionIn(text: string, { columns, width }: Choice['detection']): number | null {
  const position = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : 0;
  return position >= 1 && position <= Math.max(width, columns.length) ? position : null;
}

function assertDistinct(chosen: AcceptedColumn[], { run }: Choice): void {
  for (const [at, one] of chosen.entries()) {
    for (const other of chosen.slice(0, at)) {
      if (other.key === one.key) {
        throw new OfferlineError('usage', `The column "${one.key}" is named twice; name it once.`);
      }
      if (other.position === one.position) {
        const column = one.column === null ? `Column ${one.position}` : `The column "${one.column}"`;
        const what = `${column} of run ${run} cannot be both ${other.key} and ${one.key}`;
        throw new OfferlineError('usage', `${what}. Give each key a column of its own.`);
      }
    }
  }
}

/** The settings win, so nothing else may be accepted for what they decide. */
function assertFitsSettings(chosen: AcceptedColumn[], choice: Choice): void {
  const set = bySettings(choice);
  for (const one of chosen) {
    const other = set.find(({ key, position }) => (key === one.key) !== (position === one.position));
    if (other === undefined) continue;
    const advice = `To change that, set feeds.${choice.feed}.columns.${other.key}.`;
    throw new OfferlineError('usage', `The configuration says ${columnInWords(other)}, which always wins. ${advice}`);
  }
}

function assertComplete(accepted: AcceptedColumn[], choice: Choice): void {
  const { columns, detection, run } = choice;
  const judged = detection.mapping.filter(
    ({ sure, position }) => sure && !accepted.some((one) => one.position === position),
  );
  const known = new Set([...bySettings(choice), ...accepted, ...judged].map(({ key }) => key));
  const open = columns.filter(({ key, required, fallback }) => required && fallback === null && !known.has(key));
  if (open.length === 0) return;
  const named = accepted.map(({ key, column, position }) => `${key}=${quoted(columnName({ column, position }))}`);
  const rest = open.map(({ key }) => {
    const proposal = detection.mapping.find((one) => one.key === key);
    return `${key}=${proposal === undefined ? 'COLUMN' : quoted(columnName(proposal))}`;
  });
  const keys = open.map(({ key }) => `"${key}"`).join(' and ');
  const full = [...named, ...rest].join(',');
  throw new OfferlineError(
    'usage',
    `The required column${open.length === 1 ? '' : 's'} ${keys} would still be missing. ` +
      `Name all that are open: \`offerline approve ${run} --columns '${full}' --reason TEXT\`.`,
  );
}

/** Where the configuration alone finds columns. */
function bySettings({ columns, detection }: Choice): AcceptedColumn[] {
  const { columns: header, width } = detection;
  return placesByConfiguration(columns, { header, width }).map(({ key, position }) => {
    return { key, column: header[position - 1]?.trim() || null, position };
  });
}

/** A name as `--columns` takes it. */
function quoted(name: string): string {
  return /^[^\s",=][^",=]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function listed(names: string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${name.slice(0, 60)}"`);
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
