import { html, type Html } from '../../wording/html.ts';

/** A point: when (epoch milliseconds), and how many. */
export type ChartPoint = { at: number; value: number };

const WIDTH = 600;
const HEIGHT = 120;

/**
 * A curve of steps over time, filled below: what was live stays until something else is. `label` says what is seen to those who do not
 * see it. Nothing without two points.
 */
export function lineChart(points: readonly ChartPoint[], label: string): Html | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first.at === last.at) return null;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const x = (at: number) => round(((at - first.at) / (last.at - first.at)) * WIDTH);
  const y = (value: number) => round(HEIGHT - (value / most) * (HEIGHT - 4));
  const steps = points
    .map(({ at, value }, index) => (index === 0 ? `M0 ${y(value)}` : `H${x(at)}V${y(value)}`))
    .join('');
  const area: Html = { markup: `${steps}V${HEIGHT}H0Z` };
  const line: Html = { markup: steps };
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
    <path class="axis" d="M0 ${HEIGHT}H${WIDTH}" />
    <path class="area" d="${area}" />
    <path class="line" d="${line}" />
  </svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
