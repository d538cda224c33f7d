import { CronExpressionParser } from 'cron-parser';

/** The first time after `from` (epoch milliseconds) at which a schedule is due. */
export function nextDue(schedule: { cron: string; timezone: string }, from: number): number {
  const options = { currentDate: new Date(from), tz: schedule.timezone };
  return CronExpressionParser.parse(schedule.cron, options).next().getTime();
}
