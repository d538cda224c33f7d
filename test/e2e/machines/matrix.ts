import { inspect } from 'node:util';
import { inScope } from '../../support/at-end.ts';
import { loginFor } from '../faults/cell.ts';
import { playMachines, type MachineCell } from './cell.ts';
import { openFleet, type Feeds, type Fleet, type Outside } from './fleet.ts';
import { needsFakeTime, needsPairs } from './harms.ts';

/** A cell, and the promises that were broken in it. */
export type PlayedMachines = MachineCell & { broken: Promise<string[]> };

/** Fleets at the same time; mostly they wait. */
const SIDE_BY_SIDE = 2;
/** Each cell has a login of its own, and workers sweep all of them. */
const CELLS_OF_A_FLEET = 9;

type Playing = MachineCell & PromiseWithResolvers<string[]>;

/** Plays cells: some fleets side by side, each one cell after the other. A fleet is opened anew when a cell breaks a promise or does not end. */
export function playAllMachines(cells: MachineCell[], outside: Outside): PlayedMachines[] {
  const playing: Playing[] = cells.map((cell) => ({ ...cell, ...Promise.withResolvers<string[]>() }));
  const kinds = Map.groupBy(playing, ({ harm }) => `${needsFakeTime(harm)} ${needsPairs(harm)}`);
  const parts = [...kinds.values()].flatMap(inParts);
  const hand = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const own = part;
      while (own.length > 0) await inScope(() => playPart(own, outside));
    }
  };
  const played = playing.map(({ step, harm, promise }) => ({ step, harm, broken: promise }));
  for (let at = 0; at < SIDE_BY_SIDE; at++) void hand();
  return played;
}

function inParts(cells: Playing[]): Playing[][] {
  return [...Map.groupBy(cells, (cell) => Math.floor(cells.indexOf(cell) / CELLS_OF_A_FLEET)).values()];
}

/** Plays the first cells of a part up to one that fails, and takes them off it. */
async function playPart(part: Playing[], outside: Outside): Promise<void> {
  const feeds: Feeds = Object.fromEntries(
    part
      .map((cell) => loginFor(cell))
      .flatMap((login) => [
        [`${login}-north`, { login, priority: 1 }],
        [`${login}-south`, { login, priority: 2 }],
      ]),
  );
  let fleet: Fleet | undefined;
  for (let cell = part.shift(); cell !== undefined; cell = part.shift()) {
    try {
      fleet ??= await openFleet(outside, feeds, {
        canSetClocks: needsFakeTime(cell.harm),
        canFailOver: needsPairs(cell.harm),
      });
      const broken = await playMachines(cell, fleet, outside.service);
      cell.resolve(broken);
      if (broken.length > 0) return;
    } catch (error) {
      // With its stack: which of the waits had no end is what there is to know.
      return cell.resolve([inspect(error)]);
    }
  }
}
