import { afterAll, describe, expect, test } from 'vitest';
import { lacks } from '../support/programs.ts';
import { matrixTable } from './faults/table.ts';
import { PULL_CELLS, playPull } from './pull-faults/cell.ts';
import { canMount } from './pull-faults/shop.ts';

// Each step of a pull from a real server, and what may befall it there. Without a wish every second cell is played.
const wish = process.env['OFFERLINE_FAULTS'];
const missing = lacks('apache2');
const canFill = canMount();
if (!canFill) process.stdout.write('No disk of a size can be made here: a pull on a full disk is not tried.\n');
const cells = PULL_CELLS.filter((cell, at) => isWanted(`${cell.step} × ${cell.harm}`, at)).filter(
  ({ harm }) => harm !== 'full disk' || canFill || process.env['CI'] === 'true',
);
const played = cells.map((cell) => Object.assign(Promise.withResolvers<string[]>(), cell));

function isWanted(name: string, at: number): boolean {
  return wish === undefined ? at % 2 === 0 : wish === 'all' || name.includes(wish);
}

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
