import { meaningsOf } from '../../columns/column-names.ts';
import type { ColumnSettings, HeaderSetting } from '../../config/schema/feed-settings.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import type { Makers } from '../columns/judge/makers-in.ts';
import type { KnownNames } from '../table/header-names.ts';
import type { Row } from '../table/table.ts';
import { findHeader, type Header } from './find-header.ts';

/** What is known of a table beside its rows. */
type Known = {
  width: number;
  names: KnownNames;
  /** The first row names the fields of records. */
  isOfRecords: boolean;
  setting: HeaderSetting;
  /** How the brand is found; undefined where nothing asks for it. */
  brand: ColumnSettings | undefined;
  /** Asked for when needed. */
  makers: () => Promise<Makers>;
};

/**
 * Finds the header, and where columns go by position the first offer: there nothing but the cells says that a line is none. A row
 * with a known maker in it is hardly a header.
 */
export async function findBeginning(
  rows: Row[],
  { width, names, isOfRecords, setting, brand, makers }: Known,
): Promise<Header> {
  if (isOfRecords && setting === 'auto') {
    return { ...findHeader(rows, width, names, 1), evidence: 'The fields of the records are the columns.' };
  }
  const header = findHeader(rows, width, names, setting);
  const position = brand?.position === HEADINGS ? null : (brand?.position ?? null);
  if (brand === undefined || (position === null && header.names === null)) return header;
  const { makerKind } = await makers();
  const isMaker = (cell: string) => makerKind(cell) !== null;
  if (position === null) {
    const isSet = setting === true || typeof setting === 'number';
    const maker = isSet ? undefined : header.names?.find((cell) => isMaker(cell) && !isName(cell));
    if (maker === undefined || !header.sure) return header;
    const doubt = `This is not certain: "${maker}" is a maker, so it may be a row of data.`;
    return { ...header, sure: false, evidence: `${header.evidence} ${doubt}` };
  }
  const place = position - 1;
  const isOffer = header.names === null || isMaker(header.names[place] ?? '');
  const below = isOffer ? header.line : header.line + 1;
  const line = firstOffer(rows, below, place, isMaker);
  if (line === below && !(isOffer && header.names !== null)) return header;
  const evidence = `The data begin in line ${line}, with the first known maker.`;
  return { names: null, line, sure: header.sure, evidence };
}

/** Whether a cell is a column's name, or the code of the currency that its prices are in, although a maker is called so as well: `HUF`. */
function isName(cell: string): boolean {
  return isCurrencyCode(cell) || meaningsOf(cell).some(({ whole }) => whole);
}

function isCurrencyCode(cell: string): boolean {
  const code = cell.trim();
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code);
}

/** Fewer rows, or fewer of them with a known maker, say nothing about the first. */
const LEAST_ROWS = 10;
const MOSTLY = 0.8;

/**
 * The line of the first offer of a table without a header: lines above it whose brand is no known maker, and that of no other row
 * either, are an introduction where nearly all other rows have a known maker. Pure.
 */
function firstOffer(rows: Row[], line: number, brandAt: number, isMaker: (brand: string) => boolean): number {
  const table = rows.filter((row) => row.line >= line && row.cells.some(({ text }) => text.trim() !== ''));
  const brands = table.map((row) => row.cells[brandAt]?.text.trim() ?? '');
  const known = brands.filter(isMaker).length;
  if (table.length < LEAST_ROWS || known < table.length * MOSTLY) return line;
  const at = brands.findIndex((brand) => isMaker(brand) || brands.indexOf(brand) !== brands.lastIndexOf(brand));
  return table[at]?.line ?? line;
}
