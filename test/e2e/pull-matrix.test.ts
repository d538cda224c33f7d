import { afterAll, describe, expect, test } from 'vitest';
import { lacks } from '../support/programs.ts';
import { chosenCells } from './faults/chosen.ts';
import { matrixTable } from './faults/table.ts';
import { PULL_CELLS, playPull } from './pull-faults/cell.ts';
import { canMount } from './pull-faults/shop.ts';

// Each step of a pull from a real server, and what may befall it there.
const wish = process.env['OFFERLINE_FAULTS'];
const missing = lacks('apache2');
const canFill = canMount();
if (!canFill) process.stdout.write('No disk of a size can be made here: a pull on a full disk is not tried.\n');
const cells = chosenCells(PULL_CELLS, wish).filter(
  ({ harm }) => harm !== 'full disk' || canFill || process.env['CI'] === 'true',
);
const played = cells.map((cell) => Object.assign(Promise.withResolvers<string[]>(), cell));

afterAll(async () => {
  if (wish === undefined || missing) return;
  const ended = played.map(({ step, harm, promise }) => ({ step, harm, broken: promise }));
  process.stdout.write(`${await matrixTable(ended)}\n`);
});

describe.skipIf(missing).each([...Map.groupBy(played, ({ harm }) => harm)])('a pull, %s', (_, column) => {
  test.each(column)('$step', { timeout: 600_000 }, async ({ step, harm, resolve }) => {
    const broken = await playPull({ step, harm });
    resolve(broken);
    expect(broken).toEqual([]);
  });
});
