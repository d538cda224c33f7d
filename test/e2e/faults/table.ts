import Table from 'cli-table3';
/** A cell of a matrix that is being played, and the promises that were broken in it. */
type PlayedCell = { step: string; harm: string; broken: Promise<string[]> };

/** The matrix as text: a row for each step, a column for each harm, and below it the reason of each failure. */
export async function matrixTable(played: PlayedCell[]): Promise<string> {
  const ended = await Promise.all(played.map(async ({ step, harm, broken }) => ({ step, harm, broken: await broken })));
  const harms = [...new Set(ended.map(({ harm }) => harm))];
  const table = new Table({ head: ['', ...harms], style: { head: [], border: [] } });
  for (const [step, row] of Map.groupBy(ended, (cell) => cell.step)) {
    const marks = harms.map((harm) => {
      const cell = row.find((one) => one.harm === harm);
      return cell === undefined ? '' : cell.broken.length === 0 ? '✓' : '✗';
    });
    table.push([step, ...marks]);
  }
  const failures = ended.flatMap(({ step, harm, broken }) => broken.map((why) => `✗ ${step} × ${harm}: ${why}`));
  const passed = ended.filter(({ broken }) => broken.length === 0).length;
  return [table.toString(), ...failures, `${passed} of ${ended.length} cells keep every promise`].join('\n');
}
