import { advise } from '../../read/nearest.ts';
import { duration } from '../units.ts';
import { z } from '../zod.ts';

/** The days of a week as they are written, in the order of their numbers. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const DAYS_EXPECTED = 'expected days of the week such as mon-fri, or [mon, wed-sat]';
/** On none of the days nothing would ever be due. */
const ONE_EXPECTED = 'expected a list with at least one day of the week such as [mon, wed-sat]';
const TIMES_EXPECTED = 'expected a time of day such as 08:00, or a list of such times';
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/u;
const MOST_TIMES = 24;

/** Days of the week; read as their names in the order of the week. */
const days = z
  .union([z.string(), z.array(z.string())], { error: DAYS_EXPECTED })
  .transform((written, context): (typeof DAYS)[number][] => {
    const found = new Set<number>();
    for (const part of [written].flat().flatMap((text) => text.split(','))) {
      const ends = part
        .trim()
        .toLowerCase()
        .split(/\s*-\s*/u);
      const numbers = ends.map((name) => DAYS.indexOf(name as (typeof DAYS)[number]));
      const unknown = ends.find((_name, at) => numbers[at] === -1);
      if (unknown !== undefined || ends.length > 2) {
        const what =
          unknown === undefined ? `"${part.trim()}"` : `"${unknown}" (${advise(unknown, DAYS).replace('?', '')})`;
        context.addIssue({ code: 'custom', message: `${DAYS_EXPECTED}, not ${what}` });
        return z.NEVER;
      }
      const [first, last = first] = numbers as [number, number?];
      for (let day = first; ; day = (day + 1) % DAYS.length) {
        found.add(day);
        if (day === last) break;
      }
    }
    if (found.size === 0) {
      context.addIssue({ code: 'custom', message: ONE_EXPECTED });
      return z.NEVER;
    }
    return DAYS.filter((_day, number) => found.has(number));
  });

/** Times of the day, the earliest first. */
const by = z
  .union([z.string(), z.array(z.string()).min(1).max(MOST_TIMES)], { error: TIMES_EXPECTED })
  .transform((written, context): string[] => {
    const times = [written].flat();
    const wrong = times.find((time) => !TIME.test(time));
    const twice = times.find((time, at) => times.indexOf(time) !== at);
    if (wrong === undefined && twice === undefined) return times.toSorted();
    const message =
      wrong === undefined
        ? `expected each time of day once, and "${twice}" is there twice ("times" says how many are due by one time)`
        : `${TIMES_EXPECTED}, not "${wrong}"`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Public holidays of regions and single days, or a file with a date in each line. */
const holidays = z.union(
  [z.string().transform((one) => [one]), z.array(z.string()), z.strictObject({ file: z.string().min(1) })],
  { error: 'expected a list of regions and dates such as [DE-BY, 2026-12-24], or { file: PATH }' },
);

/** When deliveries of a supplier are due. */
export const expect = z.strictObject({
  days,
  by,
  timezone: z.string().optional(),
  holidays: holidays.optional(),
  tolerance: duration.prefault('2h'),
  times: z.int().min(1).max(MOST_TIMES).optional(),
  away: z.array(z.string()).optional(),
});
