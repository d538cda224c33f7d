import { cleanName } from '../../io/file-name.ts';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import type { FileNames } from './delivery-kind.ts';

/** A file as far as it has a place among others of its feed. `takenAt`: when it was taken, if it was; epoch milliseconds. */
export type Placed = Pick<Listed, 'name' | 'mtimeMs' | 'shownAt'> & { takenAt?: number };

/** A file that was taken and is no part of the rows upon which the next changes are put. */
export type StoppedFile = Placed & {
  run: string;
  state: 'open' | 'held' | 'rejected' | 'failed' | 'replaced';
};

/** What is known of the files of a feed whose deliveries are changes. */
export type ChangesPast = {
  names: FileNames;
  /** The file of the rows upon which changes are put; null before there are any. */
  last: Placed | null;
  /** The number of the last changes before the full list to which these rows go back; null where it is not known. */
  numberBefore: number | null;
  /** Files after it, in their order. */
  stopped: StoppedFile[];
  /** True for a file that was taken, and need not be taken again. */
  isTaken: (file: Listed) => boolean;
  /** True for the file that is `last`. */
  isLast: (file: Listed) => boolean;
  /** True for a file that was taken under its name with as many bytes, whenever it was changed since; absent: none was. */
  isCopy?: (file: Listed) => boolean;
  /** Somebody says so: what is missing or stopped is no hindrance, and changes that are older than the last ones are taken as well. */
  force?: boolean;
  /** Where nothing is new the last file is taken again. */
  again?: boolean;
  /** Files that are missing were waited for. */
  takesGap?: boolean;
};

/** What the files of a place come to where they may be changes. */
export type ChangeChoice<T extends Listed> = {
  take: T | undefined;
  /** Files that a full list makes needless. */
  superseded: T[];
  /** Changes to be taken afterwards, in their order. */
  next: T[];
  passedOver: { name: string; why: string }[];
  /** Changes that came after the last ones and have lower numbers: somebody has to say whether they count. */
  late: T[];
  /**
   * Why the first of the changes that are there is not taken now, as in "delta_6.csv waits for …"; where nothing is new, that of `by`. Null where
   * none are kept back.
   */
  waits: { why: string; missing: string[]; by: StoppedFile | null } | null;
  /** Files that were taken before; `known`: the last of them, where nothing is new. */
  taken: T[];
  known: T | undefined;
};

/** Names of missing files that are told. */
const SHOWN = 5;

/**
 * Chooses among files of which some are changes: the newest full list that is new, which makes all older files needless; without one, the
 * changes that come next. Changes are never taken past a file that is missing or that waits for a decision. Pure.
 */
export function chooseChange<T extends Listed>(files: T[], past: ChangesPast): ChangeChoice<T> {
  const { names, last, force = false } = past;
  const passedOver: ChangeChoice<T>['passedOver'] = [];
  const fresh = files.filter((file) => {
    const why = names.whyUnknown(file.name);
    if (why !== null) passedOver.push({ name: file.name, why });
    return why === null && !past.isTaken(file);
  });
  const inOrder = fresh.toSorted((a, b) => comparePlaces(a, b, names) || compareTimes(a, b, names) || byName(a, b));
  const isNew = (file: T) => last === null || compareKnownPlaces(file, last, names) >= 0;
  const isFull = (file: T) => names.kindOf(file.name) === 'full';
  const taken = files.filter((file) => past.isTaken(file));
  const known = taken.find((file) => past.isLast(file));
  const late: T[] = [];
  const none = { superseded: [], next: [], passedOver, late, waits: null, taken, known: undefined };
  const full = inOrder.findLast((file) => isFull(file) && isNew(file));
  if (full !== undefined) {
    const others = inOrder.filter((file) => file !== full);
    const isOlder = (file: T) => isFull(file) || comparePlaces(file, full, names) < 0;
    return { ...none, take: full, superseded: others.filter(isOlder), next: others.filter((file) => !isOlder(file)) };
  }
  const open = inOrder.filter((file) => !isFull(file) && isNew(file));
  const [first = force ? inOrder[0] : undefined] = open;
  for (const file of inOrder) {
    if (isNew(file) || file === first) continue;
    const isLate = isBehindByNumber(file, last!, past);
    if (isLate) late.push(file);
    const other = cleanName(last!.name);
    const isNext = isLate && first === undefined;
    const why = isNext
      ? `has a lower number than ${other} and came after it`
      : `is older than ${other}, which was taken before`;
    passedOver.push({ name: file.name, why });
  }
  if (first === undefined) {
    if (past.again === true) return { ...none, take: known };
    const [by] = past.stopped;
    // Nothing is unchanged where something new is there.
    if (by === undefined) return { ...none, take: undefined, known: late.length === 0 ? known : undefined };
    return { ...none, take: undefined, waits: { why: whyStands(by), missing: [], by } };
  }
  const older = inOrder.filter((file) => !isNew(file)).map(({ name }) => names.sequenceOf(name));
  const numbers = [past.numberBefore, ...older].filter((number) => number !== null);
  const numberBefore = numbers.length === 0 ? null : Math.max(...numbers);
  const waits = force ? null : whyWaits(first, { ...past, numberBefore });
  if (waits !== null) return { ...none, take: undefined, next: open, waits };
  return { ...none, take: first, next: open.filter((file) => file !== first) };
}

