import type { ColumnProfile, FoundTable } from './column-profile.ts';

/** So many rows tell, and this share of them must agree. */
const ROWS = 60;
const LEAST_ROWS = 5;
const AGREEING = 0.9;
/** Quantity and price are among the first columns of amounts. */
const MOST_FACTORS = 24;
/** Amounts are rounded to cents, larger ones to whole numbers as well. */
const TOLERANCE = 0.006;
const LARGER = 20;
const AMOUNT = /^\d{1,3}(?:[ \u00A0]\d{3})+(?:[.,]\d+)?$|^\d+(?:[.,]\d+)?$/;

const amounts = new WeakMap<FoundTable, number[][]>();

/** Whether a column has the products of two others in its rows: quantity times price is a sum, and no number of a part. Pure. */
export function isProduct({ index, numbers }: ColumnProfile, table: FoundTable): boolean {
  if (numbers < AGREEING) return false;
  const columns = amountsOf(table);
  const products = columns[index] ?? [];
  const rows = [...products.keys()].filter((row) => !Number.isNaN(products[row]));
  if (rows.length < LEAST_ROWS) return false;
  const factors = columns.filter((column, at) => at !== index && isVaried(column)).slice(0, MOST_FACTORS);
  const areFactors = (one: number[], other: number[]) => {
    const agreeing = rows.filter((row) => isAbout(products[row]!, one[row]! * other[row]!));
    return agreeing.length >= rows.length * AGREEING;
  };
  return factors.some((one, at) => factors.slice(at + 1).some((other) => areFactors(one, other)));
}

function isAbout(product: number, expected: number): boolean {
  const rounding = Number.isInteger(product) && expected > LARGER ? 0.5 : TOLERANCE;
  return expected > 0 && Math.abs(product - expected) <= Math.max(expected * TOLERANCE, rounding);
}

/** The amounts of each column, NaN where a cell is none. */
function amountsOf(table: FoundTable): number[][] {
  const known = amounts.get(table);
  if (known !== undefined) return known;
  const rows = table.rows.slice(0, ROWS);
  const width = Math.max(table.width, table.header.length);
  const found = Array.from({ length: width }, (_, at) => rows.map((cells) => amountOf(cells[at]?.trim() ?? '')));
  amounts.set(table, found);
  return found;
}

/** A column of ones says nothing: it makes a product of any other column. */
function isVaried(column: number[]): boolean {
  const found = column.filter((amount) => !Number.isNaN(amount));
  return found.length >= column.length * AGREEING && new Set(found).size > 1;
}

function amountOf(text: string): number {
  return AMOUNT.test(text) ? Number(text.replaceAll(/[ \u00A0]/g, '').replace(',', '.')) : Number.NaN;
}
