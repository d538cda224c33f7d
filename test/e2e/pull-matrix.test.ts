import { afterAll, describe, expect, test } from 'vitest';
import { lacks } from '../support/programs.ts';
import { chosenCells } from './faults/chosen.ts';
import { matrixTable } from './faults/table.ts';
import { PULL_CELLS, playPull } from './pull-faults/cell.ts';
import { playSecondFile, SECOND_FILE_CELLS } from './pull-faults/second-file.ts';
import { canMount } from './pull-faults/shop.ts';

// Each step of a pull from a real server, and what may befall it there.
const wish = process.env['OFFERLINE_FAULTS'];
const missing = lacks('apache2');
const canFill = canMount();
if (!canFill) process.stdout.write('No disk of a size can be made here: a pull on a full disk is not tried.\n');

/** Plays the chosen cells of a matrix, each as a test, and prints it where many were asked for. */
function matrix<Cell extends { step: string; harm: string }>(
  what: string,
  all: Cell[],
  play: (cell: Cell) => Promise<string[]>,
): void {
  const cells = chosenCells(all, wish).filter(
    ({ harm }) => harm !== 'full disk' || canFill || process.env['CI'] === 'true',
  );
  const played = cells.map((cell) =>
    Object.assign(Promise.withResolvers<string[]>(), { cell, step: cell.step, harm: cell.harm }),
  );

  afterAll(async () => {
    if (wish === undefined || missing || played.length === 0) return;
    const ended = played.map(({ step, harm, promise }) => ({ step, harm, broken: promise }));
    process.stdout.write(`${what}\n${await matrixTable(ended)}\n`);
  });

  describe.skipIf(missing).each([...Map.groupBy(played, ({ harm }) => harm)])(`${what}, %s`, (_, column) => {
    test.each(column)('$step', { timeout: 600_000 }, async ({ cell, resolve }) => {
      const broken = await play(cell);
      resolve(broken);
      expect(broken).toEqual([]);
    });
  });
}

matrix('a pull', PULL_CELLS[1], playPull);
matrix('a pull of two files', PULL_CELLS[2], playPull);
matrix('a pull of two files, the second of which', SECOND_FILE_CELLS, playSecondFile);
