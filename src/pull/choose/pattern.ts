import picomatch from 'picomatch';
import { isNear, isUnfinished } from './near.ts';

/** What a pattern says of names. */
export type Pattern = {
  matches: (name: string) => boolean;
  /** The date in a name as one number that grows with time; null when the pattern has none, or the name an impossible one. */
  dateOf: (name: string) => number | null;
  /** Why a name almost matches: it is that of a transfer that is not finished, or written otherwise; undefined for all others. */
  nearOf: (name: string) => 'unfinished' | 'misnamed' | undefined;
  /** As it is configured. */
  text: string;
};

const PARTS = { yyyy: '\\d{4}', MM: '\\d{2}', dd: '\\d{2}', HH: '\\d{2}', mm: '\\d{2}', ss: '\\d{2}' } as const;
type Part = keyof typeof PARTS;

/** `{yyyy-MM-dd}` and the like: parts of a date with signs between them, but not the comma of alternatives. */
const DATE = /\{((?:yyyy|MM|dd|HH|mm|ss)(?:[-_. T]?(?:yyyy|MM|dd|HH|mm|ss))*)\}/u;

/** Characters of a name: a pattern with many stars takes long for a long one. No file system has longer ones. */
export const LONGEST_NAME = 1000;

/** Stands for the date while the rest of the pattern is translated; no file name has it. */
const STAND_IN = '\uE0D0';

/** Names under which programs write files that are not complete yet. */
const PARTIAL = /^\.|\.(part|partial|filepart|tmp|temp|crdownload|download)$|~$/iu;

/**
 * Reads a pattern for names, such as `price_{yyyy-MM-dd}*.{csv,zip}`. Case makes no difference; dotfiles and names of
 * unfinished transfers never match.
 */
export function patternOf(text: string): Pattern {
  const date = DATE.exec(text);
  const glob = date === null ? text : text.replace(date[0], STAND_IN);
  const written = picomatch.makeRe(glob, { nocase: true }).source;
  const parts = date?.[1]?.match(/yyyy|MM|dd|HH|mm|ss/gu) as Part[] | null | undefined;
  const digits = date?.[1]
    ?.replaceAll('.', '\\.')
    .replaceAll(/yyyy|MM|dd|HH|mm|ss/gu, (part) => `(${PARTS[part as Part]})`);
  const expression = new RegExp(written.replaceAll(new RegExp(`\\\\?${STAND_IN}`, 'gu'), digits ?? ''), 'i');
  const matches = (name: string) => name.length <= LONGEST_NAME && !PARTIAL.test(name) && expression.test(name);
  return {
    matches,
    nearOf: (name) => {
      if (matches(name)) return undefined;
      if (isUnfinished(name, matches)) return 'unfinished';
      return isNear(name, text) ? 'misnamed' : undefined;
    },
    text,
    dateOf: (name) => {
      const found = name.length <= LONGEST_NAME ? expression.exec(name) : null;
      return parts === null || parts === undefined || found === null ? null : instantOf(parts, found.slice(1));
    },
  };
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
