import { isNumbering } from '../../columns/numbering.ts';
import { withLineBreaks } from '../../values/line-breaks.ts';
import { isSpecification, isSpecified } from '../../values/specification.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { createUnwrap, WRAP_KINDS, type Unwrap, type WrapKind } from '../../columns/unwrap.ts';
import type { Issue, SkipKind, ValueHabits, Wraps } from '../../model.ts';
import { partKey } from '../../parts/part-key.ts';
import { stripNumber } from '../../parts/strip-number.ts';
import { createSpeller } from '../../parts/spellings.ts';
import { createIssue } from '../issues/create-issue.ts';
import { checkCell, type CellCheck } from './check-cell.ts';
import { valueRules, noNumberIssue } from './check-value.ts';
import { isFooter, type OfferPlaces } from './footer.ts';
import type { ColumnMap } from '../header/header.ts';
import { createLaterHeaderCheck } from '../header/later-header.ts';
import { followHeadings, type HeadingBrand } from '../headings/follow-headings.ts';
import { isBlankCell, isLoneNumber, isLoneText, isRepeatedText, isRuler, loneText, shapeOf } from './lone-cell.ts';
import { createCellText, type CellText } from '../marks/split-cells.ts';
import { createNumberCheck, takenNumbers } from '../marks/several-numbers.ts';
import { MAY_HAVE_HOMOGLYPHS, unmixAlphabets } from './homoglyphs.ts';
import { quoted } from './repair.ts';
import { againIssue, countIssue, duplicateIssue, leftOutIssue, lookalikesIssue, scanIssue } from './row-issues.ts';
import { createMarkReader } from '../marks/change-marks.ts';
import { createRules } from '../rules/apply-rules.ts';
import { prepareRules, type RuleCounts } from '../rules/row-rules.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';

/** What became of a row, and why. */
export type CheckedRow = {
  /** `skipped`: no offer, and not counted as read. */
  fate: 'accepted' | 'rejected' | 'duplicate' | 'leftOut' | 'skipped';
  /** What a skipped row is, else null; a lone cell also has the issues for which it is rejected where it is no heading. */
  kind: SkipKind | null;
  /** The cleaned cells in the order of the configured columns. */
  cells: string[];
  issues: Issue[];
  /** What was taken off its cells: places in the counts of `countWraps`. */
  unwrapped: number[];
  /** The numbers that its cell holds beside the one that was checked; each of them is an offer of its own. */
  otherNumbers: string[];
};

/** Remembers the parts of accepted rows; where a part stands first is said in words where lines alone do not tell. */
export type KnownParts = { firstLine: (key: string, line: number) => number | string | undefined };

/** What is said of a row by its cells alone. */
type Judged = Omit<CheckedRow, 'unwrapped' | 'otherNumbers'>;

/** What is counted of a row beside its issues. */
type Notes = Pick<CellCheck, 'dropTags'> & { noteSpelling: () => void; written: ScannedRow };

/** A row on which a rule acts: its part as the supplier writes it, and its cleaned cells before and after the rule. */
export type RuledRow = { line: number; part: string; before: string[]; after: string[] };

/** Is told of each row on which a rule acts, by the rule's place. */
export type OnRuledRow = (rule: number, row: RuledRow) => void;

/** Checks a row; `number`: which of the numbers in its cell, else the first. */
export type RowCheck = (row: ScannedRow, number?: string) => CheckedRow;

/** The number of a column, as the kernel knows it. */
const COLUMN_NUMBER = /^[\d([][\d)\].]{0,3}$|^[A-Z]$/;

/** What is wrong with a heading if it is taken for an offer; a row with any other error is damaged. */
const LACKS_CELLS = new Set(['wrong-cell-count', 'brand-empty', 'oem-empty', 'value-empty']);

const DIGIT = /\d/;
/** Brands with digits, such as `1A FIRST`, have fewer. */
const LEAST_DIGITS = 4;

/**
 * What is known of the table: its columns, what its values show of themselves, what is written around them, the parts so far.
 * `isMaker`: only asked where brands stand in headings.
 */
type CheckedTable = {
  map: ColumnMap;
  habits: ValueHabits | null;
  wraps: Wraps;
  charset: string;
  delimiter: string | null;
  parts: KnownParts;
  isMaker?: ((text: string) => boolean) | undefined;
  /** Where it is counted what rules do. */
  ruled?: RuleCounts;
  onRule?: OnRuledRow | undefined;
};

