/** Fewer rows in order may be offers whose last cell is empty. */
const LEAST_COUNTED = 3;

/**
 * Whether the rows below a header are counted in a column that the header has no cell for, as R's `write.table` writes them: each name then
 * stands one cell to the left of its column. `names`: the header's cells; `below`: those of the rows below it, in order. Pure.
 */
export function areCountedWithoutName(names: string[], below: string[][]): boolean {
  if (below.length < LEAST_COUNTED || names.some((name) => name === '')) return false;
  const first = Number(below[0]![0]);
  if (first !== 0 && first !== 1) return false;
  return below.every((cells, at) => cells.length === names.length + 1 && cells[0] === String(first + at));
}
