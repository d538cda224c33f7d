import type { Choice, Listed } from '../choose/choose.ts';
import { isAhead, isLater, trustedFirst, whyAhead } from '../choose/ahead.ts';
import type { Past } from '../choose/past.ts';
import { cleanName } from '../../io/file-name.ts';
import { isNamed, type ManifestEntry } from './manifest.ts';
import type { SeveralWanted } from './wanted.ts';

/** What is to be said of a file, as in "stock.csv is older than …". */
export type FileNote<T extends Listed> = { file: T; why: string };

/**
 * What the files of a place come to. `known`: they are those of the last delivery. `waiting`: some of a delivery are there, and what is
 * missing, in words. `none`: no file fits, or none is new. `notes`: of files that were not taken before.
 */
export type Gathered<T extends Listed> = { notes: FileNote<T>[] } & (
  | { kind: 'delivery' | 'known'; files: T[]; superseded: T[] }
  | { kind: 'waiting'; files: T[]; superseded: T[]; missing: string[] }
  | { kind: 'none' }
);

/**
 * What is known of the place: the marker that stands for all of its files, where one is there, and the files that the manifest of the delivery
 * names, once it was read. `now`: epoch milliseconds.
 */
type Known = {
  now: number;
  past?: Past | undefined;
  marker?: Pick<Listed, 'name' | 'mtimeMs'> | undefined;
  entries?: ManifestEntry[] | undefined;
};

/** The newest manifest that was not taken yet; undefined where there is none, or none is wanted. */
export function manifestIn<T extends Listed>(
  { newest, older }: Choice<T>,
  { manifest }: SeveralWanted,
  past: Past | undefined,
): T | undefined {
  if (manifest === null || newest === undefined) return undefined;
  return [newest, ...older].find((file) => manifest.matches(file.name) && past?.isTaken?.(file) !== true);
}

/**
 * Gathers the files of one delivery: those that its manifest names; else those that fit and were not taken yet; where names have dates, those
 * of the newest one, beside those that stay. A date that lies in the future does not decide. A marker that is older than one of them is that of an
 * earlier delivery. Files are in the order of their names, so that the same ones are the same delivery. Pure.
 */
export function gather<T extends Listed>(choice: Choice<T>, wanted: SeveralWanted, known: Known): Gathered<T> {
  const { past, entries } = known;
  const { manifest } = wanted;
  const all = choice.newest === undefined ? [] : [choice.newest, ...choice.older];
  const lists = all.filter(({ name }) => manifest?.matches(name) !== true);
  const there = trustedFirst(lists, wanted.pattern, known.now);
  const { fresh, notes } = freshOf(there, wanted, known);
  if (fresh.length === 0 && entries === undefined) {
    const last = all.filter((file) => past?.isOfLast?.(file) === true);
    const isWhole = last.length > 0 && last.length === past?.lastCount;
    const files = last.filter((file) => there.includes(file)).toSorted(byName);
    return isWhole ? { kind: 'known', files, superseded: [], notes } : { kind: 'none', notes };
  }
  if (manifest !== null && entries === undefined)
    return missingOf({ files: fresh, superseded: [], notes }, [manifest.text]);
  // A manifest of itself alone was written before the lists came.
  if (manifest !== null && entries?.length === 0)
    return missingOf({ files: fresh, superseded: [], notes }, [`a new ${manifest.text}`]);
  const { missing, ...found } =
    entries === undefined ? newestOf(fresh, there, wanted, known) : { ...namedIn(there, entries), superseded: [] };
  return missingOf({ ...found, notes }, [...missing, ...staleMarker(found.files, known)]);
}

function missingOf<T extends Listed>(
  { files, superseded, notes }: { files: T[]; superseded: T[]; notes: FileNote<T>[] },
  missing: string[],
): Gathered<T> {
  const found = { files: files.toSorted(byName), superseded, notes };
  return missing.length === 0 ? { kind: 'delivery', ...found } : { kind: 'waiting', ...found, missing };
}

/** The files that may be part of a new delivery, and what is to be said of those that were not taken before. */
function freshOf<T extends Listed>(there: T[], wanted: SeveralWanted, known: Known) {
  const { past, now } = known;
  const isTaken = (file: T) => past?.isTaken?.(file) === true;
  const hasNew = there.some((file) => !isTaken(file));
  const isFresh = (file: T) => !isTaken(file) || (hasNew && past?.withLast === true && past.isOfLast?.(file) === true);
  const notes: FileNote<T>[] = [];
  const fresh = there.filter((file) => {
    if (!isFresh(file)) return false;
    const ahead = isTaken(file) ? null : whyAhead(file, wanted.pattern, now);
    const passed = whyPassedOver(file, { there, wanted, known, isFresh });
    const why = passed ?? ahead;
    if (why !== null) notes.push({ file, why });
    return passed === null;
  });
  return { fresh, notes };
}

type Looking<T extends Listed> = { there: T[]; wanted: SeveralWanted; known: Known; isFresh: (file: T) => boolean };

