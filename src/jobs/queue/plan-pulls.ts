/** A pull moves when it brings so many bytes within so many milliseconds; else it waits for its peer, which is no work. */
const MOVING = { bytes: 64 * 1024, within: 3000 };

/** A pull that takes longer no longer counts, however fast it moves. Milliseconds. */
const LONG_PULL = 60_000;

/** How long the next in line waits for one that has begun and not moved yet, while places are left by those that move. Milliseconds. */
const PACE = 30;

/** Pulls under way in a process, with those that wait for their peers: each costs a connection and up to 2 MB. */
const MOST_UNDER_WAY = 256;

/** A pull under way, its times by the monotonic clock. */
export type PullUnderWay = {
  /** Host and port that it asks; null for a folder. */
  server: string | null;
  begun: number;
  /** Bytes since a time, while they do not amount to a move. */
  since: number;
  bytes: number;
  /** When it moved last. */
  moved: number | null;
  /** The server has sent something of a file. */
  answered: boolean;
};

/** What is known when it is asked who begins: pulls under way, the servers of those that wait, in order, and when one began last. */
export type PullFacts = {
  places: number;
  underWay: PullUnderWay[];
  waiting: (string | null)[];
  lastBegun: number | null;
};

/** The place in the line of the one that begins now, or when to look again if nothing ends before. */
export type PullPlan = { begin: number } | { lookAt: number };

/** A pull that begins. */
export function begunPull(server: string | null, now: number): PullUnderWay {
  return { server, begun: now, since: now, bytes: 0, moved: null, answered: false };
}

/** The pull after some bytes came. */
export function received(pull: PullUnderWay, count: number, now: number): PullUnderWay {
  const isOver = now - pull.since > MOVING.within;
  const since = isOver ? now : pull.since;
  const bytes = (isOver ? 0 : pull.bytes) + count;
  if (bytes < MOVING.bytes) return { ...pull, answered: true, since, bytes };
  return { ...pull, answered: true, since: now, bytes: 0, moved: now };
}

/** Until when a pull has a place, unless it moves again; one that has just begun has until then to move. */
function placeUntil({ begun, moved }: PullUnderWay): number {
  return Math.min((moved ?? begun) + MOVING.within, begun + LONG_PULL);
}

/**
 * Decides who begins. Pulls that move have places, and so have those that have just begun, but these make room one after another: so
 * many silent servers hold nobody up. A pull that moves again has a place at once, beyond their number if need be: a transfer that is
 * made to wait is cut by its server. A server is asked by at most `places` pulls at once before it has answered or been given up on.
 */
export function planPulls({ places, underWay, waiting, lastBegun }: PullFacts, now: number): PullPlan {
  const placed = underWay.filter((pull) => placeUntil(pull) > now);
  const moving = placed.filter(({ moved }) => moved !== null).length;
  const asking = (server: string) =>
    placed.filter((pull) => pull.server === server && pull.moved === null && !pull.answered).length;
  const next = waiting.findIndex((server) => server === null || asking(server) < places);
  const isFull = next < 0 || moving >= places || underWay.length >= MOST_UNDER_WAY;
  const begins = isFull ? Infinity : placed.length < places ? now : (lastBegun ?? now) + PACE;
  if (begins <= now) return { begin: next };
  return { lookAt: Math.min(begins, ...placed.map(placeUntil)) };
}
