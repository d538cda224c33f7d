import { afterAll, describe, expect, test } from 'vitest';
import { canFakeTime } from '../support/fake-time.ts';
import { chosenCells, type Cell } from './faults/cell.ts';
import { needsFakeTime } from './faults/harms.ts';
import { playAll } from './faults/matrix.ts';
import { sandboxProcess } from './faults/service.ts';
import { matrixTable } from './faults/table.ts';

// Which of them: docs/ARCHITECTURE.md, "The fault matrix". Cells of one harm follow each other, several harms go side by side.
const service = await sandboxProcess();
const cells = chosenCells(process.env['OFFERLINE_FAULTS']);
const [playable, skipped] = [cells.filter(isPlayable), cells.filter((cell) => !isPlayable(cell))];
const played = playAll(playable, service.url);

/** Without libfaketime no clock can be set; in CI that is a failure. */
function isPlayable({ harm }: Cell): boolean {
  return canFakeTime || !needsFakeTime(harm);
}

afterAll(async () => {
  if (process.env['OFFERLINE_FAULTS'] === undefined) return;
  process.stdout.write(`${await matrixTable(played)}\n`);
});

describe.skip('without the package faketime', () => {
  test.each(skipped)('$harm $step', () => undefined);
});

describe.each([...Map.groupBy(played, ({ harm }) => harm)])('%s', (_, column) => {
  test.each(column)('$step', { timeout: 600_000 }, async ({ broken }) => {
    expect(await broken).toEqual([]);
  });
});
