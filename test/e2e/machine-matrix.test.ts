import { afterAll, describe, expect, test } from 'vitest';
import { canFakeTime } from '../support/fake-time.ts';
import { cannotStartPostgres } from '../support/postgres.ts';
import { inCi } from '../support/programs.ts';
import { redisProgram } from '../support/redis.ts';
import { chosenCells } from './faults/chosen.ts';
import { matrixTable } from './faults/table.ts';
import { MACHINE_CELLS } from './machines/cell.ts';
import { needsFakeTime, needsPairs, type HarmName } from './machines/harms.ts';
import { playAllMachines } from './machines/matrix.ts';
import { startOutside } from './machines/outside.ts';
import { STEPS } from './machines/steps.ts';

// The fault matrix on three machines without a shared disk; how many cells are played says docs/decisions/022-tests-against-real-processes.md.
const wish = process.env['OFFERLINE_FAULTS'];
/** The harms of the sample: each in a row of its own. */
const SAMPLE: HarmName[] = ['machine lost', 'machine cut off', 'Postgres half-open', 'store lies'];
const third = /^third-([012])$/u.exec(wish ?? '')?.[1];
const cells = chosenCells(MACHINE_CELLS, wish).filter((cell) => {
  if (wish === undefined) return SAMPLE.includes(cell.harm);
  // Of a third so many that each step and each harm stands in it.
  const at = MACHINE_CELLS.indexOf(cell);
  const steps = Object.keys(STEPS).length;
  return third === undefined || ((at % steps) + Math.floor(at / steps)) % steps === Number(third);
});
const canFailOver = redisProgram !== undefined || inCi;
const cannotPlay = (harm: string) => (needsFakeTime(harm) && !canFakeTime) || (needsPairs(harm) && !canFailOver);
const played = cannotStartPostgres
  ? []
  : playAllMachines(
      cells.filter(({ harm }) => !cannotPlay(harm)),
      await startOutside(),
    );

afterAll(async () => {
  if (wish === undefined || cannotStartPostgres) return;
  process.stdout.write(`${await matrixTable(played)}\n`);
});

describe.skipIf(cannotStartPostgres).each([...Map.groupBy(cells, ({ harm }) => harm)])(
  'three machines, %s',
  (harm, column) => {
    test.skipIf(cannotPlay(harm)).each(column)('$step', { timeout: 600_000 }, async ({ step }) => {
      const cell = played.find((one) => one.harm === harm && one.step === step);
      expect(await cell?.broken).toEqual([]);
    });
  },
);
