import { createHash } from 'node:crypto';
import { parse } from 'node:path/posix';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import { identityOf, type Past } from './past.ts';
import { chooseChange, isWrittenAnew, type ChangeChoice, type StoppedFile } from './changes.ts';
import { cleanName } from '../../io/file-name.ts';
import { areSimilar } from './near.ts';
import { chooseNewest, newestFirst, type NewestOf } from './newest.ts';
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
  /** Files whose dates lie in the future and do not count, where not all that fit are wanted. */
  notes?: { file: T; why: string }[];
  /** Of a feed whose deliveries are changes: what is taken afterwards, and what is kept back. */
  changes?: Pick<ChangeChoice<T>, 'next' | 'late' | 'waits' | 'taken' | 'known'>;
};

/**
 * Changes that wait at a place for nothing but their turn. `by`: the file that somebody has to decide about before; `late`: files that came
 * after the last one and have lower numbers.
 */
export type WaitingChanges = { count: number; by: StoppedFile | null; late?: string[] };

/** Why most files are passed over. */
export const NO_MATCH = 'does not match the pattern';

const UNFINISHED = 'has the name of a transfer that is not finished';
const NO_MARKER = 'has no marker ';
const WRITTEN_ANEW = 'was written anew since it was taken: its changes are put upon those of before';

/** Whether some files were passed over for now alone: their transfer or their marker is still to come. */
export function areSomeToCome(passedOver: Choice<Listed>['passedOver']): boolean {
  return passedOver.some(({ why }) => why === UNFINISHED || why.startsWith(NO_MARKER));
}

/** Files of which a reason says why they were passed over. */
const SHOWN = 10;
/** Files of which a run remembers what was said. */
const MOST_REMARKS = 500;

/** Something that is said of a file; `key` tells it from what is said of another, and of the file once it was changed. */
export type Remark = { text: string; key: string };

type Passed = { name: string; why: string; file?: Listed };

/** What is to be said of files, of as many as a run can remember; those that only do not match the pattern are not told. */
export function remarksOn(files: Passed[]): Remark[] {
  return told(files)
    .slice(-MOST_REMARKS)
    .map(({ name, why, file }) => {
      const text = `${cleanName(name)} ${why}`;
      return { text, key: keyOf(file === undefined ? text : `${identityOf(file)} ${why}`) };
    });
}

function told<T extends Passed>(files: T[]): T[] {
  return files.filter(({ why }) => why !== NO_MATCH);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/** The texts of remarks, of as many as a run can tell, and how many more there are. */
export function remarkTexts(remarks: Remark[]): string[] {
  return firstOf(remarks, ({ text }) => text);
}

/** Why files were passed over, of as many as a reason can tell, and how many more there are. */
export function passedOverTexts(passedOver: Choice<Listed>['passedOver']): string[] {
  return firstOf(told(passedOver), ({ name, why }) => `${cleanName(name)} ${why}`);
}

function firstOf<T>(all: T[], textOf: (one: T) => string): string[] {
  const shown = all.slice(0, SHOWN).map(textOf);
  return all.length > SHOWN ? [...shown, `and ${all.length - SHOWN} more`] : shown;
}

/** What is said of a place of which nothing is taken, and what is kept back there. */
export function nothingIn(place: string, pattern: string, choice: Choice<Listed>) {
  const { passedOver, changes, notes = [] } = choice;
  const none =
    changes === undefined ? `no file in ${place} matches ${pattern}` : `no new file in ${place} matches ${pattern}`;
  const { why, missing = [], by } = changes?.waits ?? {};
  const there = changes?.next.map(({ name }) => cleanName(name)) ?? [];
  const first = there[0] ?? cleanName(by?.name ?? '');
  return {
    kind: 'nothing' as const,
    reason: [
      ...(why !== undefined ? [`${first} ${why}`] : changes !== undefined && changes.late.length > 0 ? [] : [none]),
      ...passedOverTexts(changes === undefined ? passedOver : [...passedOver, ...named(notes)]),
    ].join('; '),
    ...(missing.length === 0 ? {} : { incomplete: { there, missing } }),
    ...waitingIn(choice),
  };
}

/**
 * How many changes wait at a place to be taken after others, and for what, and which files were passed over; whose dates do
 * not count.
 */
export function waitingIn({ changes, passedOver, notes = [] }: Choice<Listed>): {
  waiting?: WaitingChanges;
  remarks?: Remark[];
} {
  if (changes === undefined) {
    const remarks = remarksOn(named(notes));
    return remarks.length === 0 ? {} : { remarks };
  }
  const { next, waits } = changes;
  const by = waits?.by ?? null;
  const late = changes.late.map(({ name }) => cleanName(name));
  const waiting = {
    count: waits === null || by !== null ? next.length : 0,
    by,
    ...(late.length === 0 ? {} : { late }),
  };
  return { waiting, remarks: remarksOn([...passedOver, ...named(notes)]) };
}

function named(notes: NonNullable<Choice<Listed>['notes']>) {
  return notes.map(({ file, why }) => ({ name: file.name, why, file }));
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
  /** Epoch milliseconds; absent: no date lies in the future. */
  now?: number | undefined;
};

/**
 * Chooses among the files of a place: those that fit the pattern, by the date in the name, else by time of change, then by
 * name. With `ready`, a file counts once its marker lies beside it: the `*` of the marker stands for the file's name, with
 * or without its extension; a marker without `*` stands for all files. What was superseded stays so.
 */
export function choose<T extends Listed>(
  files: T[],
  { pattern, ready, past, anyName, uniqueNames, all: isAll = false, now = Infinity }: Choosing,
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
    const { isTaken, names: its } = past.changes;
    const notes = fitting.flatMap((file) => {
      const why = isTaken(file) ? null : its.whyAhead(file);
      return why === null ? [] : [{ file, why }];
    });
    if (take !== undefined && isWrittenAnew(take, past.changes)) notes.push({ file: take, why: WRITTEN_ANEW });
    const all = [...passedOver, ...others];
    return {
      newest: take,
      older: superseded,
      passedOver: all,
      near: almost,
      changes,
      ...(notes.length === 0 ? {} : { notes }),
    };
  }
  const chosen = isAll
    ? inOrder(newestFirst(fitting, pattern, now))
    : chooseNewest(fitting, { pattern, past, uniqueNames, now });
  const { newest, older, notes } = chosen;
  for (const { file, why } of chosen.passedOver) passOver(file.name, why);
  const all = newest === undefined ? [] : [newest, ...older];
  const isTimed = ({ name, mtimeMs }: T) => mtimeMs !== null || pattern.dateOf(name) !== null;
  const byName = older.length > 0 && !all.some(isTimed) && all.some(({ shownAt }) => shownAt === undefined);
  return {
    newest,
    older,
    passedOver,
    ...(byName ? { byName } : {}),
    ...(notes.length === 0 ? {} : { notes }),
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

function inOrder<T extends Listed>([newest, ...older]: T[]): NewestOf<T> {
  return { newest, older, passedOver: [], notes: [] };
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
