import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { booksOf, brokenPromises } from './books.ts';
import { HARMS, type HarmName } from './harms.ts';
import { sceneOf, type Shop } from './shop.ts';
import { LARGE, STEPS, type StepName } from './steps.ts';

/** One crossing of the matrix. */
export type Cell = { step: StepName; harm: HarmName };

/** Each step with each harm. */
export const CELLS: Cell[] = (Object.keys(HARMS) as HarmName[]).flatMap((harm) =>
  (Object.keys(STEPS) as StepName[]).map((step) => ({ step, harm })),
);

/** Longer than any step or harm takes on a slow machine, milliseconds. */
const AT_MOST = 120_000;

/**
 * Plays one cell at a login of its own: a delivery whose upload is brought to the step, a second delivery to the same
 * login, the harm, and the end of both runs. Answers with the promises that were broken.
 */
export async function play({ step, harm }: Cell, shop: Shop, service: string): Promise<string[]> {
  const scene = sceneOf(shop, loginFor({ step, harm }));
  const runs: string[] = [];
  const deliver = (feed: 'north' | 'south', content: string) => async () => {
    const run = await scene.deliver(feed, content);
    runs.push(run);
    return run;
  };
  const first = deliver('north', northFile(LARGE.includes(step) ? 'large' : 'small'));
  const standing = STEPS[step](scene, { first, second: deliver('south', SOUTH) });
  const stand = await inTime(standing, `nobody came to the step "${step}"`);
  await inTime(HARMS[harm](scene, stand), `the harm "${harm}" did not come to its end`);
  const done = until(() => (runs.every((run) => scene.run(run).stage === 'done') ? true : undefined), AT_MOST / 1000);
  await inTime(done, 'the runs did not come to their end');
  return brokenPromises(await booksOf(scene, service));
}

/** The login at which a cell is played; cells share the service. */
export function loginFor({ step, harm }: { step: string; harm: string }): string {
  const spoken = `${harm} ${step}`.replace('+', 'plus ').replace('−', 'minus ');
  return spoken.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** What comes in time; else an error that says what did not. */
export async function inTime<T>(work: Promise<T>, problem: string, atMost = AT_MOST): Promise<T> {
  const end = new AbortController();
  const late = sleep(atMost, undefined, { signal: end.signal, ref: false }).then(() => {
    throw new Error(`${problem} within ${atMost / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    end.abort();
  }
}

/** Good rows, one that is rejected here, one twice, and one that only the service rejects. */
export function northFile(size: 'small' | 'large'): string {
  const [rows, name] = size === 'small' ? [10, 'pads'] : [650, 'pads '.repeat(1900)];
  const good = Array.from({ length: rows }, (_, at) => `BOSCH;${at + 1};${name};brakes`);
  return ['brand;oem;name;tags', ...good, `BOSCH;1;${name};`, 'BOSCH;;pads;', 'NONSUCH;1;pads;', ''].join('\n');
}

/** Fewer good rows, one that the other feed wins, one twice, one that is rejected here, and one that only the service rejects. */
export const SOUTH = [
  'brand;oem;name',
  ...Array.from({ length: 10 }, (_, at) => `ATE;${at + 1};discs`),
  'BOSCH;5;pads',
  'ATE;5;discs',
  'ATE;;discs',
  'NONSUCH;2;discs',
  '',
].join('\n');
