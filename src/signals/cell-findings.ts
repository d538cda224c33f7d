import type { SeenSignals, SignalFinding } from '../model.ts';
import { LEAST_PARTS } from './price-findings.ts';

/** All, but for a few. */
const NEARLY_ALL = 0.99;
/** A column of names that was filled for fewer rows has nothing to lose. */
const LEAST_NAMED = 0.2;
/** More than this share of what was named has to keep its name. */
const NAMES_LEFT = 0.5;

/** Nothing is in stock any more. Rows whose stock is not readable count for nothing. Pure. */
export function findStock({ stock }: SeenSignals, before: SeenSignals | null): SignalFinding[] {
  if (stock === null || stock.known < LEAST_PARTS || !isSoldOut(stock)) return [];
  const was = before?.stock ?? null;
  if (was !== null && was.known > 0 && isSoldOut(was)) return [];
  const rows = { rows: was?.inStock ?? 0, of: was?.known ?? 0 };
  return [{ code: 'stock-zero', rows: stock.known - stock.inStock, before: was === null ? null : rows, examples: [] }];
}

function isSoldOut({ known, inStock }: NonNullable<SeenSignals['stock']>): boolean {
  return known - inStock >= known * NEARLY_ALL;
}

/** Half of the parts that had a name have none. Pure. */
export function findNames({ names }: SeenSignals, before: SeenSignals | null): SignalFinding[] {
  const was = before?.names ?? null;
  if (names === null || was === null || names.rows < LEAST_PARTS || was.rows < LEAST_PARTS) return [];
  const [share, wasShare] = [names.filled / names.rows, was.filled / was.rows];
  if (wasShare < LEAST_NAMED || share > wasShare * NAMES_LEFT) return [];
  const rows = { rows: was.filled, of: was.rows };
  return [{ code: 'names-gone', rows: names.rows - names.filled, of: names.rows, before: rows, examples: [] }];
}
