import { afterAll, describe, expect, test } from 'vitest';
import { canFakeTime } from '../support/fake-time.ts';
import { CELLS } from './faults/cell.ts';
import { chosenCells } from './faults/chosen.ts';
import { needsFakeTime } from './faults/harms.ts';
import { playAll } from './faults/matrix.ts';
import { sandboxProcess } from './faults/service.ts';
import { matrixTable } from './faults/table.ts';

// Which of them: docs/ARCHITECTURE.md, "The fault matrix". Cells of one harm follow each other, several harms go side by side.
const service = await sandboxProcess();
const cells = chosenCells(CELLS, process.env['OFFERLINE_FAULTS']);
const played = playAll(
  cells.filter(({ harm }) => canFakeTime || !needsFakeTime(harm)),
  service.url,
);

afterAll(async () => {
  if (process.env['OFFERLINE_FAULTS'] === undefined) return;
  process.stdout.write(`${await matrixTable(played)}\n`);
});

describe.each([...Map.groupBy(cells, ({ harm }) => harm)])('%s', (harm, column) => {
  // Without the package faketime nobody can set a clock here: skipped by name.
  test.skipIf(needsFakeTime(harm) && !canFakeTime).each(column)('$step', { timeout: 600_000 }, async ({ step }) => {
    const cell = played.find((one) => one.harm === harm && one.step === step);
    expect(await cell?.broken).toEqual([]);
  });
});
