import type { ColumnSettings } from '../config/schema/feed-settings.ts';
import { refusal } from '../io/refusal.ts';
import { MOST_COLUMNS } from '../tables/table-file.ts';
import { OfferlineError } from '../errors.ts';
import type { AcceptedColumns, ColumnMapping, Detection, EarlierHeader, Format } from '../model.ts';
import { cutText, newlineOf } from './cut-text.ts';
import { AUTO, type Hints } from './hints.ts';
import { tableBelow, unwrapTable, wrapsWithDecimals } from './table/below-header.ts';
import type { DetectedTable } from './table/best-table.ts';
import { acceptedFor, headerFingerprint } from './columns/accepted.ts';
import { looksOf } from './columns/column-look.ts';
import { doubtChanged } from './columns/doubt-changed.ts';
import { changedFurtherDown, changedSinceLive, doubtEach, type CellChanges } from './columns/doubt-changed-cells.ts';
import { hasOpenEnd } from './table/open-end.ts';
import { rowsFurtherDown } from './table/rows-further-down.ts';
import { doubtMoved } from './columns/moved-columns.ts';
import type { Makers } from './columns/judge/makers-in.ts';
import type { FoundTable } from './columns/column-profile.ts';
import { mapColumns } from './columns/map-columns.ts';
import { findBeginning } from './header/find-beginning.ts';
import { isReadable, type DetectedCharset } from './charset/charsets.ts';
import { knownNames } from './table/header-names.ts';
import { habitEvidence, habitsOf } from '../values/value-habits.ts';
import { marksIn, withTagMark } from './marks/marks-in.ts';
import { withSplit } from './marks/find-split.ts';
import { sampleReadings } from './sample-readings.ts';
import { scanBeginning, scanFile, type Scan } from './charset/scan.ts';
import { unwrapRow, withoutCommonPairs, withoutFormulas, wrapEvidence } from './table/wraps.ts';
import { HEADINGS } from '../wording/columns/accepted-column.ts';
import { brandInHeadings, withHeadings } from './columns/heading-brands.ts';

/** Formats whose cells may be dates. */
const WORKBOOKS: ReadonlySet<Format> = new Set(['xlsx', 'xls', 'xlsb', 'dbf', 'slk', 'ods', 'xml', 'html']);
const SURE = 0.9;
const DOUBTFUL_HEADER = 0.5;

/**
 * Detects charset, delimiter, quote, newline and header row of an unpacked text file, with the evidence. Scans the whole file
 * and yields to the event loop. `sure: false` means that the result must not be acted on without asking.
 * Throws `usage` for a charset that does not exist or a delimiter of several characters, and `file-rejected` for too many columns.
 */
export async function detect(path: string, hints: Hints = {}): Promise<Detection> {
  return detectIn(path, await scanFile(path), hints);
}

/**
 * Detects the dialect of a file from its beginning, on the assumption that all of it is UTF-8; the reader must verify that.
 * Returns null when the whole file has to be scanned first.
 */
export async function detectUtf8(path: string, hints: Hints = {}): Promise<Detection | null> {
  const scan = scanBeginning(path);
  if (scan.ascii || scan.utf8.invalid > 0) return null;
  const found = await detectIn(path, scan, hints);
  return found.charset === 'utf-8' && found.sure ? found : null;
}

