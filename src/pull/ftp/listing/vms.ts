import { type Entry, momentOf } from './entry.ts';
import { monthOf } from './months.ts';

/** Signs that were not always allowed in names have a `^` before them, which the server is asked with as well. */
const NAME = /^(?<name>(?!;)(?:[\w$~-]|\^.)*(?:\.(?:[\w$~-]|\^.)*)?);(?<version>\d+)(?=\s|$)/u;
const DATE = /\s(?<day>\d{1,2})-(?<month>[A-Za-z]{3})-(?<year>\d{4})\s+(?<time>\d{1,2}:\d\d(?::\d\d)?)/u;

/** True for the name of a file and nothing else: OpenVMS writes the rest of a long one into the next line. */
export function isVmsName(line: string): boolean {
  return NAME.test(line) && NAME.exec(line)![0].length === line.trimEnd().length;
}

/** Reads an entry of OpenVMS: name and version, blocks, date, owner, protection; null for a line of another kind. Pure. */
export function readVms(line: string): Entry | 'nothing' | null {
  if (/^Directory \S+$|^(?:Grand )?Total of \d+ /u.test(line)) return 'nothing';
  const found = NAME.exec(line)?.groups;
  if (found === undefined) return null;
  const date = DATE.exec(line)?.groups;
  const isRefused = /%[A-Z]+-E-/u.test(line);
  if (date === undefined && !isRefused) return null;
  const isFolder = /\.DIR$/iu.test(found['name']!);
  return {
    name: isFolder ? found['name']!.slice(0, -4) : found['name']!,
    kind: isFolder ? 'folder' : isRefused ? 'other' : 'file',
    // Sizes are in blocks.
    size: null,
    modifiedAt: null,
    shownAt: date === undefined ? null : moment(date),
  };
}

function moment({ year, month = '', day, time }: Record<string, string>): number | null {
  const number = monthOf(month);
  return number === null ? null : momentOf([Number(year), number, Number(day)], time?.replace(/\..*$/u, ''));
}
