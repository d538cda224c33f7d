import stringWidth from 'string-width';
import type { Gauge, GaugedStage } from '../gauge.ts';
import { cutText } from './fit.ts';
import { printable } from '../wording/printable.ts';
import { grouped, percent } from '../wording/words.ts';

/** What is shown of a gauge: for how long its stage has lasted, and what was done of it when it was first seen. */
export type Shown = { gauge: Gauge; elapsed: number; from: number };

const STAGES: Record<GaugedStage, string> = {
  pull: 'pulling',
  read: 'reading',
  guard: 'comparing with what is live',
  compose: 'composing the dataset',
  send: 'sending',
  process: 'processing',
  trace: 'tracing rejections',
  fetch: 'reading back',
  prove: 'comparing',
  search: 'asking the search',
  report: 'reporting',
  copy: 'copying',
};

/** A rate over less time, and the rest of a stage that has hardly begun, would be a guess; milliseconds. */
const LEAST_TIME = 1000;

/** One line of how far the work is: `north: reading 45% · 112 of 250 MB · 98 MB/s · 2 s left`, cut at `columns`. */
export function gaugeLine(subject: string, { gauge, elapsed, from }: Shown, columns: number): string {
  const { stage, unit, total } = gauge;
  const done = total === null ? gauge.done : Math.min(gauge.done, total);
  const rate = elapsed < LEAST_TIME ? 0 : ((done - from) / elapsed) * 1000;
  const left = total === null ? Infinity : (total - done) / rate;
  const parts = [
    `${printable(subject)}: ${STAGES[stage]}${total === null ? '' : ` ${percent(Math.floor((done / total) * 100) / 100)}`}`,
    ...(total === null ? (done === 0 ? [] : [amount(done, unit)]) : []),
    ...(total === null ? [] : [`${amount(done, unit, total)} of ${amount(total, unit)}`]),
    ...(rate >= 1 ? [`${amount(rate, unit)}/s`] : []),
    ...(rate >= 1 && left > 0 && left < MOST_LEFT ? [`${timeText(left)} left`] : []),
    ...(total === null && done === 0 && elapsed >= LEAST_TIME ? [timeText(elapsed / 1000)] : []),
  ];
  while (parts.length > 1 && stringWidth(parts.join(SEPARATOR)) >= columns) parts.pop();
  return cutText(parts.join(SEPARATOR), columns - 1);
}

const SEPARATOR = ' · ';

/** Seconds; more is no forecast. */
const MOST_LEFT = 100 * 3600;

const SCALES = [
  { from: 1e9, unit: 'GB' },
  { from: 1e6, unit: 'MB' },
  { from: 1e3, unit: 'KB' },
];

/** An amount, in the unit that fits `scale`: rows as they are, bytes by thousands. */
function amount(value: number, unit: Gauge['unit'], scale?: number): string {
  if (unit !== 'bytes') return scale === undefined ? `${grouped(Math.round(value))} rows` : grouped(Math.round(value));
  const fitting = SCALES.find(({ from }) => (scale ?? value) >= from);
  if (fitting === undefined) return scale === undefined ? `${Math.round(value)} bytes` : String(Math.round(value));
  const number = (value / fitting.from).toFixed((scale ?? value) / fitting.from < 10 ? 1 : 0);
  return scale === undefined ? `${number} ${fitting.unit}` : number;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
