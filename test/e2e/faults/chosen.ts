type Crossing = { step: string; harm: string };

/**
 * The cells of a matrix that are asked for: `all`; `third-0` to `third-2`, which are all of them together; those whose name
 * (`mid-body × kill worker`) has the text in it; without a wish a sample in which each step and each harm stands.
 */
export function chosenCells<Cell extends Crossing>(cells: Cell[], wish: string | undefined): Cell[] {
  if (wish === 'all') return cells;
  const steps = [...new Set(cells.map(({ step }) => step))];
  const harms = [...new Set(cells.map(({ harm }) => harm))];
  const places = new Map(
    cells.map((cell) => [cell, { row: steps.indexOf(cell.step), column: harms.indexOf(cell.harm) }]),
  );
  const third = /^third-([012])$/u.exec(wish ?? '')?.[1];
  return cells.filter((cell) => {
    const { row, column } = places.get(cell)!;
    if (third !== undefined) return (row + column) % 3 === Number(third);
    if (wish !== undefined) return `${cell.step} × ${cell.harm}`.includes(wish);
    return steps.length < harms.length ? column % steps.length === row : row % harms.length === column;
  });
}