/** Creates a check for the rows of one file; it remembers the parts that it accepted. */
export function createRowCheck(
  settings: ReadSettings,
  { map, habits, wraps, charset, delimiter, parts, isMaker = () => false, ruled = [], onRule }: CheckedTable,
): RowCheck {
  const columns = settings.columns.map((column, index) => ({ column, place: map.places[index] ?? null }));
  const brandAt = settings.columns.findIndex((column) => column.key === 'brand');
  const oemAt = settings.columns.findIndex((column) => column.key === 'oem');
  const [brandPlace, oemPlace] = [placeOf(brandAt), placeOf(oemAt)];
  const { leastCells: width, hasFullerRows, numberShapes } = map;
  const shapes = numberShapes === null ? null : new Set(numberShapes);
  const table = { width, hasFullerRows, shapes, brandPlace, oemPlace, delimiter };
  const several = createNumberCheck(settings);
  const textOf: CellText = createCellText(settings, map) ?? ((cells, _key, place) => cells[place]!);
  const readLaterHeader = createLaterHeaderCheck(settings.columns, map);
  const rules = valueRules(settings, habits, map);
  const spell = createSpeller(settings.spellings);
  const readMark = createMarkReader(settings, wraps);
  const prepared = prepareRules(settings, wraps);
  const applyRules = prepared === null ? null : createRules(prepared, ruled);
  const headings = map.brandFromHeadings
    ? followHeadings(isMaker, (text) => DIGIT.test(text) && shapes?.has(shapeOf(text)) === true)
    : null;
  /** The unknown brand of which was said that it is one. */
  let toldOf: HeadingBrand | null = null;
  const headerCells = columns.map(({ place }) => (place === null ? null : (map.header[place]?.trim() ?? null)));

  const unwraps = columns.map(({ column: { key }, place }) =>
    place === null ? null : createUnwrap(wraps, place, key === 'brand' || key === 'oem'),
  );

  return (written, number) => {
    const unwrapped: number[] = [];
    const row = unwrapCells(written, map.places, unwraps, unwrapped);
    const numbers = number === undefined ? numbersOf(row) : [number];
    const dropTags = (key: string) =>
      void unwrapped.push(
        countAt(
          settings.columns.findIndex((column) => column.key === key),
          'tags',
        ),
      );
    const noteSpelling = () => void unwrapped.push(countAt(brandAt, 'spelling'));
    const one = numbers === null ? row : { ...row, cells: row.cells.with(oemPlace!, numbers[0]!) };
    const checked = checkRow(one, { dropTags, noteSpelling, written });
    return { ...checked, unwrapped, otherNumbers: numbers?.slice(1) ?? [] };
  };

  /** What its cell of numbers stands for, see `takenNumbers`. */
  function numbersOf({ cells, problem }: ScannedRow): string[] | null {
    const cell = oemPlace === null || problem !== null ? undefined : cells[oemPlace];
    return cell === undefined ? null : takenNumbers(withLineBreaks(cell), settings);
  }

  function checkRow(row: ScannedRow, { dropTags, noteSpelling, written: source }: Notes): Judged {
    if (isBlank(row)) return skipped('blank');
    const refusal = scanIssue(row, delimiter, settings.limits.rowLength) ?? countIssue(row, map, delimiter);
    if (row.problem === null && (isRuler(row) || isFooter(row.cells, refusal === null ? placesOf(row.cells) : null))) {
      return skipped('total');
    }
    const lone = headings === null ? null : loneText(row);
    if (headings !== null && lone !== null && headings.meet(lone)) return heading(row);
    if (refusal !== null) return refused(row, [], [refusal]);
    if (headings === null && isRepeatedText(row, table)) return heading(row);
    const issues: Issue[] = [];
    const { writtenAs } = map;
    const check: CellCheck = { settings, rules, charset, writtenAs, line: row.line, issues, several, dropTags };
    const cells = columns.map(({ column, place }) =>
      place === null
        ? (column.fallback ?? '')
        : checkCell(withLineBreaks(textOf(row.cells, column.key, place)), column, check),
    );
    const isAgain =
      isHeader(cells, headerCells) || isNumberingBelow(row.cells, cells) || isSpecificationBelow(row.cells, cells);
    const header = isAgain ? 'same' : readLaterHeader(row);
    if (header === 'same') return skipped('repeated-header');
    if (header !== null) return refused(row, cells, [header]);
    if (headings !== null) takeBrand(cells, headings.brandOfPart(), check);
    const mark = readMark(source);
    if (mark.issue !== null) issues.push(mark.issue);
    // Of a part that goes nothing but its brand and number matters.
    if (mark.removes) issues.splice(0, issues.length, ...issues.filter(isOfPart));
    if (issues.some((issue) => issue.severity === 'error')) return refused(row, cells, issues);
    if (headings === null && isLoneNumber(row, table)) return heading(row);
    if (isSwapped(cells)) {
      const [brand, number] = [cells[brandAt]!, quoted(cells[oemAt]!)];
      return refused(row, cells, [
        createIssue('cells-swapped', { line: row.line, column: 'brand', value: brand }, { number }),
      ]);
    }
    const noNumber = noNumberIssue(cells[oemAt] ?? '', cells[brandAt] ?? '', row.line, rules);
    if (noNumber !== null) return refused(row, cells, [noNumber]);
    checkHomoglyphs(cells, brandAt, null, check, 'brand');
    checkHomoglyphs(cells, oemAt, cells[brandAt] ?? '', check, 'oem');
    const written = `${cells[brandAt] ?? ''} ${cells[oemAt] ?? ''}`;
    const brand = spell(cells[brandAt] ?? '');
    if (brand !== (cells[brandAt] ?? '')) {
      cells[brandAt] = brand;
      noteSpelling();
    }
    if (settings.strip !== null) cells[oemAt] = stripNumber(cells[oemAt] ?? '', settings.strip);
    const told =
      onRule &&
      ((rule: number, before: string[], after: string[]) =>
        onRule(rule, { line: row.line, part: written, before, after }));
    const ruledRow = applyRules?.(cells, (place) => source.cells[place] ?? '', told) ?? { leftOutBy: null, cells };
    const key = partKey(ruledRow.cells[brandAt] ?? '', ruledRow.cells[oemAt] ?? '');
    if (ruledRow.leftOutBy !== null) {
      issues.push(leftOutIssue(row.line, written, settings.rules[ruledRow.leftOutBy]!.name));
      if (settings.changes === undefined) return { fate: 'leftOut', kind: null, cells, issues };
    } else if (mark.removes) {
      issues.push(createIssue('row-removes', { line: row.line, value: written }, {}));
    }
    const first = parts.firstLine(key, row.line);
    if (settings.changes !== undefined) {
      if (first !== undefined) issues.push(againIssue(row.line, written, first));
      const isGone = ruledRow.leftOutBy !== null || mark.removes;
      return { fate: isGone ? 'leftOut' : 'accepted', kind: null, cells: ruledRow.cells, issues };
    }
    if (first === undefined) return { fate: 'accepted', kind: null, cells: ruledRow.cells, issues };
    issues.push(duplicateIssue(row.line, written, first));
    return { fate: 'duplicate', kind: null, cells: ruledRow.cells, issues };
  }

  /** Gives a part the brand of the heading above it. */
  function takeBrand(cells: string[], brand: HeadingBrand | null, { line, issues }: CellCheck): void {
    if (brand !== null) cells[brandAt] = brand.name;
    if (cells[brandAt] === '') issues.push(createIssue('brand-empty', { line, column: 'brand', value: '' }, {}));
    if (brand === null || brand.isKnown || brand === toldOf) return;
    issues.push(createIssue('heading-brand', { line, column: 'brand', value: brand.name }, {}));
    toldOf = brand;
  }

  function placeOf(column: number): number | null {
    return columns[column]?.place ?? null;
  }

  /** A row that is no offer: rejected, unless it is a lone cell that lacks nothing but the other cells. */
  function refused(row: ScannedRow, cells: string[], issues: Issue[]): Judged {
    const isLone =
      issues.every(({ severity, code }) => severity !== 'error' || LACKS_CELLS.has(code)) && isLoneText(row, table);
    return isLone
      ? { fate: 'skipped', kind: 'lone-cell', cells, issues }
      : { fate: 'rejected', kind: null, cells, issues };
  }

  /** Whether a row has the numbers of the columns in it, as below a header. */
  function isNumberingBelow(row: string[], cells: string[]): boolean {
    const numbers = brandPlace === null ? [cells[oemAt]!] : [cells[brandAt]!, cells[oemAt]!];
    return oemPlace !== null && numbers.every((cell) => COLUMN_NUMBER.test(cell)) && isNumbering(row);
  }

  /** Whether a row says how the columns are to be filled in, as below the header of a template. */
  function isSpecificationBelow(row: string[], cells: string[]): boolean {
    const parts = brandPlace === null ? [cells[oemAt]!] : [cells[brandAt]!, cells[oemAt]!];
    return oemPlace !== null && parts.every(isSpecified) && isSpecification(row);
  }

  /** Whether the brand looks like an article number beside a number without a digit. */
  function isSwapped(cells: string[]): boolean {
    if (brandPlace === null || oemPlace === null || /\d/.test(cells[oemAt]!)) return false;
    const brand = cells[brandAt]!;
    const digits = brand.replaceAll(/\D/g, '').length;
    return digits >= LEAST_DIGITS && digits >= brand.replaceAll(/\P{L}/gu, '').length;
  }

  /** Where brand and number are in a row that has both, else null. */
  function placesOf(cells: string[]): OfferPlaces | null {
    const brand = brandPlace === null ? columns[brandAt]?.column.fallback : cells[brandPlace];
    return oemPlace !== null && brand?.trim() && cells[oemPlace]?.trim() ? { brandPlace, oemPlace } : null;
  }
}

