import { OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import { problemsOf } from './call-options.ts';
import { assertNotInterrupted, jitter } from './repeat.ts';

/** How long and how often is looked, in milliseconds; the other options are those of each look. */
export type Wait = Omit<CallOptions, 'deadline'> & {
  /** After so long it is given up, also in the middle of a look. */
  deadline?: number | undefined;
  /** Bound of the first wait between two looks, which doubles; 500 when not given. */
  first?: number | undefined;
  /** Longest wait between two looks; 15,000 when not given. */
  longest?: number | undefined;
};

/** Looks at something until it is done, with waits of full jitter that grow; fails with what `late` makes of the last look. */
export async function waitFor<T>(
  looks: {
    name: string;
    begin: (options: CallOptions) => Promise<T>;
    isDone: (seen: T) => boolean;
    again: (seen: T, options: CallOptions) => Promise<T>;
    late: (seen: T, waited: string) => OfferlineError;
  },
  { clock, random }: Pick<Client, 'clock' | 'random'>,
  { deadline = 600_000, first = 500, longest = 15_000, ...options }: Wait,
): Promise<T> {
  checkTimes(looks.name, { deadline, first, longest });
  const giveUp = clock.now() + deadline;
  const left = () => Math.ceil(giveUp - clock.now());
  let seen = await looks.begin({ ...options, deadline });
  for (let look = 0; !looks.isDone(seen); look++) {
    await clock.wait(Math.max(0, Math.min(left(), jitter(look, random, first, longest))), options.signal);
    assertNotInterrupted(options.signal);
    if (left() <= 0) throw looks.late(seen, `after ${Math.round(deadline / 1000)} s`);
    seen = await looks.again(seen, { ...options, deadline: left() });
  }
  return seen;
}

function checkTimes(name: string, times: Record<string, number>): void {
  const problems = Object.entries(times).flatMap(([key, time]) =>
    problemsOf({ timeout: time }, ['timeout']).map((problem) => problem.replace('timeout', key)),
  );
  if (problems.length > 0)
    throw new OfferlineError('usage', `${name}: ${problems.join('; ')}.`, { details: { problems } });
}
