import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import type { ColumnMapping } from '../../model.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import { columnEvidence } from '../../wording/columns/column-evidence.ts';
import type { Header } from '../header/find-header.ts';
import type { Row } from '../table/table.ts';
import type { Makers } from './judge/makers-in.ts';

/** This share of the rows with a single cell are makers; fewer are where headings of groups stand below a maker. */
const MOST = 0.5;

type Below = {
  header: Header;
  rows: Row[];
  makers: () => Promise<Makers>;
  hints: { brands?: (() => Promise<string[]>) | undefined };
};

/**
 * Proposes the headings of a list for its brand: no column has it, and rows with a single cell are makers, mostly or the first of them.
 * Null where the file says nothing of the kind.
 */
export async function brandInHeadings(
  columns: ColumnSettings[],
  mapping: ColumnMapping[],
  { header: { names, line }, rows, makers, hints }: Below,
): Promise<ColumnMapping | null> {
  const brand = columns.find(({ key }) => key === 'brand');
  if (brand === undefined || !brand.required || brand.fallback !== null || brand.position !== null) return null;
  if (mapping.some(({ key }) => key === 'brand')) return null;
  const below = rows.filter((row) => (names === null ? row.line >= line : row.line > line));
  const headings = below.flatMap((row) => headingIn(row) ?? []);
  if (headings.length === 0 || headings.length === below.length) return null;
  // Parts above the only heading would have no brand.
  if (headings.length === 1 && headingIn(below[0]!) === null) return null;
  const { makerKind } = await makersOf(makers, hints);
  const isMaker = headings.map((text) => makerKind(text) !== null);
  const known = isMaker.filter(Boolean).length;
  if (known === 0 || (isMaker[0] !== true && known < headings.length * MOST)) return null;
  const evidence = columnEvidence({ code: 'headings', makers: known, headings: headings.length });
  return { key: 'brand', column: null, position: HEADINGS, sure: false, evidence };
}

/** A mapping with what is found of headings, in the order of the columns. Pure. */
export function withHeadings(
  columns: ColumnSettings[],
  mapping: ColumnMapping[],
  headings: ColumnMapping | null,
): ColumnMapping[] {
  if (headings === null) return mapping;
  return columns.flatMap(({ key }) =>
    key === headings.key ? headings : (mapping.find((one) => one.key === key) ?? []),
  );
}

/** The text of a row with a single filled cell, or with the same text in all its cells; null for any other row. */
function headingIn({ cells }: Row): string | null {
  const texts = new Set(cells.map(({ text }) => text.trim()).filter((text) => text !== ''));
  const [text = ''] = texts;
  return texts.size === 1 && /\p{L}/u.test(text) ? text : null;
}

async function makersOf(makers: Below['makers'], { brands }: Below['hints']): Promise<Makers> {
  const live = (await brands?.()) ?? [];
  if (live.length === 0) return makers();
  const { makersWith } = await import('./makers.ts');
  return makersWith(live);
}