function isOfPart({ severity, column }: Issue): boolean {
  return severity !== 'error' || column === 'brand' || column === 'oem' || column === null;
}

/** A row without what stands around the values of its configured columns; the places of what that was are added to `unwrapped`. */
function unwrapCells(
  row: ScannedRow,
  places: (number | null)[],
  unwraps: (Unwrap | null)[],
  unwrapped: number[],
): ScannedRow {
  let cells: string[] | null = null;
  for (let column = 0; column < places.length; column += 1) {
    const place = places[column]!;
    const cell = place === null ? undefined : row.cells[place];
    const found = cell === undefined ? null : unwraps[column]!(cell);
    if (place === null || found === null) continue;
    cells ??= row.cells.slice();
    cells[place] = found.text;
    for (const kind of found.kinds) unwrapped.push(countAt(column, kind));
  }
  return cells === null ? row : { ...row, cells };
}

/** Where the count of a kind is in the counts of all columns. */
function countAt(column: number, kind: WrapKind): number {
  return column * WRAP_KINDS.length + WRAP_KINDS.indexOf(kind);
}

/** A heading, with the issue that it has where there are too many in a row. */
function heading({ line, cells }: ScannedRow): Judged {
  const value = cells.find((cell) => !isBlankCell(cell))!;
  return { fate: 'skipped', kind: 'lone-cell', cells: [], issues: [createIssue('heading-run', { line, value }, {})] };
}

