import { OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import { assertNotInterrupted, jitter } from './repeat.ts';

/** How long and how often is looked, in milliseconds; the other options are those of each look. */
export type Wait = Omit<CallOptions, 'deadline'> & {
  /** After so long it is given up. */
  deadline?: number | undefined;
  /** Bound of the first wait between two looks, which doubles; 500 when not given. */
  first?: number | undefined;
  /** Longest wait between two looks; 15,000 when not given. */
  longest?: number | undefined;
};

/** Looks at something until it is done, with waits of full jitter that grow; fails with what `late` makes of the last look. */
export async function waitFor<T>(
  looks: {
    begin: (options: CallOptions) => Promise<T>;
    isDone: (seen: T) => boolean;
    again: (seen: T, options: CallOptions) => Promise<T>;
    late: (seen: T, waited: string) => OfferlineError;
  },
  { clock, random }: Pick<Client, 'clock' | 'random'>,
  { deadline = 600_000, first = 500, longest = 15_000, ...options }: Wait,
): Promise<T> {
  const giveUp = clock.now() + deadline;
  let seen = await looks.begin(options);
  for (let look = 0; !looks.isDone(seen); look++) {
    const left = giveUp - clock.now();
    if (left <= 0) throw looks.late(seen, `after ${Math.round(deadline / 1000)} s`);
    await clock.wait(Math.min(left, jitter(look, random, first, longest)), options.signal);
    assertNotInterrupted(options.signal);
    seen = await looks.again(seen, options);
  }
  return seen;
}
