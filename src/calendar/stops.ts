/** A span of time in which nothing is expected, such as a pause or an absence; `to` is Infinity while its end is not known. */
export type Stop = { from: number; to: number };

/** The same spans in the order of time, those that meet as one. */
export function mergedStops(stops: readonly Stop[]): Stop[] {
  const merged: Stop[] = [];
  for (const { from, to } of stops.filter((stop) => stop.to > stop.from).toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Whether a moment lies in one of the spans; their ends do not belong to them. */
export function isStopped(at: number, stops: readonly Stop[]): boolean {
  return stops.some(({ from, to }) => from <= at && at < to);
}

/**
 * The moment at which so many milliseconds have passed since another one, those within the spans not counted; Infinity where that never
 * comes. The spans are merged.
 */
export function passedAfter(at: number, span: number, stops: readonly Stop[]): number {
  let end = at + span;
  for (const { from, to } of stops) {
    if (to <= at) continue;
    const begins = Math.max(from, at);
    if (begins >= end) break;
    end += to - begins;
  }
  return end;
}
