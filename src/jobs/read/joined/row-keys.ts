import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { createUnwrap, type Unwrap } from '../../../columns/unwrap.ts';
import { decodeBytes } from '../../../io/text-decode.ts';
import type { Detection } from '../../../model.ts';
import { foldedBytes, hashPart, type HashPair, type PartPlace } from '../../../parts/part-hash.ts';
import { foldHalf, partKey } from '../../../parts/part-key.ts';
import { createSpeller } from '../../../parts/spellings.ts';
import { stripNumber } from '../../../parts/strip-number.ts';
import { cleanCell } from '../../../validate/checks/clean-cell.ts';
import { takenNumbers } from '../../../validate/marks/several-numbers.ts';
import type { ByteRow } from './byte-row.ts';

/**
 * Where the cells are that are compared, from 0. `brand`: a column, one text for all rows, or null where brands are not
 * compared. `shownBrand`: the column with the brand that people are told, where it is not compared. */
export type KeyPlaces = { oem: number; brand: number | string | null; shownBrand?: number | undefined };

/** What of a file and its settings says how the parts of its rows are compared. */
export type KeyedFile = Pick<Detection, 'wraps' | 'charset'> & {
  places: KeyPlaces;
  settings: Pick<ReadSettings, 'spellings' | 'strip' | 'numbers'>;
};

/**
 * What a kernel needs to find parts at their bytes: the columns that are compared, what `hashPart` makes of each byte, and which bytes a number
 * or brand begins and ends with.
 */
export type PlainKeys = { oem: number; brand: number | null; folded: Uint16Array; letters: Uint8Array };

/** Finds the parts of rows, as part keys compare them. */
export type RowKeys = {
  /** How the parts of most rows are found at their bytes; null when all cells have to be looked at as texts. */
  plain: PlainKeys | null;
  /** Hashes the part of a row at its bytes. `none`: it has no number; `slow`: its cells have to be looked at as texts. */
  ofBytes: (row: ByteRow, into: HashPair) => 'hashed' | 'none' | 'slow';
  /** The keys of a row by its cells, several where its cell has several numbers; none without a number. */
  ofCells: (cells: readonly string[]) => string[];
  /** The cells that are compared as texts, under their places. */
  cellsOf: (row: ByteRow) => string[];
  /** The part of a row for people. */
  nameOf: (cells: readonly string[]) => string;
};

const SPACE = 0x20;
const isAlphanumeric = (byte: number) => byte < 0x80 && /[A-Za-z\d]/.test(String.fromCharCode(byte));
/** A number begins and ends with a letter or a digit, or is looked at as a text. */
const IS_LETTER = Uint8Array.from({ length: 256 }, (_, byte) => Number(isAlphanumeric(byte)));
/** Other bytes may stand for something else in a cell. */
const FOLDED = foldedBytes((byte) => isAlphanumeric(byte) || ' ./+_-'.includes(String.fromCharCode(byte)));
const LONGEST_NAME = 100;

/** Creates what finds the parts of the rows of one file. */
export function createRowKeys({ wraps, charset, places, settings }: KeyedFile): RowKeys {
  const { oem, brand } = places;
  const brandAt = typeof brand === 'number' ? brand : null;
  const isWrapped = (place: number) => wraps.columns.some(({ position }) => position === place + 1);
  const isPlainOem = settings.numbers === null && settings.strip === null && !isWrapped(oem);
  const isPlainBrand = brand === null || (brandAt !== null && settings.spellings === null && !isWrapped(brandAt));
  const unwrapOem = createUnwrap(wraps, oem);
  const unwrapBrand = brandAt === null ? null : createUnwrap(wraps, brandAt);
  const spell = createSpeller(settings.spellings);
  const fixedBrand = typeof brand === 'string' ? spell(brand) : '';
  const place: PartPlace = { brand: 0, brandEnd: 0, oem: 0, oemEnd: 0 };
  const shownAt = brandAt ?? places.shownBrand ?? null;
  const last = Math.max(oem, shownAt ?? 0);

  const brandOf = (cells: readonly string[]): string =>
    brandAt === null ? fixedBrand : spell(textOf(cells[brandAt] ?? '', unwrapBrand));

  const ofCells = (cells: readonly string[]): string[] => {
    const written = textOf(cells[oem] ?? '', unwrapOem);
    if (foldHalf(written) === '') return [];
    const numbers = takenNumbers(written, settings) ?? [written];
    const its = brandOf(cells);
    return numbers.map((number) => partKey(its, stripNumber(number, settings.strip)));
  };

  return {
    plain: isPlainOem && isPlainBrand ? { oem, brand: brandAt, folded: FOLDED, letters: IS_LETTER } : null,
    ofCells,
    ofBytes: (row, into) => {
      if (row.count <= oem) return 'none';
      const { bytes, places: cells } = row;
      place.oem = afterSpaces(bytes, cells[2 * oem]!, cells[2 * oem + 1]!);
      place.oemEnd = beforeSpaces(bytes, place.oem, cells[2 * oem + 1]!);
      if (place.oem === place.oemEnd) return 'none';
      if (!isPlainOem || !isPlainBrand || !isInLetters(bytes, place.oem, place.oemEnd)) return 'slow';
      if (brandAt !== null && row.count > brandAt) {
        place.brand = afterSpaces(bytes, cells[2 * brandAt]!, cells[2 * brandAt + 1]!);
        place.brandEnd = beforeSpaces(bytes, place.brand, cells[2 * brandAt + 1]!);
        if (place.brand < place.brandEnd && !isInLetters(bytes, place.brand, place.brandEnd)) return 'slow';
      } else place.brand = place.brandEnd = 0;
      return hashPart(bytes, place, into, FOLDED) ? 'hashed' : 'slow';
    },
    cellsOf: (row) => {
      const cells: string[] = [];
      for (let at = 0; at <= last; at += 1) {
        const isWanted = at < row.count && (at === oem || at === shownAt);
        cells.push(isWanted ? cellText(row, at, charset) : '');
      }
      return cells;
    },
    nameOf: (cells) => {
      const written = [shownAt === null ? fixedBrand : (cells[shownAt] ?? ''), cells[oem] ?? ''];
      return written
        .map((cell) => cleanCell(cell).text)
        .filter((text) => text !== '')
        .join(' ')
        .slice(0, LONGEST_NAME);
    },
  };
}

/** A cell of a row as a text. */
export function cellText({ bytes, places }: ByteRow, at: number, charset: string): string {
  return decodeBytes(bytes.subarray(places[2 * at], places[2 * at + 1]), charset);
}

function textOf(cell: string, unwrap: Unwrap | null): string {
  return cleanCell(unwrap?.(cell)?.text ?? cell).text;
}

function isInLetters(bytes: Buffer, from: number, to: number): boolean {
  return IS_LETTER[bytes[from]!] === 1 && IS_LETTER[bytes[to - 1]!] === 1;
}

function afterSpaces(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === SPACE) at += 1;
  return at;
}

function beforeSpaces(bytes: Buffer, from: number, to: number): number {
  let at = to;
  while (at > from && bytes[at - 1] === SPACE) at -= 1;
  return at;
}
