import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import { isAhead, isLater, whyAhead } from './ahead.ts';
import { isSameFile, type Past } from './past.ts';
import type { Pattern } from './pattern.ts';

/** What the files that fit come to where the newest is wanted. */
export type NewestOf<T extends Listed> = {
  newest: T | undefined;
  /** Files that it supersedes, newest first. */
  older: T[];
  passedOver: { file: T; why: string }[];
  /** Files whose dates do not count, with that; those that were taken last are left out. */
  notes: { file: T; why: string }[];
};

type Known = { pattern: Pattern; past?: Past | undefined; uniqueNames?: boolean | undefined; now: number };

/**
 * Chooses the newest of the files that fit. Dates and times in the future decide nothing against others: such a file comes behind all others, and
 * before the day of its name it is taken only if it came after what was taken last and nothing else is new. Among themselves they decide. By the
 * dates in names, and where names are not unique, nothing older than the file that was taken last is taken after it, though that one be gone. What
 * was taken and has not been changed since is not taken again, but for the last, which is met again. Pure.
 */
export function chooseNewest<T extends Listed>(files: T[], known: Known): NewestOf<T> {
  const { pattern, past, now } = known;
  const taken = files.find((file) => past?.last?.name === file.name && isSameFile(past.last, file));
  const gone = taken === undefined ? goneOf(files, known) : null;
  const last = taken ?? gone;
  const order = newestFirst<Listed>(gone === null ? files : [...files, gone], pattern, now) as (T | typeof gone)[];
  const others = order.filter((file): file is T => file !== last);
  const knows = knownOf(files, known);
  const fresh = others.filter((file) => !knows(file));
  const lastAt = order.findIndex((file) => file === last);
  const isNew = (file: T | typeof gone, at: number): file is T =>
    file !== last && !knows(file!) && (last === null || !isBefore(file!, last, at > lastAt, known));
  const newest = order.find(isNew) ?? taken;
  const noted = new Map<T, string>();
  for (const file of fresh) {
    const why = whyAhead(file, pattern, now);
    if (why !== null) noted.set(file, why);
  }
  const notes = Array.from(noted, ([file, why]) => ({ file, why }));
  if (newest === undefined) {
    const older = `is older than ${gone?.name}, which was taken before`;
    const whyOf = (file: T) => noted.get(file) ?? (knows(file) ? 'was taken before' : older);
    return { newest, older: [], passedOver: others.map((file) => ({ file, why: whyOf(file) })), notes };
  }
  // What is dated ahead of it may be the newest once its day has come.
  const date = pattern.dateOf(newest.name);
  const least = date === null || isAhead(date, now) ? -Infinity : date;
  const mayComeLater = ({ name }: T) => isAhead(pattern.dateOf(name), now) && pattern.dateOf(name)! > least;
  const later = new Set(fresh.filter((file) => file !== newest && mayComeLater(file)));
  return {
    newest,
    older: order.filter((file): file is T => file !== newest && file !== gone && !later.has(file as T)),
    passedOver: [...later].map((file) => ({ file, why: noted.get(file)! })),
    notes,
  };
}

/**
 * Tells which files were taken and have not been changed since. One that took the place of the last one under its name has been changed, also back to
 * what it was before. Where the last one made way for another name, a file without a time or a number
 * of its own may have been written anew under a name that was there before.
 */
function knownOf(files: Listed[], { past, uniqueNames = true }: Known): (file: Listed) => boolean {
  const last = past?.last ?? null;
  const isThere = files.some(({ name }) => name === last?.name);
  const isChanged = (file: Listed) =>
    uniqueNames && last !== null && file.name === last.name && !isSameFile(last, file);
  return (file) =>
    past?.isTaken?.(file) === true && !isChanged(file) && (isThere || file.mtimeMs !== null || file.id !== undefined);
}

/** The file that was taken last and is no more there, where it says what comes too late; not if one of the same name took its place. */
function goneOf(files: Listed[], { past, pattern, uniqueNames = true }: Known): Listed | null {
  const last = past?.last ?? null;
  if (last === null || !isDecisive(last, { pattern, uniqueNames })) return null;
  return uniqueNames && files.some(({ name }) => name === last.name) ? null : last;
}

/** Whether what is older than a file that was taken comes too late; elsewhere that is for the guards to judge. */
function isDecisive({ name }: Listed, { pattern, uniqueNames = true }: Pick<Known, 'pattern' | 'uniqueNames'>) {
  return !uniqueNames || pattern.dateOf(name) !== null;
}

/** Whether a file comes before the one that was taken last; `isOlder`: by their dates and times. */
function isBefore(file: Listed, last: Listed, isOlder: boolean, known: Known): boolean {
  const { pattern, now } = known;
  const isDated = pattern.dateOf(file.name) !== null;
  if (isUntimed(file, known)) {
    if (!isUntimed(last, known)) return isDated && !cameAfter(file, last, now);
    const isNewer = isDated ? isLater(file, last, now) : null;
    return isNewer === null ? isOlder : !isNewer;
  }
  if (isUntimed(last, known)) return isDecisive(last, known) && isLater(file, last, now) === false;
  return isOlder;
}

/** Whether a file was changed after another one, whatever its name says of its time. */
function cameAfter(file: Listed, than: Listed, now: number): boolean {
  return file.mtimeMs !== null && !isAhead(file.mtimeMs, now) && isLater(file, than, now) !== false;
}

/** Whether what orders a file among others lies in the future: the date in its name, else its time. */
function isUntimed({ name, mtimeMs }: Listed, { pattern, now }: Pick<Known, 'pattern' | 'now'>): boolean {
  return isAhead(pattern.dateOf(name) ?? mtimeMs, now);
}

/** The newest by the date in the name, else by time of change, then the last by name; those whose dates do not count are last. */
export function newestFirst<T extends Listed>(files: T[], { dateOf }: Pick<Pattern, 'dateOf'>, now: number): T[] {
  // Times for people that only some of them show order nothing.
  const areShown = files.every(({ mtimeMs, shownAt }) => mtimeMs !== null || shownAt !== undefined);
  const dated = files.map((file) => {
    const date = dateOf(file.name) ?? -Infinity;
    const at = file.mtimeMs ?? (areShown ? file.shownAt : undefined) ?? -Infinity;
    return { file, date, at, isUntimed: isAhead(date === -Infinity ? at : date, now) };
  });
  dated.sort(
    (a, b) =>
      Number(a.isUntimed) - Number(b.isUntimed) ||
      compare(b.date, a.date) ||
      compare(b.at, a.at) ||
      compare(b.file.name, a.file.name),
  );
  return dated.map(({ file }) => file);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
