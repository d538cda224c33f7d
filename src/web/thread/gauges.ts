import type { Gauge, Gauges } from '../../gauge.ts';

/** How far a stage was when it was first seen, and when, so that a rate can be told. */
export type Progress = { gauge: Gauge; from: number; elapsed: number };

/** The gauges of the working process as this thread was last told. */
export type MirroredGauges = Gauges & {
  take: (all: [string, Gauge][]) => void;
  /** How far the work on something is, and since when it is known here; null when nothing takes long. */
  progress: (subject: string) => Progress | null;
  /** Counts what was taken. */
  version: () => number;
};

/** Gauges that only repeat what they are told. */
export function mirrorGauges(now: () => number = () => performance.now()): MirroredGauges {
  let known = new Map<string, { gauge: Gauge; from: number; since: number }>();
  let version = 0;
  return {
    take: (all) => {
      version += 1;
      known = new Map(
        all.map(([subject, gauge]) => {
          const before = known.get(subject);
          const begun = before?.gauge.stage === gauge.stage ? before : { from: gauge.done, since: now() };
          return [subject, { gauge, from: begun.from, since: begun.since }];
        }),
      );
    },
    version: () => version,
    progress: (subject) => {
      const found = known.get(subject);
      return found === undefined ? null : { gauge: found.gauge, from: found.from, elapsed: now() - found.since };
    },
    of: (subject) => known.get(subject)?.gauge ?? null,
    all: () => new Map([...known].map(([subject, { gauge }]) => [subject, gauge])),
    watch: () => () => undefined,
    during: (_subject, { total }, work) => {
      const meter = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
      new Float64Array(meter)[1] = total ?? 0;
      return work(meter);
    },
  };
}
