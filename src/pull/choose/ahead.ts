import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import type { Pattern } from './pattern.ts';

const DAY = 24 * 60 * 60_000;
/** How far ahead of ours a clock or a date may be: a server in another time zone, a list that is sent the day before. */
const TOLERANCE = 2 * DAY;

/** Whether a time lies so far in the future that it says nothing of the order in which files came. */
export function isAhead(at: number | null, now: number): boolean {
  return at !== null && at > now + TOLERANCE;
}

/** What is wrong with the times of a file, as in "stock.csv has a date …"; null where nothing is. */
export function whyAhead(
  { name, mtimeMs }: Pick<Listed, 'name' | 'mtimeMs'>,
  { dateOf }: Pick<Pattern, 'dateOf'>,
  now: number,
): string | null {
  if (isAhead(dateOf(name), now)) return 'has a date in the future, which does not count';
  return isAhead(mtimeMs, now) ? 'has a time of change in the future, which does not count' : null;
}

/** Files in their order, but for those whose times say nothing: these come last. */
export function trustedFirst<T extends Listed>(files: T[], pattern: Pattern, now: number): T[] {
  const isTrusted = (file: T) => whyAhead(file, pattern, now) === null;
  return [...files.filter(isTrusted), ...files.filter((file) => !isTrusted(file))];
}

/** Whether a file was changed after another one; null where their clocks do not tell. */
export function isLater(file: Pick<Listed, 'mtimeMs'>, than: Pick<Listed, 'mtimeMs'>, now: number): boolean | null {
  const [at, other] = [file.mtimeMs, than.mtimeMs];
  return at === null || other === null || isAhead(at, now) !== isAhead(other, now) ? null : at > other;
}
