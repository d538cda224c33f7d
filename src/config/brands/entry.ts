import { foldHalf } from '../../parts/part-key.ts';
import { foldPlaceholder, isPlaceholder } from '../../values/placeholders.ts';
import { isFormula } from '../../values/spreadsheet.ts';
import { showPath, type Path } from '../read/path.ts';
import type { Lists } from './lists.ts';

/** A spelling and its brand as they are written, and where. */
export type Entry = { spelling: string; brand: string; place: Place };

/** A place in the configuration, or a line of a file. */
export type Place = { path: Path; at?: 'key' | undefined; line?: { file: string; number: number } };

/** What is wrong with an entry. */
export type EntryProblem = { place: Place; message: string };

/** A place in words, behind what stands there. */
export function whereIs({ path, line }: Place): string {
  return line === undefined ? `in ${showPath(path)}` : `in line ${line.number} of ${line.file}`;
}

/** What makes a text look like a regular expression that somebody took it for. */
const LOOKS_LIKE_PATTERN = /^\^|\$$|\.\*|\\[dwsb]|\|/u;

/** Whether a text that is compared as it is looks like a regular expression. */
export function looksLikePattern(text: string): boolean {
  return LOOKS_LIKE_PATTERN.test(text);
}

/** The longest brand and the longest spelling. */
const MOST_CHARACTERS = { brand: 100, spelling: 200 };

/** What is wrong with a spelling or its brand by themselves, or null. `keep`: values that are no placeholders at this feed. */
export function entryProblem(
  entry: { spelling: string; brand: string },
  { lists, keep }: { lists: Pick<Lists, 'isOtherMaker'>; keep: string[] },
): string | null {
  const kept = keptOf(keep);
  for (const what of ['brand', 'spelling'] as const) {
    const message = textProblem(what, entry[what], kept);
    if (message !== null) return message;
  }
  const { spelling, brand } = entry;
  if (!lists.isOtherMaker(spelling, brand)) return null;
  return `"${spelling}" is the name of another maker than ${brand}: parts of the one would be offered as parts of the other; remove it`;
}

/** What is wrong with a brand that rows are to get, or null. `keep`: values that are no placeholders at its feeds. */
export function brandProblem(brand: string, keep: string[]): string | null {
  return textProblem('brand', brand, keptOf(keep));
}

function keptOf(keep: string[]): Set<string> {
  return new Set(keep.map((one) => foldPlaceholder(one) || one.trim()));
}

function textProblem(what: 'brand' | 'spelling', text: string, kept: Set<string>): string | null {
  if (/\p{Cc}|\ufffd|[\u2028\u2029]/u.test(text))
    return `the ${what} ${JSON.stringify(text)} has control characters or lost letters; write a text on one line`;
  if (text.trim() !== text) return `the ${what} "${text}" has blanks around it; remove them`;
  if (foldHalf(text) === '') return `a ${what} is empty; write one, or remove the line`;
  const most = MOST_CHARACTERS[what];
  if (text.length > most) return `the ${what} "${text.slice(0, 40)}…" is longer than ${most} characters`;
  if (!isPlaceholder(text, 'brand', kept) && !isFormula(text, true)) return null;
  const why = what === 'brand' ? 'write a real one' : 'rows with it are rejected before';
  return `the ${what} "${text}" stands for nothing; ${why}, or keep it with values.keep of a feed`;
}
