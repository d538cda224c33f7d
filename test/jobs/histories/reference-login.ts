/** Article numbers of a login's parts: 1, 2, … */
export type Parts = ReadonlySet<number>;

/** How an accepted upload of a login stands at the service, and what the service says of its rows. */
export type Accepted = {
  ours: boolean;
  state: 'open' | 'success' | 'failed' | 'aborted';
  /** The feed that each part of it comes from. */
  feedOf: ReadonlyMap<number, string>;
  /** What each of its feeds offered. */
  offers: ReadonlyMap<string, Parts>;
  delivered: ReadonlySet<string>;
  rejected: Parts;
  /** Those of the rejected parts that the errors file names so that a row can be told. */
  named: Parts;
  /** Rows of which nobody can say whether they are live, in each feed at most. */
  vague: number;
};

/** A loss that is to be open: its rows as they were before it, how many are lost, and how often it is told. */
export type ExpectedLoss = { rows: Parts; lost: number; wasLive: number; told: number };

export type ExpectedAccount = {
  accepted: number;
  contributed: number;
  outranked: number;
  rejectedRemotely: number;
  unexplained: number;
  live: number;
};

/** Lower number first, then by name: one feed has a part, said as plainly as it can be. */
export function winnersOf(
  offers: ReadonlyMap<string, Parts>,
  priorities: Readonly<Record<string, number>>,
): Map<number, string> {
  const feedOf = new Map<number, string>();
  for (const [feed, parts] of offers) {
    for (const part of parts) {
      const other = feedOf.get(part);
      const difference = other === undefined ? -1 : priorities[feed]! - priorities[other]!;
      if (difference < 0 || (difference === 0 && feed < other!)) feedOf.set(part, feed);
    }
  }
  return feedOf;
}

/** What one feed has in an upload, counted from the upload's rows. */
export function accountIn(upload: Accepted, feed: string): ExpectedAccount {
  const mine = rowsOf(upload, feed);
  const accepted = upload.offers.get(feed)?.size ?? 0;
  const rejectedRemotely = [...mine].filter((part) => upload.named.has(part)).length;
  const unexplained = Math.min(mine.size - rejectedRemotely, upload.vague);
  const live = mine.size - rejectedRemotely - unexplained;
  return { accepted, contributed: mine.size, outranked: accepted - mine.size, rejectedRemotely, unexplained, live };
}

function rowsOf({ feedOf }: Accepted, feed: string): Set<number> {
  return new Set([...feedOf].filter(([, owner]) => owner === feed).map(([part]) => part));
}

/** A service with one login, what it serves, and what somebody who knows everything would say of it. Shares nothing with `src`. */
export function referenceLogin(feeds: readonly string[], allowedPercent: number) {
  /** Oldest first. */
  const accepted: Accepted[] = [];
  const losses = new Map<string, ExpectedLoss>();
  let proved: Accepted | null = null;
  /** So many of them were there when it was last proved what is live. */
  let seen = 0;

  const served = (feed: string): number => {
    const newest = accepted.findLast(({ state }) => state === 'success');
    if (newest === undefined || !newest.ours) return 0;
    return [...rowsOf(newest, feed)].filter((part) => !newest.rejected.has(part)).length;
  };

  /** What came since the proof and may have changed what is live; before anything of ours was live, nobody's rows can. */
  const unsettled = () =>
    accepted.filter(
      ({ ours, state }, at) =>
        at >= seen &&
        (state === 'open' ||
          (ours && state === 'success') ||
          ((ours || state === 'success') &&
            accepted.slice(0, at).some((other) => other.ours && other.state === 'success'))),
    );

  function lossOf(feed: string, upload: Accepted): ExpectedLoss | undefined {
    if (!upload.offers.has(feed)) return undefined;
    const open = losses.get(feed);
    const before = proved === null ? new Set<number>() : notNamed(proved, feed);
    const wasLive = proved === null ? 0 : accountIn(proved, feed).live;
    const rejected = [...rowsOf(upload, feed)].filter((part) => upload.named.has(part));
    const lost = rejected.filter((part) => before.has(part) || open?.rows.has(part)).length;
    if (open !== undefined) {
      // While nobody can say of some rows whether they are back, they are not.
      if (lost === 0) return accountIn(upload, feed).unexplained > 0 ? open : undefined;
      const told = open.told + (lost > open.lost ? 1 : 0);
      return { rows: open.rows, lost, wasLive: Math.max(open.wasLive, wasLive, lost), told };
    }
    // No more than was known to be live.
    const certain = Math.min(lost, wasLive);
    const bearable = upload.delivered.has(feed) ? allowedPercent * wasLive : 0;
    return certain * 100 > bearable ? { rows: before, lost: certain, wasLive, told: 1 } : undefined;
  }

  return {
    accepted,
    losses: losses as ReadonlyMap<string, ExpectedLoss>,
    served,
    get proved() {
      return proved;
    },
    /** The newest success, of ours or not. */
    newest: () => accepted.findLast(({ state }) => state === 'success'),
    doubt: (): 'elsewhere' | 'under way' | null => {
      const since = unsettled();
      if (since.length === 0) return null;
      return since.every(({ state }) => state === 'open') ? 'under way' : 'elsewhere';
    },
    /** An upload that was taken before the newest success, and that nobody had seen. */
    cameBefore: (upload: Accepted): void => {
      const at = accepted.findLastIndex(({ state }) => state === 'success');
      accepted.splice(at, 0, upload);
      if (at < seen) seen += 1;
    },
    /** What is live was looked at: it is this upload, with what was lost by it. */
    prove: (upload: Accepted): void => {
      const now = feeds.map((feed) => [feed, lossOf(feed, upload)] as const);
      for (const [feed, loss] of now) {
        if (loss === undefined) losses.delete(feed);
        else losses.set(feed, loss);
      }
      proved = upload;
      seen = accepted.length;
    },
    /** What was proved last was looked at once more, and is live. */
    reverify: (): void => {
      seen = accepted.length;
    },
  };
}

/** The rows of a feed that were not known to be rejected. */
function notNamed(upload: Accepted, feed: string): Set<number> {
  return new Set([...rowsOf(upload, feed)].filter((part) => !upload.named.has(part)));
}
