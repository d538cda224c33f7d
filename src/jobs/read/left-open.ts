import type { Detection } from '../../model.ts';
import type { AsText, Undecided } from './as-text.ts';

/**
 * What a person has to choose of a file whose columns are known; null when nothing is left open. The only list that may be it is the
 * one, if a column was found for each that is needed: whether these are right is asked by itself. Pure.
 */
export function leftOpen({ undecided, settings }: AsText, { mapping }: Detection): Undecided | null {
  if (undecided?.isOnly !== true) return undecided;
  const needed = settings.columns.filter(({ required, fallback }) => required && fallback === null);
  const isFound = needed.every(({ key }) => mapping.some((one) => one.key === key));
  return isFound ? null : undecided;
}
