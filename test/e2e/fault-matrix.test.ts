import { afterAll, describe, expect, test } from 'vitest';
import { chosenCells } from './faults/cell.ts';
import { playAll } from './faults/matrix.ts';
import { sandboxProcess } from './faults/service.ts';
import { matrixTable } from './faults/table.ts';

// Which of them: docs/ARCHITECTURE.md, "The fault matrix". Cells of one harm follow each other, several harms go side by side.
const service = await sandboxProcess();
const played = playAll(chosenCells(process.env['OFFERLINE_FAULTS']), service.url);

afterAll(async () => {
  if (process.env['OFFERLINE_FAULTS'] === undefined) return;
  process.stdout.write(`${await matrixTable(played)}\n`);
});

describe.each([...Map.groupBy(played, ({ harm }) => harm)])('%s', (_, column) => {
  test.each(column)('$step', { timeout: 600_000 }, async ({ broken }) => {
    expect(await broken).toEqual([]);
  });
});
