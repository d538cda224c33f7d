import { foldExactName } from '../../../config/schema/match-names.ts';
import type { Detection } from '../../../model.ts';

/** The columns of a name, from 0; of none the one at that position from 1. Pure. */
export function namedColumns(name: string, { columns, width }: Pick<Detection, 'columns' | 'width'>): number[] {
  const wanted = foldExactName(name);
  const named = columns.flatMap((column, at) => (foldExactName(column) === wanted ? [at] : []));
  if (named.length > 0 || !/^[1-9]\d{0,4}$/.test(name)) return named;
  return Number(name) <= Math.max(width, columns.length) ? [Number(name) - 1] : [];
}
