import type { AcceptedColumn } from '../../model.ts';
import { HEADINGS } from '../columns/accepted-column.ts';
import type { UnsureCells } from '../columns/unsure-cells.ts';
import type { UnsureColumns } from '../columns/unsure-columns.ts';
import type { Language } from '../language/language.ts';

const KNOWN = ['brand', 'oem', 'tags'] as const;

/** What of the columns of a file is certain and what is not, in whole sentences; the evidence is for those who know the file's making. */
export function unsureColumnsWords({ proposed, missing }: UnsureColumns, language: Language): string {
  const { say, list } = language;
  const columns = list(proposed.map((column) => columnText(column, language)));
  const open = list(missing.map((key) => columnWord(key, language)));
  return [
    say('run.headline.columns'),
    ...(proposed.length === 0 ? [] : [say('columns.proposed', { columns })]),
    ...(missing.length === 0 ? [] : [say('columns.missing', { columns: open })]),
  ].join(' ');
}

/** What is open about cells that hold several values, with an example. */
export function unsureCellsWords({ kind, example }: UnsureCells, { say }: Language): string {
  return [say('run.headline.cells'), say(`cells.${kind}`, { value: example.value })].join(' ');
}

/** Where a column of the offer file is in the supplier's: `brand in the column “Producator”`. */
export function columnText({ key, column, position }: AcceptedColumn, language: Language): string {
  const what = columnWord(key, language);
  if (position === HEADINGS) return language.say('columns.headings', { what });
  return column === null
    ? language.say('columns.numbered', { what, position })
    : language.say('columns.named', { what, column });
}

/** What people call a column of the offer file; one that has no word is called as it is written. */
export function columnWord(key: string, { say }: Language): string {
  const known = KNOWN.find((one) => one === key);
  return known === undefined ? key : say(`columns.${known}`);
}
