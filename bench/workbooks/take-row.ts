import type { Checks } from '../read/checks.ts';

const WIDTH = 6;

/** Checks a row of a sheet; a row that ends early has empty cells. */
export function takeRow(checks: Checks, values: unknown[]): void {
  const width = Math.max(WIDTH, values.length);
  checks.take(Array.from({ length: width }, (_, at) => textOf(values[at])));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