function skipped(kind: SkipKind): Judged {
  return { fate: 'skipped', kind, cells: [], issues: [] };
}

/** Reports letters of another alphabet in a brand or a number, and replaces them where the settings say so. */
function checkHomoglyphs(cells: string[], at: number, brand: string | null, check: CellCheck, column: string): void {
  const before = cells[at] ?? '';
  if (!MAY_HAVE_HOMOGLYPHS.test(before)) return;
  const after = unmixAlphabets(before, brand);
  if (after === null) return;
  const { settings, line, issues } = check;
  const letters = [...new Set(before.split('').filter((letter, index) => letter !== after[index]))];
  const found = { letters: letters.map((letter) => `"${letter}"`).join(', '), isOne: letters.length === 1, after };
  const alphabet = MAY_HAVE_HOMOGLYPHS.test(letters.join('')) ? 'Cyrillic' : 'Latin';
  issues.push(lookalikesIssue({ line, column, value: before }, { ...found, alphabet }, settings));
  if (settings.repair.includes('lookalikes')) cells[at] = after;
}

/** Whether a row is an empty line, or only delimiters, as spreadsheets leave them below a table. */
export function isBlank({ cells, problem }: ScannedRow): boolean {
  return problem === null && cells.every(isBlankCell);
}

function isHeader(cells: string[], header: (string | null)[]): boolean {
  if (!header.some((name) => name !== null)) return false;
  return cells.every((cell, index) => header[index] === null || header[index] === cell);
}
