import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { splitCell, type SplitCell } from '../../parts/split-cell.ts';
import type { ColumnMap } from '../header/header.ts';

/** The text of a column in a row, of which one cell may hold two values. */
export type CellText = (cells: string[], key: string, place: number) => string;

/** Creates what finds the text of a column; null where each cell holds one value. */
export function createCellText(
  { split, splitBrands = [], columns }: ReadSettings,
  { places, header }: ColumnMap,
): CellText | null {
  if (split === null) return null;
  const placeOf = (key: string) => places[columns.findIndex((column) => column.key === key)] ?? null;
  const other = split === 'brand-number' ? 'brand' : 'name';
  const shared = placeOf('oem');
  if (shared === null || placeOf(other) !== shared) return null;
  const makers = new Set(splitBrands.map((brand) => brand.toLowerCase()));
  const isMaker = (text: string) => makers.has(text.toLowerCase());
  const name = header[shared]?.trim();
  return (cells, key, place) => {
    const text = cells[place]!;
    if (place !== shared || (key !== 'oem' && key !== other)) return text;
    // A header that is repeated further down is told by its name.
    if (text.trim() === name) return text;
    const found = splitCell(text, split, isMaker) ?? { brand: '', number: text, name: '' };
    return found[FIELDS[key]!];
  };
}

const FIELDS: Record<string, keyof SplitCell> = { brand: 'brand', oem: 'number', name: 'name' };