async function detectIn(path: string, scan: Scan, hints: Hints): Promise<Detection> {
  const { columns = [], accepted = [], earlierHeader: earlier = null, passedOver = [] } = hints;
  const needed = columns.filter(
    ({ required, position, fallback }) => required && position === null && fallback === null,
  );
  const names = knownNames(namesOf(columns), namesOf(needed));
  const { charset, best, spacedQuotes, wholeLines } = await cutText(scan, hints, names);
  const { layout, width } = best;
  if (width > MOST_COLUMNS) throw tooWide(width);
  const cut = { ...best, table: withoutFormulas(best.table) };
  const { rows } = withoutCommonPairs(cut.table);
  const header = await findBeginning(rows, {
    width,
    names,
    isOfRecords: hints.table?.isHeaded === true,
    setting: hints.header ?? AUTO,
    brand: columns.find(({ key }) => key === 'brand'),
    makers,
  });
  if ((header.names?.length ?? 0) > MOST_COLUMNS) throw tooWide(header.names!.length);
  const newline = newlineOf(best.table);
  const { delimiter, quote, escape } = layout;
  const written = rowsFurtherDown(path, { charset: charset.charset, layout, width });
  const { table: unwrapped, wraps: found } = unwrapTable(tableBelow(header, cut), written);
  const table = { ...unwrapped, isOfRecords: hints.table?.isHeaded === true };
  const further = written.map((place) => place.map((row) => unwrapRow(row, found)));
  const known = acceptedFor(accepted, table);
  const looks = columns.length === 0 ? [] : looksOf(table, await makers());
  const remap = (rest: AcceptedColumns) => mapColumns(columns, table, { accepted: rest, isLive: false, makers });
  const compared = { columns, table, looks, earlier, accepted: known, parts: hints.parts, remap };
  const isSame = earlier !== null && isSameHeader(earlier, table);
  const changes = isSame ? changedSinceLive({ columns, earlier, looks, header: table.header }) : NO_CHANGES;
  const isLive = isSame && changes.size === 0;
  const mapped = doubtEach(await mapKnowing(hints, table, known, isLive), changes, known, 'not-as-live');
  const below = changedFurtherDown({
    columns,
    mapping: mapped,
    header: table.header,
    looks,
    places: further,
    makers: await makers(),
  });
  const mapping = await doubtChanged(doubtEach(mapped, below, known, 'not-as-above'), compared);
  const habits = habitsOf(partsIn([...table.rows, ...further.flat()], mapping), {
    hasDates: WORKBOOKS.has(hints.table?.format ?? 'text'),
  });
  const wraps = wrapsWithDecimals(found, mapping, [table.rows, ...further]);
  const headings = await brandInHeadings(columns, mapping, { header, rows: best.table.rows, makers, hints });
  const moved = doubtMoved(withHeadings(columns, mapping, headings), {
    columns,
    earlier,
    accepted: known?.columns ?? [],
  });
  const placed = withSplit(moved, hints.split ?? null);
  const headerSure = header.sure || isNamed(columns, table, placed);
  const marks = marksIn(
    header,
    best,
    { further, mapping: moved, header: table.header, wraps: found },
    hints,
    await makers(),
  );
  const sure = charset.sure && best.confidence >= SURE && headerSure;
  return {
    format: hints.table?.format ?? 'text',
    parts: hints.table?.parts ?? [],
    charset: charset.charset,
    bom: charset.bom,
    sure,
    confidence: Math.round(Math.min(charset.confidence, best.confidence, headerSure ? 1 : DOUBTFUL_HEADER) * 100) / 100,
    delimiter,
    quote,
    escape,
    spacedQuotes,
    wholeLines,
    passedOver,
    wraps,
    newline: newline.newline,
    header: header.names !== null,
    columns: table.header,
    // The names of records are no row of the file: its first record is line 1.
    headerLine: hints.table?.isHeaded === true && header.names !== null ? header.line - 1 : header.line,
    headerSure,
    width,
    mapping: withTagMark(placed, marks, hints),
    looks,
    habits,
    ...(hints.table === undefined && hasOpenEnd(path, charset.charset) ? { openEnd: true } : {}),
    ...(marks === null ? {} : { marks }),
    evidence: [
      ...charset.evidence,
      ...best.evidence,
      header.evidence,
      ...newline.evidence,
      ...wrapEvidence(wraps),
      ...habitEvidence(habits),
      ...passedOver,
    ],
    readings: sure ? [] : sampleReadings(scan, waysToRead(charset, best), header.line),
  };
}

/** Each column is looked at, so that wider tables would take more memory than files of any length. */
function tooWide(columns: number): OfferlineError {
  const most = MOST_COLUMNS.toLocaleString('en');
  const what = `The table has ${columns.toLocaleString('en')} columns or more, but at most ${most} are read, as many as a sheet can have.`;
  const advice = 'Delete the empty columns behind the list, or end its lines, and send the file again.';
  return refusal('too-many-columns', `${what} ${advice}`, { columns, limit: MOST_COLUMNS });
}

function namesOf(columns: ColumnSettings[]): string[][] {
  return columns.map(({ names }) => names);
}

/** A row that names all columns that are needed is the header, whatever else could be it. */
function isNamed(columns: ColumnSettings[], { header }: FoundTable, mapping: ColumnMapping[]): boolean {
  const required = columns.filter((column) => column.required);
  if (header.length === 0 || required.length === 0) return false;
  return required.every(
    ({ key, position }) => (position ?? HEADINGS) === HEADINGS && mapping.some((one) => one.key === key && one.sure),
  );
}

/** Brand and number of rows. */
function partsIn(rows: string[][], mapping: ColumnMapping[]): [brand: string, number: string][] {
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => (mapping.find((one) => one.key === key)?.position ?? 0) - 1);
  return rows.map((cells) => [cells[brandAt!]?.trim() ?? '', cells[oemAt!]?.trim() ?? '']);
}

const NO_CHANGES: CellChanges = new Map();

function isSameHeader({ columns: header, width }: EarlierHeader, table: FoundTable): boolean {
  return headerFingerprint({ header, width }) === headerFingerprint(table);
}

/** Maps the columns with the makers that are listed and, where these do not suffice, with the brands that are live. */
async function mapKnowing(
  { columns = [], brands }: Hints,
  table: FoundTable,
  accepted: AcceptedColumns | undefined,
  isLive: boolean,
): Promise<ColumnMapping[]> {
  const mapping = await mapColumns(columns, table, { accepted, isLive, makers });
  const isNeeded = columns.some(({ key, fallback }) => key === 'brand' && fallback === null);
  if (brands === undefined || !isNeeded || mapping.some(({ key, sure }) => key === 'brand' && sure)) return mapping;
  const live = await brands();
  if (live.length === 0) return mapping;
  const { makersWith } = await import('./columns/makers.ts');
  return mapColumns(columns, table, { accepted, isLive, makers: () => Promise.resolve(makersWith(live)) });
}

/** Loaded on demand: most files name their columns. */
function makers(): Promise<Makers> {
  return import('./columns/makers.ts');
}

/** The best way to read the file, and rivals that are about as good: with another charset, with another delimiter. */
function waysToRead({ charset, rival, sure }: DetectedCharset, best: DetectedTable) {
  if (!isReadable(charset)) return [];
  const { delimiter } = best.layout;
  const ways = [{ charset, delimiter }];
  if (!sure && rival !== undefined) ways.push({ charset: rival, delimiter });
  const isTableSure = best.confidence >= SURE;
  if (!isTableSure && best.rival !== undefined && best.rival !== delimiter)
    ways.push({ charset, delimiter: best.rival });
  return ways;
}
