import { refusedWith } from '../http/problem.ts';

/** Files that are received at once, and of one sender: each takes a connection, an open file and room on the disk. */
const [MOST, MOST_OF_ONE] = [320, 240];
/** Seconds after which one that found no room may be sent again. */
const AGAIN = 5;

const senders = new Map<string, number>();
let all = 0;

/** Counts a file that is received from a sender until the end of its block; refused with 503 or 429 when there are too many. `most`: of this one. */
export function enter(sender: string, most = MOST_OF_ONE): Disposable {
  const own = senders.get(sender) ?? 0;
  if (own >= most)
    throw refusedWith(429, `${own} files of yours are being received already; send this one later.`, { again: AGAIN });
  if (all >= MOST)
    throw refusedWith(503, `${all} files are being received already; send this one later.`, { again: AGAIN });
  senders.set(sender, own + 1);
  all += 1;
  return {
    [Symbol.dispose]: () => {
      all -= 1;
      const left = (senders.get(sender) ?? 1) - 1;
      if (left === 0) senders.delete(sender);
      else senders.set(sender, left);
    },
  };
}
