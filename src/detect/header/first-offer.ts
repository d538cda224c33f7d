import type { Row } from '../table/table.ts';

/** Fewer rows, or fewer of them with a known maker, say nothing about the first. */
const LEAST_ROWS = 10;
const MOSTLY = 0.8;

/**
 * The line of the first offer of a table without a header: lines above it whose brand is no known maker, and that of no other row
 * either, are an introduction where nearly all other rows have a known maker. Pure.
 */
export function firstOffer(rows: Row[], line: number, brandAt: number, isMaker: (brand: string) => boolean): number {
  const table = rows.filter((row) => row.line >= line && row.cells.some(({ text }) => text.trim() !== ''));
  const brands = table.map((row) => row.cells[brandAt]?.text.trim() ?? '');
  const known = brands.filter(isMaker).length;
  if (table.length < LEAST_ROWS || known < table.length * MOSTLY) return line;
  const at = brands.findIndex((brand) => isMaker(brand) || brands.indexOf(brand) !== brands.lastIndexOf(brand));
  return table[at]?.line ?? line;
}
