import { dictionary } from '../io/dictionary.ts';
import { messageOf, systemCode } from '../errors.ts';
import type { DateFile, Lists } from './brands/lists.ts';
import { showPath, type Path } from './read/path.ts';
import type { Finding, Problem } from './read/problem.ts';
import type { Config } from './schema/schema.ts';

/** The days of the files that hold holidays of feeds, and what is wrong with them. */
export type FoundHolidays = { days: Record<string, string[]>; findings: Finding[]; problems: Problem[] };

/** Of a file that is wrong throughout, the first lines are enough. */
const MOST_PROBLEMS = 20;

/** Reads the files of dates that `expect.holidays` of feeds name; their paths are absolute. */
export async function findHolidays(config: Config, lists: Lists): Promise<FoundHolidays> {
  const found: FoundHolidays = { days: dictionary(), findings: [], problems: [] };
  const files = new Map<string, Promise<DateFile>>();
  for (const [feed, { expect }] of Object.entries(config.feeds)) {
    if (expect?.holidays === undefined || Array.isArray(expect.holidays)) continue;
    const { file } = expect.holidays;
    const path: Path = ['feeds', feed, 'expect', 'holidays', 'file'];
    const isFirst = !files.has(file);
    const reading = files.get(file) ?? lists.readDates(file);
    files.set(file, reading);
    try {
      const { days, problems } = await reading;
      for (const { line, message } of isFirst ? problems.slice(0, MOST_PROBLEMS) : [])
        found.problems.push({ file, line, column: 1, path: showPath(path), message });
      if (days.length === 0 && problems.length === 0)
        found.findings.push({ path, message: `${file} has no date: write one such as 2026-12-24 in each line` });
      found.days[feed] = days;
    } catch (error) {
      const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${messageOf(error)}`;
      found.findings.push({ path, message: `${file} ${why}` });
    }
  }
  return found;
}