/** Whether changes came after the last ones and only their number says otherwise: the supplier may have begun to count anew. */
function isBehindByNumber(file: Listed, last: Placed, { names, isCopy }: ChangesPast): boolean {
  const { dateOf, sequenceOf, timeOf } = names;
  if (sequenceOf(file.name) === null || sequenceOf(last.name) === null || isCopy?.(file) === true) return false;
  return compareKnown(dateOf(file.name), dateOf(last.name)) === 0 && compareKnown(timeOf(file), timeOf(last)) > 0;
}

function whyStopped(state: StoppedFile['state'], other: string, run: string): string {
  if (state === 'open') return `waits until run ${run} has read ${other}, which comes before it`;
  if (state !== 'rejected') return `waits for a decision about ${other}, which comes before it (run ${run})`;
  return `stays behind ${other}, which was rejected (run ${run}): that file once more or a full list lets it go on, or --force`;
}

/** Why the rows are not those of all files that were taken, where nothing is new. */
function whyStands({ state, run }: StoppedFile): string {
  if (state === 'open') return `is still being read (run ${run})`;
  if (state !== 'rejected') return `waits for a decision (run ${run}), and no new file is there`;
  return `was rejected (run ${run}), and no new file is there: ask for that file once more, or for a full list`;
}

/** Why changes are not put upon the rows that there are; null where they are the next. */
function whyWaits(first: Listed, past: ChangesPast): ChangeChoice<Listed>['waits'] {
  const by = stopBefore(first, past);
  if (by !== null) {
    const other = cleanName(by.name);
    return { why: whyStopped(by.state, other, by.run), missing: [], by };
  }
  if (past.last === null && past.names.hasFull) {
    return { why: 'waits for a full list that its changes can be put upon', missing: [], by: null };
  }
  const { missing } = missingBefore(first, past);
  if (missing.length === 0 || past.takesGap === true) return null;
  return { why: waitsFor(missing), missing, by: null };
}

/** That changes wait for others, in words. */
export function waitsFor(missing: string[]): string {
  return `waits for ${missing.join(', ')}, which ${missing.length === 1 ? 'comes' : 'come'} before it`;
}

/** The first file that was taken, comes before another and is no part of the rows that there are; null where none is. */
export function stopBefore(
  file: Placed,
  { stopped, names }: Pick<ChangesPast, 'stopped' | 'names'>,
): StoppedFile | null {
  const isBefore = (one: StoppedFile) => comparePlaces(one, file, names) < 0 && !isVersionOf(one, file, names);
  return stopped.find(isBefore) ?? null;
}

