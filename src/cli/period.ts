import { InvalidArgumentError } from 'commander';

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads `12h`, `90d`, `4w` as milliseconds; the value of an option. */
export function readPeriod(text: string): number {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/u.exec(text) ?? [];
  if (unit === undefined || Number(amount) === 0)
    throw new InvalidArgumentError('Expected a period such as 12h, 90d or 4w.');
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}
