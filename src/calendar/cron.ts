import { CronExpressionParser } from 'cron-parser';
import { remembered } from '../remembered.ts';

/** A cron expression that was read. */
export type Cron = {
  /** The next time that it names after another, both as a clock shows them: the milliseconds of the UTC time that reads the same. */
  after: (shown: number) => number;
  /** It names every hour of the day, so that it says how often, not when. */
  everyHour: boolean;
};

/** Names of the crontab that the parser does not know. */
const NICKNAMES = new Map([['@midnight', '@daily']]);

/**
 * Reads a cron expression; throws when it is none. The parser counts as if clocks never changed, because it leaves out times of some
 * days on which they do; whoever asks places its times in a time zone.
 */
export const readCron = remembered((expression): Cron => {
  const parsed = CronExpressionParser.parse(NICKNAMES.get(expression) ?? expression, { tz: 'UTC' });
  return {
    after: (shown) => {
      parsed.reset(new Date(shown));
      return parsed.next().getTime();
    },
    everyHour: parsed.fields.hour.values.length === 24,
  };
});
