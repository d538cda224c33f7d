/** How a format shows a power of ten: digits behind the point, and the least of the exponent. */
export type PowerFormat = { kind: 'power'; decimals: number; exponent: number };

const POWER = /^[#0]*[0#](?:\.([0#?]*))?E[+-](0+)$/i;

/** What the code of a scientific format means; null for any other. */
export function powerFormat(section: string): PowerFormat | null {
  const found = POWER.exec(section.trim());
  return found === null ? null : { kind: 'power', decimals: (found[1] ?? '').length, exponent: found[2]!.length };
}

const WHOLE = /^([1-9]\d*?)0+$/;

/**
 * A whole number as a scientific format shows it, where that is all of it: `12E5` was typed, 1200000 is kept, and `1.20E+06` is seen. Null
 * where the format only hides digits that the cell has.
 */
export function powerText(digits: string, { decimals, exponent }: PowerFormat): string | null {
  const significant = WHOLE.exec(digits)?.[1];
  if (significant === undefined || significant.length - 1 > decimals) return null;
  const fraction = significant.slice(1).padEnd(decimals, '0');
  const power = String(digits.length - 1).padStart(exponent, '0');
  return `${significant[0]!}${fraction === '' ? '' : `.${fraction}`}E+${power}`;
}