/** Why a file that is new is part of no delivery; null where it may be part of one. */
function whyPassedOver<T extends Listed>(file: T, { there, wanted, known, isFresh }: Looking<T>): string | null {
  const { past, entries, now } = known;
  const isTaken = past?.isTaken?.(file) === true;
  const ahead = whyAhead(file, wanted.pattern, now);
  if (!isTaken && isAhead(wanted.pattern.dateOf(file.name), now) && !isSinceLast(file, known)) return ahead;
  const before = ahead === null ? takenBefore(file, there, wanted, isFresh) : undefined;
  if (before !== undefined) return `is older than ${cleanName(before.name)}, which was taken before`;
  if (entries !== undefined || isTaken) return null;
  const manifest = past?.lastFiles?.find(({ name }) => wanted.manifest?.matches(name));
  if (manifest === undefined || isLater(file, manifest, now) !== false) return null;
  return `is not named by ${cleanName(manifest.name)}`;
}

/** Whether a file was changed after those that were taken last: what its name says of its time does not count. */
function isSinceLast(file: Listed, { past, now }: Known): boolean {
  const last = past?.lastFiles ?? [];
  if (last.length === 0) return true;
  if (file.mtimeMs === null || isAhead(file.mtimeMs, now)) return false;
  return last.every((other) => isLater(file, other, now) !== false);
}

/**
 * A newer file of the same name that was taken before: where files stay, a delivery may be complete without a new one of each name, and what
 * comes late must not go before it.
 */
function takenBefore<T extends Listed>(
  file: T,
  there: T[],
  { names }: SeveralWanted,
  isFresh: (file: T) => boolean,
): T | undefined {
  if (names?.some(({ stays }) => stays) !== true) return undefined;
  const own = names.find(({ pattern }) => pattern.matches(file.name));
  const newest = there.find(({ name }) => own?.pattern.matches(name));
  return newest === file || newest === undefined || isFresh(newest) ? undefined : newest;
}

/** The files that a manifest names, as large as it says. */
function namedIn<T extends Listed>(there: T[], entries: ManifestEntry[]) {
  const found = entries.map((entry) => {
    const { size } = entry;
    const file = there.find((one) => isNamed(one, entry));
    const isWhole = file !== undefined && (size === null || file.inexact === true || file.size === size);
    const name = cleanName(entry.name);
    return { file: isWhole ? file : undefined, what: size === null ? name : `${name} with ${size} bytes` };
  });
  const files = [...new Set(found.flatMap(({ file }) => file ?? []))];
  return { files, missing: found.filter(({ file }) => file === undefined).map(({ what }) => what) };
}

/**
 * The files of the newest date and those without one, or the newest of them for each of some names; of a name that stays also one that was taken
 * before.
 */
function newestOf<T extends Listed>(
  fresh: T[],
  there: T[],
  { pattern, names, count, sharesDate }: SeveralWanted,
  { past, now }: Known,
) {
  const staying = names?.filter(({ stays }) => stays) ?? [];
  const passing = fresh.filter(({ name }) => !staying.some((one) => one.pattern.matches(name)));
  const date = newestDate(
    passing.flatMap(({ name }) => pattern.dateOf(name) ?? []),
    now,
  );
  const ofDate = passing.filter(({ name }) => {
    const its = pattern.dateOf(name);
    return its === null || sharesDate(its, date);
  });
  const taken = there.filter((file) => past?.isTaken?.(file) === true);
  const inTurn = [...fresh, ...taken.filter((file) => past?.isOfLast?.(file) === true), ...taken];
  const named = names?.map((one) => (one.stays ? inTurn : ofDate).find(({ name }) => one.pattern.matches(name)));
  const files = [...new Set(named?.flatMap((file) => file ?? []) ?? ofDate)];
  const missing = [
    ...(names ?? []).filter((_, at) => named?.[at] === undefined).map((one) => one.pattern.text),
    ...(count !== null && files.length < count ? [`${count - files.length} of ${count} files`] : []),
  ];
  // What is dated ahead of these may be the newest once its day has come.
  const mayComeLater = ({ name }: T) => isAhead(pattern.dateOf(name), now) && (pattern.dateOf(name) ?? 0) > date;
  const superseded = fresh.filter((file) => !files.includes(file) && !mayComeLater(file));
  return { files, superseded, missing };
}

/** The newest of some dates that does not lie in the future, where there is one. */
function newestDate(dates: number[], now: number): number {
  const past = dates.filter((date) => !isAhead(date, now));
  return Math.max(...(past.length > 0 ? past : dates));
}

/** The marker of an earlier delivery: it is older than one of the files. */
function staleMarker(files: Listed[], { marker, now }: Known): string[] {
  return marker !== undefined && files.some((file) => isLater(file, marker, now) === true)
    ? [`a new ${marker.name}`]
    : [];
}

function byName(a: Listed, b: Listed): number {
  const [one, other] = [`${a.name}\0${a.id ?? ''}`, `${b.name}\0${b.id ?? ''}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
