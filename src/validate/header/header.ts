import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { defaultNames } from '../../config/schema/default-columns.ts';
import { foldExactName, matchNames } from '../../config/schema/match-names.ts';
import type { ColumnMapping, Detection, EarlierHeader, Issue } from '../../model.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import { createIssue } from '../issues/create-issue.ts';
import { compareHeaders } from './compare-headers.ts';

/** Where the configured columns are in the rows of one file. */
export type ColumnMap = {
  /** For each configured column the index of its cell, or null when the file lacks it. */
  places: (number | null)[];
  /** How many cells a row must have; more must be empty from `mostCells` on. */
  leastCells: number;
  mostCells: number;
  /** How many of them, the last, other files of the delivery have brought: rows that nobody can join lack them. */
  broughtCells: number;
  /** For each configured column how its file is written, where several are joined; else null. */
  writtenAs: WrittenAs[] | null;
  /** Whether rows have more filled cells than one. */
  hasFullerRows: boolean;
  /** Where most rows have, how their numbers are written, see `shapeOf`; else null. */
  numberShapes: string[] | null;
  /** The header cells as written; empty when there is no header. */
  header: string[];
  /** The brand stands in headings above the rows. */
  brandFromHeadings: boolean;
  /** Names of the cells of a row: the key where a configured column uses it, else the header's name or `column 3`. */
  names: string[];
  /** Names of the columns that nothing asked for. */
  dropped: string[];
  /** Errors when the file cannot be used, warnings otherwise. */
  issues: Issue[];
};

/** The charset of a file, and the setting that says it. */
export type WrittenAs = { charset: string; setting: string };

/** What the header, or the settings, say of the columns. */
type NamedPlaces = Omit<ColumnMap, 'hasFullerRows' | 'numberShapes' | 'broughtCells' | 'writtenAs'>;

/**
 * Maps the columns by the names of a header row, or by position where the settings say so. A column whose name is not known
 * is where `mapping` is sure of it.
 */
export function mapHeader(
  columns: ColumnSettings[],
  header: string[],
  line: number,
  mapping: ColumnMapping[] = [],
): NamedPlaces {
  const names = header.map(foldExactName);
  const matches = matchNames(columns, header);
  const issues = matches.flatMap((fits, at) => {
    if (fits.length < 2) return [];
    const found = listed(fits.map((index) => header[index]!));
    return [createIssue('column-ambiguous', { line, column: columns[at]!.key }, { found })];
  });
  const places = placesIn(columns, matches, mapping);
  const found = listed(header.filter((_, index) => names[index] !== ''));
  return {
    places,
    brandFromHeadings: isFromHeadings(mapping),
    leastCells: names.findLastIndex((name) => name !== '') + 1,
    mostCells: header.length,
    header,
    names: nameCells(columns, places, header),
    dropped: header.filter((_, index) => names[index] !== '' && !places.includes(index)).map((name) => name.trim()),
    issues: [...issues, ...findMissing(columns, places, { line, found, header: true, mapping })],
  };
}

/**
 * Maps the columns of a file without a header by position, as the settings say or as `mapping` is sure of; `width` is how many
 * cells its rows have.
 */
export function mapPositions(
  columns: ColumnSettings[],
  width: number,
  line: number,
  mapping: ColumnMapping[] = [],
): NamedPlaces {
  const matches = columns.map(({ position }) => (position === null || position === HEADINGS ? [] : [position - 1]));
  const places = placesIn(columns, matches, mapping).map((index) => (index === null || index >= width ? null : index));
  const found = `${width}, without a header`;
  const unused = Array.from({ length: width }, (_, index) => index).filter((index) => !places.includes(index));
  return {
    places,
    brandFromHeadings: isFromHeadings(mapping),
    leastCells: width,
    mostCells: width,
    header: [],
    names: nameCells(columns, places, Array.from<string>({ length: width }).fill('')),
    dropped: unused.map((index) => `column ${index + 1}`),
    issues: findMissing(columns, places, { line, found, header: false, mapping }),
  };
}

/** That the supplier has renamed, moved, added or dropped columns since the delivery that is live. */
export function structureIssues(
  earlier: EarlierHeader | null,
  { columns, width }: Pick<Detection, 'columns' | 'width'>,
  line: number,
): Issue[] {
  const changes = structureChanges(earlier, { columns, width });
  return changes === null ? [] : [createIssue('structure-changed', { line }, { changes })];
}

/** How the columns differ from those of the live delivery, as a part of a sentence; null when they do not. */
export function structureChanges(
  earlier: EarlierHeader | null,
  { columns, width }: Pick<Detection, 'columns' | 'width'>,
): string | null {
  if (earlier === null) return null;
  const isWider = columns.length + earlier.columns.length === 0 && earlier.width > 0 && earlier.width !== width;
  return isWider ? `${width} columns instead of ${earlier.width}` : compareHeaders(earlier.columns, columns);
}

/** What detection says of a column counts, sure or not; where it says nothing the names do. */
function placesIn(columns: ColumnSettings[], matches: number[][], mapping: ColumnMapping[]): (number | null)[] {
  return columns.map(({ key }, at) => {
    const found = mapping.find((column) => column.key === key);
    if (found !== undefined) return found.sure && found.position !== HEADINGS ? found.position - 1 : null;
    const [index] = matches[at]!;
    return index === undefined || mapping.some(({ position }) => position === index + 1) ? null : index;
  });
}

function findMissing(
  columns: ColumnSettings[],
  places: (number | null)[],
  { line, found, header, mapping }: { line: number; found: string; header: boolean; mapping: ColumnMapping[] },
): Issue[] {
  return columns
    .filter((column, index) => column.required && places[index] === null && column.fallback === null)
    .filter(({ key }) => key !== 'brand' || !isFromHeadings(mapping))
    .map(({ key, names, position }) => {
      const more = defaultNames(key).length > 0 ? ', and the names usual in many languages' : '';
      const accepted = position === null ? `${names.join(', ')}${more}` : `position ${position}`;
      const setting = `feeds.NAME.columns.${key}`;
      const set = header ? `Add the right name under ${setting}` : `Set its position, as in ${setting}: 1`;
      const accept = `, or accept a column for a run: offerline approve RUN --columns ${key}=COLUMN --reason TEXT`;
      const advice = `${set}${position === null ? accept : ''}.`;
      return createIssue('column-missing', { line, column: key }, { accepted, found, advice });
    });
}

/** Whether the brand of each row stands in a heading above it. */
export function isFromHeadings(mapping: ColumnMapping[]): boolean {
  return mapping.some(({ key, position, sure }) => key === 'brand' && position === HEADINGS && sure);
}

function nameCells(columns: ColumnSettings[], places: (number | null)[], header: string[]): string[] {
  return header.map((name, index) => {
    const user = columns[places.indexOf(index)];
    return user?.key ?? (name.trim() === '' ? `column ${index + 1}` : name.trim());
  });
}

/** Header cells for a message: at most 20, each in quotes. */
function listed(names: string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${name.trim().slice(0, 60)}"`);
  if (names.length > shown.length) shown.push(`and ${names.length - shown.length} more`);
  return shown.length === 0 ? 'none' : shown.join(', ');
}
