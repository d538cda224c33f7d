import type { ColumnProfile, FoundTable } from './column-profile.ts';

/** So many rows tell, and this share of them must agree. */
const ROWS = 60;
const LEAST_ROWS = 5;
const AGREEING = 0.9;
/** Amounts are rounded. */
const TOLERANCE = 0.006;
const AMOUNT = /^\d{1,3}(?:[ \u00A0]\d{3})+(?:[.,]\d+)?$|^\d+(?:[.,]\d+)?$/;

/** Whether a column has the products of two others in its rows: quantity times price is a sum, and no number of a part. Pure. */
export function isProduct({ index, numbers }: ColumnProfile, { rows }: FoundTable): boolean {
  if (numbers < AGREEING) return false;
  const filled = rows.filter((cells) => (cells[index] ?? '').trim() !== '').slice(0, ROWS);
  if (filled.length < LEAST_ROWS) return false;
  const width = Math.max(...filled.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, at) => filled.map((cells) => amountOf(cells[at] ?? '')));
  const products = columns[index]!;
  const factors = columns.filter((column, at) => at !== index && isVaried(column));
  return factors.some((factor, at) => factors.slice(at + 1).some((other) => areProducts(products, factor, other)));
}

function areProducts(products: number[], factor: number[], other: number[]): boolean {
  const agreeing = products.filter((product, row) => {
    const expected = factor[row]! * other[row]!;
    return expected > 0 && Math.abs(product - expected) <= Math.max(expected * TOLERANCE, TOLERANCE);
  });
  return agreeing.length >= products.length * AGREEING;
}

/** A column of ones says nothing: it makes a product of any other column. */
function isVaried(column: number[]): boolean {
  const amounts = column.filter((amount) => !Number.isNaN(amount));
  return amounts.length >= column.length * AGREEING && new Set(amounts).size > 1;
}

function amountOf(cell: string): number {
  const text = cell.trim();
  return AMOUNT.test(text) ? Number(text.replaceAll(/[ \u00A0]/g, '').replace(',', '.')) : Number.NaN;
}
