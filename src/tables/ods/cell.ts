import type { XmlTag } from '../package/xml/tag.ts';
import { dateText, storedDateText } from '../sheet/date-text.ts';
import type { NumberFormat } from '../sheet/number-format.ts';
import { numberText } from '../sheet/number-text.ts';

/** What the tag of a cell says: how its value is stored, how often the cell comes, and how it looks. */
export type OdsCell = {
  type: string;
  value: string | null;
  isError: boolean;
  hasFormula: boolean;
  repeated: number;
  /** The rows that it covers, its own among them. */
  rows: number;
  style: string | null;
};

const VALUES = new Set(['value', 'date-value', 'time-value', 'boolean-value', 'string-value']);

/** Reads the tag of a cell. */
export function readCell(tag: XmlTag): OdsCell {
  const cell: OdsCell = { type: '', value: null, isError: false, hasFormula: false, repeated: 1, rows: 1, style: null };
  for (let index = 0; index < tag.count; index++) {
    const [prefix = '', name = prefix] = tag.text.slice(tag.keyStarts[index], tag.keyEnds[index]).split(':');
    // LibreOffice repeats the type of a cell; only there it says that the value is an error.
    if (prefix === 'calcext') cell.isError ||= name === 'value-type' && tag.value(index) === 'error';
    else if (name === 'value-type') cell.type = tag.value(index);
    else if (VALUES.has(name)) cell.value = tag.value(index);
    else if (name === 'number-columns-repeated') cell.repeated = repetitions(tag.value(index));
    else if (name === 'number-rows-spanned') cell.rows = repetitions(tag.value(index));
    else if (name === 'style-name') cell.style = tag.value(index);
    else if (name === 'formula') cell.hasFormula = true;
  }
  return cell;
}

/** How often a row, column or cell comes: at least once. */
export function repetitions(text: string | undefined): number {
  return Math.max(1, /^\d{1,9}$/.test(text ?? '') ? Number(text) : 1);
}

/** A cell as a person sees it; `shown`: its paragraphs. */
export function cellText(cell: OdsCell, shown: string, format: NumberFormat, is1904: boolean): string {
  const { type, value } = cell;
  if (cell.isError || value === null) return shown;
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage':
      return numberText(value, format, is1904);
    case 'date':
      return storedDateText(value);
    case 'time':
      return durationText(value);
    case 'boolean':
      return value === 'true' ? 'TRUE' : 'FALSE';
    case 'string':
      return value;
    default:
      return shown;
  }
}

const DURATION = /^PT(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})(?:\.\d*)?S)?$/;

/** A time of day or a duration: `PT08H30M00S` is `08:30`. */
function durationText(value: string): string {
  const match = DURATION.exec(value);
  if (match === null) return value;
  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number];
  const days = (hours * 3600 + minutes * 60 + seconds) / 86_400;
  return dateText(days, { date: false, time: true, elapsed: true }, false) ?? value;
}
