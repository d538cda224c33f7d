import { parse } from 'node:path/posix';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import type { Past } from './past.ts';
import { chooseChange, type ChangeChoice, type StoppedFile } from './changes.ts';
import { cleanName } from '../../io/file-name.ts';
import { areSimilar } from './near.ts';
import { LONGEST_NAME, type Pattern } from './pattern.ts';

export type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';

/** What a listing comes to. */
export type Choice<T extends Listed> = {
  /** The file to take. */
  newest: T | undefined;
  /** Files that fit as well, newest first. */
  older: T[];
  /** Files that were passed over, with the reason. */
  passedOver: { name: string; why: string }[];
  /** Nothing but their names orders the files: the place shows no times. */
  byName?: true;
  /** Files that almost fit and are newer than the one that was taken last: the supplier may have named the new one otherwise. */
  near: string[];
  /** Of a feed whose deliveries are changes: what is taken afterwards, and what is kept back. */
  changes?: Pick<ChangeChoice<T>, 'next' | 'waits' | 'taken' | 'known'>;
};

/** Changes that wait at a place for nothing but their turn. `by`: the file that somebody has to decide about before. */
export type WaitingChanges = { count: number; by: StoppedFile | null };

/** Why most files are passed over. */
export const NO_MATCH = 'does not match the pattern';

const UNFINISHED = 'has the name of a transfer that is not finished';
const NO_MARKER = 'has no marker ';

/** Whether some files were passed over for now alone: their transfer or their marker is still to come. */
export function areSomeToCome(passedOver: Choice<Listed>['passedOver']): boolean {
  return passedOver.some(({ why }) => why === UNFINISHED || why.startsWith(NO_MARKER));
}

/** Files of which a reason says why they were passed over. */
const SHOWN = 10;

/** Why files were passed over, of as many as a reason can tell; those that only do not match the pattern are not told. */
export function passedOverTexts(passedOver: Choice<Listed>['passedOver']): string[] {
  const told = passedOver.filter(({ why }) => why !== NO_MATCH);
  const shown = told.slice(0, SHOWN).map(({ name, why }) => `${cleanName(name)} ${why}`);
  return told.length > SHOWN ? [...shown, `and ${told.length - SHOWN} more`] : shown;
}

/** What is said of a place of which nothing is taken, and what is kept back there. */
export function nothingIn(place: string, pattern: string, choice: Choice<Listed>) {
  const { passedOver, changes } = choice;
  const none =
    changes === undefined ? `no file in ${place} matches ${pattern}` : `no new file in ${place} matches ${pattern}`;
  const { why, missing = [], by } = changes?.waits ?? {};
  const there = changes?.next.map(({ name }) => cleanName(name)) ?? [];
  const first = there[0] ?? cleanName(by?.name ?? '');
  return {
    kind: 'nothing' as const,
    reason: [why === undefined ? none : `${first} ${why}`, ...passedOverTexts(passedOver)].join('; '),
    ...(missing.length === 0 ? {} : { incomplete: { there, missing } }),
    ...waitingIn(choice),
  };
}

/**
 * How many changes wait at a place to be taken after others, and for what, and which files were passed over; nothing where no changes are taken.
 */
export function waitingIn({ changes, passedOver }: Choice<Listed>): {
  waiting?: WaitingChanges;
  passedOver?: string[];
} {
  if (changes === undefined) return {};
  const { next, waits } = changes;
  const by = waits?.by ?? null;
  const waiting = { count: waits === null || by !== null ? next.length : 0, by };
  return { waiting, passedOver: passedOverTexts(passedOver) };
}

/** How a file is chosen. */
export type Choosing = {
  pattern: Pattern;
  /** The marker of a file that is complete. */
  ready?: string | undefined;
  past?: Past | undefined;
  /** Names are kept as bytes, so that all of them can be asked for. */
  anyName?: true;
  /** False where two files may have the same name, as the attachments of two mails. */
  uniqueNames?: boolean | undefined;
  /** All files that fit are wanted, whatever was taken before. */
  all?: boolean;
};

/**
 * Chooses among the files of a place: those that fit the pattern, by the date in the name, else by time of change, then by
 * name. With `ready`, a file counts once its marker lies beside it: the `*` of the marker stands for the file's name, with
 * or without its extension; a marker without `*` stands for all files. What was superseded stays so. By
 * the dates in names, and where names are not unique, nothing older than the file that was taken last is taken after it, though
 * that one be gone; elsewhere a file that comes late is for the guards to judge.
 */
