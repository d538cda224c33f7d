import picomatch from 'picomatch';
import { isNear, isUnfinished } from './near.ts';

/** What a pattern says of names. */
export type Pattern = {
  matches: (name: string) => boolean;
  /** The date in a name as one number that grows with time; null when the pattern has none, or the name, which then does not match. */
  dateOf: (name: string) => number | null;
  /** The number in a name that counts deliveries; null when the pattern has none. */
  sequenceOf: (name: string) => number | null;
  /** Why a name almost matches: it is that of a transfer that is not finished, or written otherwise; undefined for all others. */
  nearOf: (name: string) => 'unfinished' | 'misnamed' | undefined;
  /** As it is configured. */
  text: string;
};

const PARTS = { yyyy: '\\d{4}', MM: '\\d{2}', dd: '\\d{2}', HH: '\\d{2}', mm: '\\d{2}', ss: '\\d{2}' } as const;
type Part = keyof typeof PARTS;

/** `{yyyy-MM-dd}` and the like: parts of a date with signs between them, but not the comma of alternatives. */
const DATE = /\{((?:yyyy|MM|dd|HH|mm|ss)(?:[-_. T]?(?:yyyy|MM|dd|HH|mm|ss))*)\}/u;

/** Where the number stands that counts deliveries, and its digits. */
const SEQUENCE = { written: '{sequence}', digits: '\\d{1,15}' };

/** Characters of a name: a pattern with many stars takes long for a long one. No file system has longer ones. */
export const LONGEST_NAME = 1000;

/** Stand for the date and the number while the rest of the pattern is translated; no file name has them. */
const STAND_IN = { date: '\uE0D0', sequence: '\uE0D1' };

/** Names under which programs write files that are not complete yet. */
const PARTIAL = /^\.|\.(part|partial|filepart|tmp|temp|crdownload|download)$|~$/iu;

/**
 * Reads a pattern for names, such as `price_{yyyy-MM-dd}*.{csv,zip}` or `delta_{sequence}.csv`. Case makes no difference; dotfiles and names of
 * unfinished transfers never match.
 */
export function patternOf(text: string): Pattern {
  const date = DATE.exec(text.normalize());
  const parts = (date?.[1]?.match(/yyyy|MM|dd|HH|mm|ss/gu) ?? []) as Part[];
  const undated = date === null ? text.normalize() : text.normalize().replace(date[0], STAND_IN.date);
  const glob = undated.replace(SEQUENCE.written, STAND_IN.sequence);
  const expression = expressionOf(glob, date?.[1] ?? '');
  const groupsOf = (name: string) =>
    (name.length <= LONGEST_NAME ? expression.exec(name.normalize())?.groups : undefined) ?? {};
  const isPossible = (name: string) => {
    const values = valuesOf(groupsOf(name), 'date');
    return values.length === 0 || instantOf(parts, values) !== null;
  };
  const matches = (name: string) =>
    name.length <= LONGEST_NAME &&
    !PARTIAL.test(name) &&
    expression.test(name.normalize()) &&
    (date === null || isPossible(name));
  return {
    matches,
    nearOf: (name) => {
      if (matches(name)) return undefined;
      if (isUnfinished(name, matches)) return 'unfinished';
      return isNear(name, text) ? 'misnamed' : undefined;
    },
    text,
    dateOf: (name) => {
      const values = valuesOf(groupsOf(name), 'date');
      return values.length === 0 ? null : instantOf(parts, values);
    },
    sequenceOf: (name) => {
      const [value] = valuesOf(groupsOf(name), 'sequence');
      return value === undefined ? null : Number(value);
    },
  };
}

/** The parts of the date and the number are named groups: a pattern may stand several times in its expression. */
function expressionOf(glob: string, date: string): RegExp {
  const written = picomatch.makeRe(glob, { nocase: true }).source;
  let times = 0;
  const dated = written.replaceAll(new RegExp(`\\\\?${STAND_IN.date}`, 'gu'), () => {
    times += 1;
    let part = 0;
    return date
      .replaceAll('.', '\\.')
      .replaceAll(/yyyy|MM|dd|HH|mm|ss/gu, (letters) => `(?<date${times}x${(part += 1)}>${PARTS[letters as Part]})`);
  });
  const numbered = dated.replaceAll(new RegExp(`\\\\?${STAND_IN.sequence}`, 'gu'), () => {
    times += 1;
    return `(?<sequence${times}>${SEQUENCE.digits})`;
  });
  return new RegExp(numbered, 'i');
}

/** What the groups of one kind found, in the order of the pattern. */
function valuesOf(groups: Record<string, string | undefined>, kind: keyof typeof STAND_IN): string[] {
  return Object.entries(groups).flatMap(([key, value]) => (key.startsWith(kind) && value !== undefined ? [value] : []));
}

/** Dates are only compared with each other, so that the time zone they are in makes no difference. */
function instantOf(parts: Part[], values: string[]): number | null {
  const at = (part: Part, otherwise: number) => {
    const index = parts.indexOf(part);
    return index < 0 ? otherwise : Number(values[index]);
  };
  const [year, month, day] = [at('yyyy', 1970), at('MM', 1), at('dd', 1)];
  const date = new Date(Date.UTC(year, month - 1, day, at('HH', 0), at('mm', 0), at('ss', 0)));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
