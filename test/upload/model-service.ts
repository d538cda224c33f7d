import type { Listed } from '../../src/upload/protocol/attempt.ts';

/** How one history's service behaves. */
export type Manners = {
  /** It leaves `sourceFile` out of its records. */
  nameless: boolean;
  /** It accepts an upload beside an unfinished one, which it should refuse. */
  lenient: boolean;
  settle: number;
  /** How far its list lags behind, in milliseconds. */
  lag: number;
  /** How late an upload can be accepted after its connection has closed, in settle windows. */
  latest: number;
};

/** Gives whole numbers from 0 to `sides` - 1; 0 is what a well-behaved world would do. */
export type Dice = (sides: number) => number;

type Upload = { owner: string; token: string | null };
type Kept = Upload & { id: string; name: string | null; at: number; ends: number; end: 'success' | 'failed' };

/** What became of a POST as the sender sees it; `accepted` says what the service did, now or later. */
export type Fate =
  | { seen: 'reply'; record: Listed }
  | { seen: 'no'; status: number }
  | { seen: 'throttled'; retryAfter: number | null }
  | { seen: 'not-connected' | 'nothing' | 'killed' };

const FATES = [
  'reply',
  'lost',
  'late',
  'gone',
  'refused-connection',
  'denied',
  'killed',
  'sent-twice',
  'throttled',
] as const;

/** A service in memory whose every choice is thrown with the dice; ids do not ascend. */
export function modelService(manners: Manners, dice: Dice, now: () => number) {
  const kept: Kept[] = [];
  const arriving: (Upload & { at: number; name: string | null })[] = [];
  /** Whether the service refuses an owner's file, each time that it is sent. */
  const unusable = new Map<string, boolean>();
  let counter = 0;

  const unfinished = (time: number) => kept.filter((one) => one.at <= time && one.ends > time);

  function accept(upload: Upload & { name: string | null }, at: number): Kept | undefined {
    if (!manners.lenient && unfinished(at).length > 0) return undefined;
    counter += 1;
    const id = String((counter * 7919) % 10_007);
    const ends = at + 1 + dice(4) * manners.settle * 0.7;
    const record: Kept = { ...upload, id, at, ends, end: dice(9) === 8 ? 'failed' : 'success' };
    kept.unshift(record);
    return record;
  }

  /** Lets everything happen that was due by now. */
  function catchUp(): void {
    const due = arriving.filter((one) => one.at <= now()).sort((a, b) => a.at - b.at);
    for (const one of due) {
      arriving.splice(arriving.indexOf(one), 1);
      accept(one, one.at);
    }
  }

  function show(one: Kept, at = now()): Listed {
    const finished = one.ends <= at;
    return {
      id: one.id,
      sourceFile: manners.nameless ? null : one.name,
      state: finished ? one.end : 'processing',
      linesProcessed: 0,
      lastModified: one.at,
      error: null,
      errorFileExists: false,
    };
  }

  return {
    kept,
    lag: manners.lag,
    /** Uploads of ours that are unfinished now. */
    openOfOurs: () => (catchUp(), unfinished(now()).filter((one) => one.token !== null)),
    /** Of ours, the upload whose rows are served: the newest that succeeded. */
    served: () => (catchUp(), kept.find((one) => one.token !== null && one.end === 'success' && one.ends <= now())),
    accepted: (owner: string) => (catchUp(), kept.filter((one) => one.owner === owner)),
    list: () => {
      catchUp();
      const seen = now() - manners.lag;
      return kept.filter((one) => one.at <= seen).map((one) => show(one, seen));
    },
    get: (id: string) => (catchUp(), kept.filter((one) => one.id === id).map((one) => show(one))[0]),
    ownerOf: (id: string) => kept.find((one) => one.id === id)?.owner,
    foreignUpload: () => {
      catchUp();
      if (unfinished(now()).length === 0) accept({ owner: 'foreign', token: null, name: 'other.txt' }, now());
    },
    post: (upload: { owner: string; token: string }): Fate => {
      catchUp();
      const offer = { ...upload, name: `offerline-main-${upload.token}.txt` };
      const fate = FATES[dice(FATES.length)] ?? 'reply';
      if (!unusable.has(upload.owner)) unusable.set(upload.owner, dice(5) === 4);
      if (unusable.get(upload.owner) === true && fate !== 'refused-connection') {
        return { seen: 'no', status: dice(2) === 0 ? 400 : 409 };
      }
      const busy = !manners.lenient && unfinished(now()).length > 0;
      switch (fate) {
        case 'refused-connection':
          return { seen: 'not-connected' };
        case 'denied':
          return { seen: 'no', status: 403 };
        case 'gone':
          return { seen: 'nothing' };
        case 'throttled':
          return { seen: 'throttled', retryAfter: dice(2) === 0 ? null : dice(5) * 1000 };
        case 'sent-twice':
          // Whoever stands between sent it a second time, and passes on what the service said to that.
          accept(offer, now());
          return { seen: 'no', status: [409, 400, 422][dice(3)] ?? 409 };
        case 'lost':
          accept(offer, now());
          return { seen: 'nothing' };
        case 'late':
          arriving.push({ ...offer, at: now() + (dice(100) / 100) * manners.settle * manners.latest });
          return { seen: 'nothing' };
        case 'killed':
          if (dice(3) === 0) accept(offer, now());
          else if (dice(2) === 0) {
            arriving.push({ ...offer, at: now() + (dice(100) / 100) * manners.settle * manners.latest });
          }
          return { seen: 'killed' };
        case 'reply': {
          const record = busy ? undefined : accept(offer, now());
          return record === undefined ? { seen: 'no', status: 409 } : { seen: 'reply', record: show(record) };
        }
      }
    },
  };
}

export type ModelService = ReturnType<typeof modelService>;
