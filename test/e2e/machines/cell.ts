import { until } from '../../support/until.ts';
import { booksOf, brokenPromises } from '../faults/books.ts';
import { inTime, loginFor, northFile, SOUTH } from '../faults/cell.ts';
import { LARGE, type StepName } from '../faults/steps.ts';
import { deliver, type Fleet } from './fleet.ts';
import { HARMS, type HarmName } from './harms.ts';
import { STEPS } from './steps.ts';

/** One crossing of the matrix of machines. */
export type MachineCell = { step: StepName; harm: HarmName };

/** Each step with each harm. */
export const MACHINE_CELLS: MachineCell[] = (Object.keys(HARMS) as HarmName[]).flatMap((harm) =>
  (Object.keys(STEPS) as StepName[]).map((step) => ({ step, harm })),
);

/** Longer than any step or harm takes on a slow machine, milliseconds; three machines wait for each other's leases. */
const AT_MOST = 240_000;

/**
 * Plays one cell at a login of its own: a delivery whose upload is brought to the step on some machine, a second delivery to
 * the same login, the harm, and the end of both runs. Answers with the promises that were broken.
 */
export async function playMachines({ step, harm }: MachineCell, fleet: Fleet, service: string): Promise<string[]> {
  const login = loginFor({ step, harm });
  const runs: string[] = [];
  const delivery = (side: string, content: string) => async () => {
    const run = await deliver(fleet, login, `${login}-${side}`, content);
    runs.push(run);
    return run;
  };
  const first = delivery('north', northFile(LARGE.includes(step) ? 'large' : 'small'));
  const standing = STEPS[step]({ fleet, login, first, second: delivery('south', SOUTH) });
  const stand = await inTime(standing, `nobody came to the step "${step}"`, AT_MOST);
  await inTime(HARMS[harm](fleet, stand), `the harm "${harm}" did not come to its end`, AT_MOST);
  await inTime(allDone(fleet, runs), 'the runs did not come to their end', AT_MOST);
  fleet.store.spoil(null);
  return brokenPromises(await booksOf({ ledger: fleet.ledger, login }, service), fleet.gone);
}

async function allDone(fleet: Fleet, runs: string[]): Promise<void> {
  for (const run of runs) {
    await until(async () => ((await fleet.run(run)).stage === 'done' ? true : undefined), AT_MOST / 1000);
  }
}
