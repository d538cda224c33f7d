/**
 * What takes long, in the order of a run. `guard`: rows are compared with what is live; `trace`: rejections are traced to lines; `fetch`:
 * what the service keeps is read back, to be compared in `prove`; `search`: its index is asked until it knows the upload. Apart from runs, `copy`:
 * an archive is copied.
 */
export type GaugedStage =
  | 'pull'
  | 'read'
  | 'guard'
  | 'compose'
  | 'send'
  | 'process'
  | 'trace'
  | 'fetch'
  | 'prove'
  | 'search'
  | 'report'
  | 'copy';

/** How far a long stage is; `total` is null where it is not known, and `unit` where nothing is counted. */
export type Gauge = { stage: GaugedStage; unit: 'bytes' | 'rows' | null; done: number; total: number | null };

/** A long stage that begins, or that has ended after so many seconds; `subject`: the run or the login. */
export type StageMark = Gauge & { subject: string; seconds: number | null };

/** Two numbers in memory that threads share: how much is done, and of how much, 0 where that is not known. */
export type Meter = SharedArrayBuffer;

/** What the long work of this process has come to: counted where it is done, read by whoever shows it. */
export type Gauges = {
  /** Does a stage's work on something, a run or a login, with a meter to count in. */
  during: <T>(subject: string, what: Omit<Gauge, 'done'>, work: (meter: Meter) => Promise<T>) => Promise<T>;
  /** How far the work on something is; null when this process does none that takes long. */
  of: (subject: string) => Gauge | null;
  /** Everything that takes long now, by what it is done on. */
  all: () => ReadonlyMap<string, Gauge>;
  /** Calls the listener when a stage begins and when it has ended, until what it returns is called. */
  watch: (listener: (mark: StageMark) => void) => () => void;
};

type Metered = Omit<Gauge, 'done' | 'total'> & { meter: Meter };

/** The gauges of a process; `now` in milliseconds of a clock that never goes back. */
export function createGauges(now: () => number = () => performance.now()): Gauges {
  const open = new Map<string, Metered>();
  const listeners = new Set<(mark: StageMark) => void>();
  const tell = (mark: StageMark) => {
    for (const listener of listeners) listener(mark);
  };
  return {
    during: async (subject, { stage, unit, total }, work) => {
      const begun = now();
      const own = { stage, unit, meter: createMeter(total) };
      const around = open.get(subject);
      open.set(subject, own);
      tell({ ...read(own), subject, seconds: null });
      try {
        return await work(own.meter);
      } finally {
        if (around === undefined) open.delete(subject);
        else open.set(subject, around);
        tell({ ...read(own), subject, seconds: Math.round(now() - begun) / 1000 });
      }
    },
    of: (subject) => {
      const found = open.get(subject);
      return found === undefined ? null : read(found);
    },
    all: () => new Map([...open].map(([subject, metered]) => [subject, read(metered)])),
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function read({ stage, unit, meter }: Metered): Gauge {
  const [done = 0, total = 0] = new Float64Array(meter);
  return { stage, unit, done, total: total === 0 ? null : total };
}

/** A meter that stands at 0. */
function createMeter(total: number | null): Meter {
  const meter = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  setTotal(meter, total);
  return meter;
}

/** Adds to what is done; one thread at a time may count in a meter. */
export function count(meter: Meter | undefined, amount: number): void {
  if (meter !== undefined) new Float64Array(meter)[0]! += amount;
}

/** Says how much is done. */
export function setDone(meter: Meter | undefined, done: number): void {
  if (meter !== undefined) new Float64Array(meter)[0] = done;
}

/** Says of how much, once that is known. */
export function setTotal(meter: Meter | undefined, total: number | null): void {
  if (meter !== undefined) new Float64Array(meter)[1] = total ?? 0;
}
