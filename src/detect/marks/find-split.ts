import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import type { CellMarks, ColumnMapping } from '../../model.ts';
import { splitCell, type Split } from '../../parts/split-cell.ts';
import { counted } from '../../wording/words.ts';
import type { Makers } from '../columns/judge/makers-in.ts';
import type { MarkedRow } from './pieces.ts';

type FoundSplit = NonNullable<CellMarks['split']>;

/** The share of cells that must hold two values, and the fewest of them. */
const MOST = 0.8;
const FEW = 5;
/** Codes end numbers, too, but there are few of them; names are many. */
const LEAST_NAMES = 3;
const MOST_BRANDS = 500;
/** Longer cells are texts. */
const LONGEST = 120;

/** What a table of rows has, and what is known of its columns. */
type Given = {
  rows: MarkedRow[];
  mapping: ColumnMapping[];
  columns: ColumnSettings[];
  header: string[];
  width: number;
};

/**
 * Finds a column whose cells hold a brand and a number, where there is no column of brands, or a number and a name, where there is none of
 * names; null where there is none. Pure.
 */
export function findSplit(given: Given, makers: Makers): FoundSplit | null {
  const { mapping, columns, width } = given;
  const isOpen = (key: string) => {
    const column = columns.find((one) => one.key === key);
    return column?.fallback === null && column.position === null && !mapping.some((one) => one.key === key);
  };
  const number = mapping.find(({ key }) => key === 'oem');
  if (number?.sure === true && isOpen('name') && !isOpen('brand'))
    return judge(number.position, 'number-name', given, makers);
  if (!isOpen('brand')) return null;
  const taken = new Set(mapping.filter(({ key, sure }) => sure && key !== 'oem').map(({ position }) => position));
  const all = Array.from({ length: width }, (_, at) => at + 1).filter((position) => !taken.has(position));
  const positions = number?.sure === true ? [number.position] : all;
  const found = positions.flatMap((position) => judge(position, 'brand-number', given, makers) ?? []);
  return found.length === 1 ? found[0]! : null;
}

function judge(position: number, split: Split, { rows, header }: Given, makers: Makers): FoundSplit | null {
  const cells = rows
    .map(({ line, cells: row }) => ({ line, text: row[position - 1]?.trim() ?? '' }))
    .filter(({ text }) => text !== '');
  const isMaker = (text: string) => makers.makerKind(text) !== null;
  const several = cells.flatMap((cell) => {
    const parts = cell.text.length > LONGEST ? null : splitCell(cell.text, split, isMaker);
    const isFound = parts !== null && (split === 'number-name' || isMaker(parts.brand));
    return isFound && isNumber(parts.number) ? [{ cell, parts }] : [];
  });
  if (several.length < FEW || several.length < cells.length * MOST) return null;
  const names = new Set(several.map(({ parts }) => parts.name));
  if (split === 'number-name' && names.size < LEAST_NAMES) return null;
  const what = split === 'brand-number' ? 'a known maker and a number' : 'a number and a name';
  return {
    split,
    position,
    column: header[position - 1]?.trim() || null,
    example: several[0]!.cell,
    evidence: `${several.length} of ${counted(cells.length, 'cell')} hold ${what}`,
    brands: [...new Set(several.map(({ parts }) => parts.brand))].slice(0, MOST_BRANDS),
  };
}

/** Words of several letters without a digit belong to a text: `Filter W 712/75`. */
function isNumber(text: string): boolean {
  return /\d.*\d/.test(text) && !text.split(/\s+/).some((word) => /^\p{L}{4,}$/u.test(word));
}

/** The columns with those that are taken out of the cells of another one, where the settings say so. Pure. */
export function withSplit(mapping: ColumnMapping[], split: Split | null): ColumnMapping[] {
  if (split === null) return mapping;
  const keys = split === 'brand-number' ? ['brand', 'oem'] : ['oem', 'name'];
  const [first, second] = keys.map((key) => mapping.find((one) => one.key === key && one.sure));
  const known = first ?? second;
  if (known === undefined || (first !== undefined && second !== undefined)) return mapping;
  const missing = keys.find((key) => key !== known.key)!;
  const evidence = `its cells hold two values (numbers: { split: ${split} })`;
  return [...mapping.filter(({ key }) => key !== missing), { ...known, key: missing, evidence }];
}
