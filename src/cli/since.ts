import { InvalidArgumentError } from 'commander';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A moment, given how far back it lies from `now` or by itself; epoch milliseconds. */
export type Since = (now: number) => number;

/** Reads `90m`, `6h`, `1d`, `2w`, or a date with or without a time, which is UTC unless it names a zone. */
export function readSince(text: string): Since {
  const [, amount, unit] = /^(\d+)([mhdw])$/u.exec(text) ?? [];
  if (unit !== undefined) return (now) => now - Number(amount) * UNITS[unit as keyof typeof UNITS];
  const isDate = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/u.test(text);
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/u.test(text.slice(10));
  const at = isDate
    ? Date.parse(text.length === 10 || hasZone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`)
    : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Expected how long ago, such as 6h or 1d, or a date such as 2026-11-21.');
  return () => at;
}
