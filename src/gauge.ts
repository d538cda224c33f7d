/** What takes long, in the order of a run. `fetch`: what the service keeps is read back, to be compared in `prove`. */
export type GaugedStage = 'pull' | 'read' | 'compose' | 'send' | 'process' | 'fetch' | 'prove';

/** How far a long stage is; `total` is null where it is not known. */
export type Gauge = { stage: GaugedStage; unit: 'bytes' | 'rows'; done: number; total: number | null };

/** Two numbers in memory that threads share: how much is done, and of how much, 0 where that is not known. */
export type Meter = SharedArrayBuffer;

/** What the long work of this process has come to: counted where it is done, read by whoever shows it. */
export type Gauges = {
  /** Does a stage's work on something, a run or a login, with a meter to count in. */
  during: <T>(subject: string, what: Omit<Gauge, 'done'>, work: (meter: Meter) => Promise<T>) => Promise<T>;
  /** How far the work on something is; null when this process does none that takes long. */
  of: (subject: string) => Gauge | null;
};

/** The gauges of a process. */
export function createGauges(): Gauges {
  const open = new Map<string, Omit<Gauge, 'done' | 'total'> & { meter: Meter }>();
  return {
    during: async (subject, { stage, unit, total }, work) => {
      const meter = createMeter(total);
      open.set(subject, { stage, unit, meter });
      try {
        return await work(meter);
      } finally {
        open.delete(subject);
      }
    },
    of: (subject) => {
      const found = open.get(subject);
      if (found === undefined) return null;
      const { meter, ...what } = found;
      const [done = 0, total = 0] = new Float64Array(meter);
      return { ...what, done, total: total === 0 ? null : total };
    },
  };
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
