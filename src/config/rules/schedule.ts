import { readCron } from '../../calendar/cron.ts';
import { WELL_KNOWN_ZONES } from '../../calendar/well-known-zones.ts';
import { messageOf } from '../../errors.ts';
import { matches, type Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';

/** A schedule must name times that come, in a time zone that exists; the queue reads cron with the same parser. */
export function schedulesAreReal(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { schedule }]) =>
    schedule === undefined ? [] : scheduleFindings(['feeds', name, 'schedule'], schedule),
  );
}

/** What is wrong with one schedule, whose settings stand below `path`. */
export function scheduleFindings(path: Path, { cron, timezone }: { cron: string; timezone: string }): Finding[] {
  const findings = cronFindings([...path, 'cron'], cron);
  return isTimeZone(timezone) ? findings : findings.concat(unknownZone([...path, 'timezone'], timezone));
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

/** That a time zone of this name does not exist. */
export function unknownZone(path: Path, zone: string): Finding {
  return { path, message: `unknown time zone "${zone}"; write one such as Europe/Berlin or UTC` };
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  if (WELL_KNOWN_ZONES.has(name)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const ADVICE = 'write minute, hour, day, month, weekday, such as "0 6 * * *" for six every morning';
const NICKNAMES = '@hourly, @daily, @weekly, @monthly, @yearly';

function cronFindings(path: Path, cron: string): Finding[] {
  const fields = cron.trim().split(/\s+/u);
  // The parser fills missing fields up from the left and draws `H` anew each time; neither is what a schedule means.
  if (!cron.startsWith('@') && (fields.length < 5 || fields.length > 6)) {
    return [{ path, message: `"${cron}" has ${fields.length} field${fields.length === 1 ? '' : 's'}; ${ADVICE}` }];
  }
  if (isPlain(fields)) return [];
  if (/(^|[\s,])H/u.test(cron)) return [{ path, message: `"${cron}": "H" is not supported; ${ADVICE}` }];
  const problem = cronProblem(cron);
  if (problem === null) return [];
  if (cron.startsWith('@')) {
    return [{ path, message: `"${cron}" is not a schedule; write one such as ${NICKNAMES}, or five fields` }];
  }
  const [day, month] = [fields.length - 3, fields.length - 2];
  const apart = [fields.with(day, '*'), fields.with(month, '*')].map((changed) => cronProblem(changed.join(' ')));
  // Day and month can be read, only not together.
  if (apart.every((found) => found === null)) {
    return [
      { path, message: `"${cron}" never comes: no month that it names has such a day; change the day or the month` },
    ];
  }
  return [{ path, message: `"${cron}" is not a schedule (${problem}); ${ADVICE}` }];
}

/** The least and the most of minute, hour, day, month and weekday; every month has these days. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 28],
  [1, 12],
  [0, 6],
] as const;

/** Numbers; or `*` or a range, in steps if need be. */
const FIELD = /^(?:(?<list>\d{1,2}(?:,\d{1,2})*)|(?:\*|(?<from>\d{1,2})-(?<to>\d{1,2}))(?:\/(?<step>[1-9]\d?))?)$/u;

/**
 * Whether each of five fields has numbers that come in every month. The parser says the same of them, but its library for dates asks
 * for the locale of the machine first, which takes a tenth of the start of a command.
 */
function isPlain(fields: string[]): boolean {
  return (
    fields.length === RANGES.length &&
    RANGES.every(([least, most], at) => {
      const found = FIELD.exec(fields[at]!)?.groups;
      if (found === undefined) return false;
      const { from = least, to = most, step = 1 } = found;
      const numbers = (found['list'] ?? `${from},${to}`).split(',').map(Number);
      const inRange = numbers.every((number) => least <= number && number <= most);
      return inRange && new Set(numbers).size === numbers.length && Number(from) <= Number(to) && Number(step) <= most;
    })
  );
}

/** What is wrong with a cron expression; null: it names times that come. */
function cronProblem(cron: string): string | null {
  try {
    readCron(cron).after(0);
    return null;
  } catch (error) {
    return messageOf(error);
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

function timersOf({ service, logins, feeds, archive, backup }: Config): [Path, number][] {
  const ofPolling = Object.entries(service.poll).map(([key, ms]): [Path, number] => [['service', 'poll', key], ms]);
  const ofLogins = Object.entries(logins).map(([name, { coalesce }]): [Path, number] => [
    ['logins', name, 'coalesce'],
    coalesce,
  ]);
  const ofFeeds = Object.entries(feeds).flatMap(([name, { source }]) => {
    const path = ['feeds', name, 'source'];
    const timeout: [Path, number][] =
      source.type === 'directory' || source.type === 'push' ? [] : [[[...path, 'timeout'], source.timeout]];
    const settle: [Path, number][] = source.settle === undefined ? [] : [[[...path, 'settle'], source.settle]];
    return timeout.concat(settle);
  });
  const ofArchive: [Path, number][] = archive.type === 's3' ? [[['archive', 'timeout'], archive.timeout]] : [];
  const ofBackup: [Path, number][] = backup === undefined ? [] : [[['backup', 'tolerance'], backup.tolerance]];
  return [[['service', 'timeout'], service.timeout], ...ofPolling, ...ofLogins, ...ofFeeds, ...ofArchive, ...ofBackup];
}
