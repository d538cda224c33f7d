import type { AccountLine, Fate } from '../../wording/account.ts';

/** A rectangle of the picture; every length is in units of the view box. `fate` null: rows on their way. */
export type Bar = { x: number; y: number; height: number; fate: Fate | null };

/** A band from one bar to the next. */
export type Band = { from: Point; to: Point; height: number; fate: Fate | null };

type Point = { x: number; y: number };

export type Flow = { bars: Bar[]; bands: Band[]; height: number };

export const WIDTH = 600;
export const BAR_WIDTH = 15;
/** Height of all rows together, of the smallest loss that is still seen, and of the space above a loss. */
const FULL = 120;
const LEAST = 4;
const GAP = 12;

/** Lays out an account: a column for each sum, rows flowing from one to the next; what is lost on the way turns off. */
export function layFlow(lines: AccountLine[]): Flow {
  const stops = stopsOf(lines);
  const gained = lines.reduce((sum, { kind, count }) => (kind === 'gain' ? sum + count : sum), 0);
  const all = Math.max((stops[0]?.sum.count ?? 0) + gained, 1);
  const size = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / all) * FULL));
  const losses = stops.flatMap((stop) => stop.losses);
  // Summed from the ends, so that what is drawn larger than it is still adds up.
  let height = losses.reduce((total, { count }) => total + size(count), size(stops.at(-1)?.sum.count ?? 0));
  const flow: Flow = { bars: [], bands: [], height };
  const step = (WIDTH - BAR_WIDTH) / Math.max(stops.length - 1, 1);
  for (const [at, { sum, losses }] of stops.entries()) {
    const x = at * step;
    flow.bars.push({ x, y: 0, height, fate: sum.fate });
    const next = stops[at + 1];
    if (next === undefined) break;
    height -= losses.reduce((total, { count }) => total + size(count), 0);
    flow.bands.push({ from: { x: x + BAR_WIDTH, y: 0 }, to: { x: x + step, y: 0 }, height, fate: next.sum.fate });
    turnOff(
      flow,
      { x, y: height },
      losses.map(({ fate, count }) => ({ fate, height: size(count) })),
      step,
    );
  }
  const seen = ({ height }: { height: number }) => height > 0.01;
  return { ...flow, bars: flow.bars.filter(seen), bands: flow.bands.filter(seen) };
}

/** Each sum with what is lost after it. */
function stopsOf(lines: AccountLine[]): { sum: AccountLine; losses: AccountLine[] }[] {
  const stops: { sum: AccountLine; losses: AccountLine[] }[] = [];
  for (const line of lines) {
    if (line.kind === 'sum') stops.push({ sum: line, losses: [] });
    else if (line.kind === 'loss') stops.at(-1)?.losses.push(line);
  }
  return stops;
}

function turnOff(flow: Flow, start: Point, losses: { fate: Fate | null; height: number }[], step: number): void {
  let from = start.y;
  let to = start.y;
  for (const { fate, height } of losses) {
    to += GAP;
    const x = start.x + step * 0.6;
    flow.bands.push({ from: { x: start.x + BAR_WIDTH, y: from }, to: { x, y: to }, height, fate });
    flow.bars.push({ x, y: to, height, fate });
    from += height;
    to += height;
    flow.height = Math.max(flow.height, to);
  }
}
