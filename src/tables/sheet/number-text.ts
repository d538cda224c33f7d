import { dateText } from './date-text.ts';
import { fixedDecimals, maskedNumber, type NumberFormat } from './number-format.ts';
import { plainNumber } from './plain-number.ts';
import { powerText } from './scientific.ts';

/** A stored number as a person sees it in a cell of this format, as far as the format carries meaning. */
export function numberText(stored: string, format: NumberFormat | undefined, is1904: boolean): string {
  const digits = plainNumber(stored);
  if (format === undefined || format.kind === 'plain') return digits;
  if (format.kind === 'mask') return maskedNumber(digits, format) ?? digits;
  if (format.kind === 'power') return powerText(digits, format) ?? digits;
  if (format.kind === 'decimals') return fixedDecimals(digits, format) ?? digits;
  const serial = Number(digits);
  return (Number.isNaN(serial) ? null : dateText(serial, format.parts, is1904)) ?? digits;
}
