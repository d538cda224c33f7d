import { CronExpressionParser } from 'cron-parser';
import { messageOf } from '../../errors.ts';
import { matches, type Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';

/** A schedule must name times that come, in a time zone that exists; the queue reads cron with the same parser. */
export function schedulesAreReal(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { schedule }]) => {
    if (schedule === undefined) return [];
    const path = ['feeds', name, 'schedule'];
    const known = isTimeZone(schedule.timezone);
    const findings = cronFindings([...path, 'cron'], schedule.cron, known ? schedule.timezone : 'UTC');
    return known ? findings : findings.concat(unknownZone([...path, 'timezone'], schedule.timezone));
  });
}

/** The times of the digests are those of time zones that exist. */
export function digestsHaveTimeZones({ mail }: Config): Finding[] {
  return (['daily', 'weekly'] as const).flatMap((every) => {
    const { timezone } = mail[every];
    return isTimeZone(timezone) ? [] : [unknownZone(['mail', every, 'timezone'], timezone)];
  });
}

/** A supplier's time zone must exist. */
export function suppliersHaveTimeZones(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { supplier }]) => {
    const zone = supplier?.timezone;
    return zone === undefined || isTimeZone(zone) ? [] : [unknownZone(['feeds', name, 'supplier', 'timezone'], zone)];
  });
}

function unknownZone(path: Path, zone: string): Finding {
  return { path, message: `unknown time zone "${zone}"; write one such as Europe/Berlin or UTC` };
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function cronFindings(path: Path, cron: string, tz: string): Finding[] {
  const advice = 'write minute, hour, day, month, weekday, such as "0 6 * * *" for six every morning';
  const fields = cron.trim().split(/\s+/u);
  // The parser fills missing fields up from the left and draws `H` anew each time; neither is what a schedule means.
  if (!cron.startsWith('@') && (fields.length < 5 || fields.length > 6)) {
    return [{ path, message: `"${cron}" has ${fields.length} field${fields.length === 1 ? '' : 's'}; ${advice}` }];
  }
  if (/(^|[\s,])H/u.test(cron)) return [{ path, message: `"${cron}": "H" is not supported; ${advice}` }];
  try {
    CronExpressionParser.parse(cron, { tz }).next();
    return [];
  } catch (error) {
    return [{ path, message: `"${cron}" is not a schedule (${messageOf(error)}); ${advice}` }];
  }
}

/** The first wait between two looks at an upload cannot be longer than the longest. */
export function pollingFits({ service: { poll } }: Config): Finding[] {
  if (poll.initial <= poll.max) return [];
  return [{ path: ['service', 'poll', 'initial'], message: 'must not be longer than service.poll.max' }];
}

/** Timers of the platform end at 2^31 - 1 ms; longer ones would fire at once. */
const LONGEST_TIMER = 24 * 86_400_000;

/** Waits that may be zero: there is nothing to wait for. */
const MAY_BE_ZERO = ['feeds.*.source.settle', 'logins.*.coalesce', 'service.poll.settle', 'service.poll.index'];

/** Waits must be long enough to be waits and short enough to be timers. */
export function timersAreUsable(config: Config): Finding[] {
  return timersOf(config).flatMap(([path, ms]) => {
    if (ms > LONGEST_TIMER) return [{ path, message: 'is too long; the longest wait is 24d' }];
    if (ms === 0 && !MAY_BE_ZERO.some((pattern) => matches(path, pattern))) {
      return [{ path, message: 'must be longer than zero' }];
    }
    return [];
  });
}

function timersOf({ service, logins, feeds }: Config): [Path, number][] {
  const ofPolling = Object.entries(service.poll).map(([key, ms]): [Path, number] => [['service', 'poll', key], ms]);
  const ofLogins = Object.entries(logins).map(([name, { coalesce }]): [Path, number] => [
    ['logins', name, 'coalesce'],
    coalesce,
  ]);
  const ofFeeds = Object.entries(feeds).flatMap(([name, { source }]) => {
    const path = ['feeds', name, 'source'];
    const timeout: [Path, number][] = source.type === 'directory' ? [] : [[[...path, 'timeout'], source.timeout]];
    const settle: [Path, number][] = source.settle === undefined ? [] : [[[...path, 'settle'], source.settle]];
    return timeout.concat(settle);
  });
  return [[['service', 'timeout'], service.timeout], ...ofPolling, ...ofLogins, ...ofFeeds];
}