export function choose<T extends Listed>(
  files: T[],
  { pattern, ready, past, anyName, uniqueNames, all: isAll = false }: Choosing,
): Choice<T> {
  const names = new Set(files.map(({ name }) => name));
  const passedOver: Choice<T>['passedOver'] = [];
  const near: Listed[] = [];
  const passOver = (name: string, why: string) => void passedOver.push({ name, why });
  const fitting = files.filter((file) => {
    const { name } = file;
    if (isMarker(name, ready)) return false;
    if (past?.isResult?.(file) === true) {
      if (pattern.matches(name)) passOver(name, 'is a result that was put there');
      return false;
    }
    const almost = pattern.nearOf(name);
    if (almost === 'misnamed') near.push(file);
    const why = !pattern.matches(name)
      ? almost === undefined
        ? NO_MATCH
        : almost === 'misnamed'
          ? `is there and does not fit ${pattern.text}`
          : UNFINISHED
      : ((anyName === true ? undefined : unusable(name)) ??
        (isReady(name, names, ready) ? undefined : `${NO_MARKER}${ready} yet`) ??
        (past?.isSuperseded(file) === true ? 'was superseded by a newer file' : undefined));
    if (why !== undefined) passOver(name, why);
    return why === undefined;
  });
  if (past?.changes !== undefined) {
    const { take, superseded, passedOver: others, ...changes } = chooseChange(fitting, past.changes);
    const almost = newerNames(near, past.last ?? take ?? null);
    return { newest: take, older: superseded, passedOver: [...passedOver, ...others], near: almost, changes };
  }
  const gone = isAll ? null : lastOf(fitting, { past, pattern, uniqueNames });
  const order = newestFirst<Listed>(gone === null ? fitting : [...fitting, gone], pattern) as (T | typeof gone)[];
  const newer = gone === null ? order.length : order.indexOf(gone);
  for (const file of order.slice(newer + 1)) {
    if (newer === 0) passOver(file!.name, `is older than ${gone!.name}, which was taken before`);
  }
  const [newest, ...older] = newer === 0 ? [] : (order.filter((file) => file !== gone) as T[]);
  const all = newest === undefined ? [] : [newest, ...older];
  const isTimed = ({ name, mtimeMs }: T) => mtimeMs !== null || pattern.dateOf(name) !== null;
  const byName = older.length > 0 && !all.some(isTimed) && all.some(({ shownAt }) => shownAt === undefined);
  return {
    newest,
    older,
    passedOver,
    ...(byName ? { byName } : {}),
    near: newerNames(near, past?.last ?? newest ?? null),
  };
}

/** The names of files that a place shows as newer than another one, or of all where there is none. The same list in another format is not new. */
function newerNames(files: Listed[], than: Listed | null): string[] {
  const at = ({ mtimeMs, shownAt }: Listed) => mtimeMs ?? shownAt ?? -Infinity;
  const isNewer = (file: Listed) =>
    than === null ||
    (at(file) > at(than) && parse(file.name).name !== parse(than.name).name && areSimilar(file.name, than.name));
  return files.filter(isNewer).map(({ name }) => cleanName(name));
}

/** The file that was taken last, unless it is among the files itself or one of the same name took its place. */
function lastOf(files: Listed[], { past, pattern, uniqueNames = true }: Omit<Choosing, 'ready'>): Listed | null {
  const last = past?.last ?? null;
  if (last === null || (uniqueNames && pattern.dateOf(last.name) === null)) return null;
  const there = files.some(
    ({ name, size, mtimeMs }) =>
      name === last?.name && (uniqueNames || (size === last.size && mtimeMs === last.mtimeMs)),
  );
  return there ? null : last;
}

/** The newest by the date in the name, else by time of change, then the last by name. */
function newestFirst<T extends Omit<Listed, 'size'>>(files: T[], { dateOf }: Pattern): T[] {
  // Times for people that only some of them show order nothing.
  const areShown = files.every(({ mtimeMs, shownAt }) => mtimeMs !== null || shownAt !== undefined);
  const dated = files.map((file) => ({
    file,
    date: dateOf(file.name) ?? -Infinity,
    at: file.mtimeMs ?? (areShown ? file.shownAt : undefined) ?? -Infinity,
  }));
  dated.sort((a, b) => compare(b.date, a.date) || compare(b.at, a.at) || compare(b.file.name, a.file.name));
  return dated.map(({ file }) => file);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names that lead out of the folder, or that a line of a protocol cannot carry. */
function unusable(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return `has a name of more than ${LONGEST_NAME} characters`;
  if (/[/\\]/u.test(name) || name === '..' || name === '.') return 'has a name that leads out of the folder';
  if (/\p{Cc}/u.test(name)) return 'has a line break or control character in its name';
  return name.includes('\uFFFD') ? 'has a name in another charset' : undefined;
}

function isMarker(name: string, ready: string | undefined): boolean {
  if (ready === undefined) return false;
  const [before = '', after] = ready.split('*');
  return after === undefined ? name === ready : name.startsWith(before) && name.endsWith(after);
}

function isReady(name: string, names: Set<string>, ready: string | undefined): boolean {
  if (ready === undefined) return true;
  return [name, name.replace(/\.[^.]+$/u, '')].some((stem) => names.has(ready.replace('*', () => stem)));
}
