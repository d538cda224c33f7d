import { places } from '../../io/places.ts';
import { refusedWith } from '../http/problem.ts';

/** Long work for suppliers that is done at the same time: of all, and of one feed, so that one supplier does not keep the others waiting. */
const [OF_ALL, OF_ONE] = [2, 1];
/** So much of a feed may wait for its turn, each for so many milliseconds. */
const [MOST_WAITING, LONGEST_WAIT] = [8, 60_000];
/** Seconds after which one that found no turn may ask again. */
const AGAIN = 15;

const all = places(OF_ALL);
const feeds = new Map<string, { places: ReturnType<typeof places>; count: number }>();

/** Does long work for the supplier of a feed when its turn comes. Refused with 429 or 503 where that is too far away. */
export async function inTurn<T>(feed: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const own = feeds.get(feed) ?? { places: places(OF_ONE), count: 0 };
  if (own.count > MOST_WAITING)
    throw refusedWith(429, `${own.count} answers for ${feed} are waited for`, { again: AGAIN });
  feeds.set(feed, own);
  own.count += 1;
  const late = AbortSignal.timeout(LONGEST_WAIT);
  const until = signal === undefined ? late : AbortSignal.any([late, signal]);
  try {
    const leaveOwn = await own.places.take(until);
    try {
      const leaveAll = await all.take(until);
      return await work().finally(leaveAll);
    } finally {
      leaveOwn();
    }
  } catch (error) {
    if (error !== late.reason || !late.aborted) throw error;
    throw refusedWith(503, `no turn came for ${feed} in ${LONGEST_WAIT / 1000} seconds`, { again: AGAIN });
  } finally {
    own.count -= 1;
    if (own.count === 0) feeds.delete(feed);
  }
}
