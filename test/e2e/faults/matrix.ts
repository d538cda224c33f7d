import { inspect } from 'node:util';
import { inScope } from '../../support/at-end.ts';
import { fakeTime } from '../../support/fake-time.ts';
import { loginFor, play, type Cell } from './cell.ts';
import { needsFakeTime } from './harms.ts';
import { openShop, type Shop } from './shop.ts';

/** A cell, and the promises that were broken in it. */
export type Played = Cell & { broken: Promise<string[]> };

/** Harms that strike at the same time; mostly they wait. */
const SIDE_BY_SIDE = 3;

type Playing = Cell & PromiseWithResolvers<string[]>;

/**
 * Plays cells: each harm has a shop of its own, in which it strikes at one step after the other; some harms side by side.
 * The shop lives on after each cell, and is opened anew when one breaks a promise or does not end.
 */
export function playAll(cells: Cell[], service: string): Played[] {
  const playing: Playing[] = cells.map((cell) => ({ ...cell, ...Promise.withResolvers<string[]>() }));
  const columns = [...Map.groupBy(playing, ({ harm }) => harm).values()];
  const hand = async () => {
    for (let column = columns.shift(); column !== undefined; column = columns.shift()) {
      while (column.length > 0) await inScope(() => playColumn(column, service));
    }
  };
  const played = playing.map(({ step, harm, promise }) => ({ step, harm, broken: promise }));
  for (let at = 0; at < SIDE_BY_SIDE; at++) void hand();
  return played;
}

/** Plays the first cells of a column up to one that fails, and takes them off it. */
async function playColumn(column: Playing[], service: string): Promise<void> {
  const logins = column.map((cell) => loginFor(cell));
  let shop: Shop | undefined;
  for (let cell = column.shift(); cell !== undefined; cell = column.shift()) {
    try {
      shop ??= await openShop(service, logins, needsFakeTime(cell.harm) ? fakeTime() : null);
      const broken = await play(cell, shop, service);
      cell.resolve(broken);
      if (broken.length > 0) return;
    } catch (error) {
      // With its stack: which of the waits had no end is what there is to know.
      return cell.resolve([inspect(error)]);
    }
  }
}
