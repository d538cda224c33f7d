import type { RowCounts } from '../../model.ts';

/** Where rows can end. The name is also the CSS class that colours them. */
export type Fate =
  'live' | 'rejected-here' | 'duplicate' | 'outranked' | 'rejected-there' | 'unexplained' | 'undecided';

/** A rectangle of the picture; every length is in units of the view box. */
export type Bar = { x: number; y: number; height: number; fate: Fate | 'rows' };

/** A band from one bar to the next. */
export type Band = {
  from: { x: number; y: number };
  to: { x: number; y: number };
  height: number;
  fate: Fate | 'rows';
};

export type Flow = { bars: Bar[]; bands: Band[]; height: number };

/** The four columns of the picture start at these places; the last one's bar ends at the width. */
const COLUMNS = [0, 195, 390, 585] as const;
export const BAR_WIDTH = 15;
export const WIDTH = 600;
/** Height of all rows together, of the smallest loss that is still seen, and of the space above a loss. */
const FULL = 120;
const LEAST = 4;
const GAP = 12;
/** Where, between two columns, a loss ends. */
const LOSS_AT = 120;

/**
 * Lays out how the rows went from read to live, in four columns; what was lost on the way turns off downwards.
 * `unproved` is what becomes of the rows that are counted as unexplained.
 */
export function layFlow(rows: RowCounts, unproved: Fate): Flow {
  const size = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / Math.max(rows.read, 1)) * FULL));
  const steps: { fate: Fate; count: number }[][] = [
    [
      { fate: 'rejected-here', count: rows.rejectedLocally },
      { fate: 'duplicate', count: rows.duplicates },
    ],
    [{ fate: 'outranked', count: rows.outranked }],
    [
      { fate: 'rejected-there', count: rows.rejectedRemotely },
      { fate: unproved, count: rows.unexplained },
    ],
  ];
  const flow: Flow = { bars: [], bands: [], height: 0 };
  let height = steps.flat().reduce((sum, { count }) => sum + size(count), size(rows.live));
  flow.height = height;
  for (const [at, losses] of steps.entries()) {
    const x = COLUMNS[at] ?? 0;
    flow.bars.push({ x, y: 0, height, fate: 'rows' });
    const lost = losses.reduce((sum, { count }) => sum + size(count), 0);
    height -= lost;
    const fate = at === 2 ? 'live' : 'rows';
    flow.bands.push({ from: { x: x + BAR_WIDTH, y: 0 }, to: { x: COLUMNS[at + 1] ?? 0, y: 0 }, height, fate });
    turnOff(
      flow,
      { x, y: height },
      losses.map((loss) => ({ fate: loss.fate, height: size(loss.count) })),
    );
  }
  flow.bars.push({ x: COLUMNS[3], y: 0, height, fate: 'live' });
  flow.bars = flow.bars.filter((bar) => bar.height > 0);
  flow.bands = flow.bands.filter((band) => band.height > 0);
  return flow;
}

function turnOff(flow: Flow, start: { x: number; y: number }, losses: { fate: Fate; height: number }[]): void {
  let from = start.y;
  let to = start.y;
  for (const { fate, height } of losses) {
    if (height === 0) continue;
    to += GAP;
    const x = start.x + LOSS_AT;
    flow.bands.push({ from: { x: start.x + BAR_WIDTH, y: from }, to: { x, y: to }, height, fate });
    flow.bars.push({ x, y: to, height, fate });
    from += height;
    to += height;
    flow.height = Math.max(flow.height, to);
  }
}