/** Whether changes have the name of the last ones, and are others: a correction of those, or more of them. Of numbers a person says so. */
export function isWrittenAnew(file: Listed, { names, last, isTaken }: ChangesPast): boolean {
  if (last === null || isTaken(file) || names.kindOf(last.name) !== 'changes') return false;
  return isVersionOf(last, file, names) && names.sequenceOf(last.name) === null;
}

/** True for another version of the same file, where names tell files apart. */
function isVersionOf(one: Placed, other: Placed, { dateOf, sequenceOf }: FileNames): boolean {
  const { name } = one;
  return name === cleanName(other.name) && (dateOf(name) !== null || sequenceOf(name) !== null);
}

/**
 * The names of changes that are missing between the last ones and these, as far as numbers tell. A full list begins a new sequence: after it the
 * numbers go on, or begin again at 1 or 0; so they do with a new date. `isSure`: false right after a full list, which may be newer than they are.
 */
export function missingBefore(
  { name }: Placed,
  { names, last, numberBefore }: Pick<ChangesPast, 'names' | 'last' | 'numberBefore'>,
): { missing: string[]; isSure: boolean } {
  const number = names.sequenceOf(name);
  const before = last === null ? null : names.sequenceOf(last.name);
  const known = before ?? numberBefore;
  const isSure = before !== null;
  if (number === null || known === null) return { missing: [], isSure };
  const beginsAgain = !isSure || isLater(names.dateOf(name), names.dateOf(last?.name ?? ''));
  const from = number > known && !(beginsAgain && number <= 1) ? known + 1 : 1;
  const isLeftOut = number > from && (number > known || beginsAgain);
  return { missing: isLeftOut ? numbered(name, number, from, number - 1) : [], isSure };
}

function isLater(date: number | null, than: number | null): boolean {
  return date !== null && than !== null && date > than;
}

/** The names of changes with these numbers, written as that of others. */
function numbered(like: string, number: number, from: number, to: number): string[] {
  const count = Math.max(0, to - from + 1);
  const name = cleanName(like);
  const digits = name.match(/\d+/gu)?.findLast((found) => Number(found) === number) ?? '';
  const at = name.lastIndexOf(digits);
  const named = Array.from({ length: Math.min(count, SHOWN) }, (_, index) => {
    const written = `${from + index}`.padStart(digits.startsWith('0') ? digits.length : 1, '0');
    return name.slice(0, at) + written + name.slice(at + digits.length);
  });
  return count > SHOWN ? [...named, `and ${count - SHOWN} more`] : named;
}

/**
 * Which of two files comes first: by the dates in their names, changes by their numbers, else by time of change, in the order in which they were
 * taken, or by name. A full list comes before changes of the same time, and before those of which that is not known. 0: they have the same place.
 */
export function comparePlaces(one: Placed, other: Placed, names: FileNames): number {
  const known = compareKnownPlaces(one, other, names);
  if (known !== 0 || (names.sequenceOf(one.name) !== null && names.sequenceOf(other.name) !== null)) return known;
  const [isChange, otherIs] = [one, other].map(({ name }) => names.kindOf(name) === 'changes');
  return isChange === otherIs ? byName(one, other) : isChange === true ? 1 : -1;
}

/** The same without a rule for files of which nothing tells: 0. */
export function compareKnownPlaces(one: Placed, other: Placed, names: FileNames): number {
  const { dateOf, sequenceOf } = names;
  const byDate = compareKnown(dateOf(one.name), dateOf(other.name));
  if (byDate !== 0) return byDate;
  const [number, otherNumber] = [sequenceOf(one.name), sequenceOf(other.name)];
  return number === null || otherNumber === null ? compareTimes(one, other, names) : number - otherNumber;
}

function compareTimes(one: Placed, other: Placed, { timeOf }: FileNames): number {
  return compareKnown(timeOf(one), timeOf(other)) || compareKnown(one.takenAt ?? null, other.takenAt ?? null);
}

function compareKnown(one: number | null, other: number | null): number {
  return one === null || other === null ? 0 : one - other;
}

function byName(one: Placed, other: Placed): number {
  return one.name === other.name ? 0 : one.name < other.name ? -1 : 1;
}
