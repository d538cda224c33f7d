import type { Choice, Listed } from '../choose/choose.ts';
import type { Past } from '../choose/past.ts';
import type { ManifestEntry } from './manifest.ts';
import type { SeveralWanted } from './wanted.ts';

/**
 * What the files of a place come to. `known`: they are those of the last delivery. `waiting`: some of a delivery are there, and what is
 * missing, in words. `none`: no file fits, or none is new.
 */
export type Gathered<T extends Listed> =
  | { kind: 'delivery' | 'known'; files: T[]; superseded: T[] }
  | { kind: 'waiting'; files: T[]; superseded: T[]; missing: string[] }
  | { kind: 'none' };

/**
 * What is known of the place: the marker that stands for all of its files, where one is there, and the files that the manifest of the delivery
 * names, once it was read.
 */
type Known = {
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
 * of the newest one, beside those that stay. A marker that is older than one of them is that of an earlier delivery. Files are in the order of their names, so that
 * the same ones are the same delivery. Pure.
 */
export function gather<T extends Listed>(choice: Choice<T>, wanted: SeveralWanted, known: Known = {}): Gathered<T> {
  const { past, marker, entries } = known;
  const { manifest } = wanted;
  const all = choice.newest === undefined ? [] : [choice.newest, ...choice.older];
  const there = all.filter(({ name }) => manifest?.matches(name) !== true);
  const hasNew = there.some((file) => past?.isTaken?.(file) !== true);
  const isFresh = (file: T) =>
    past?.isTaken?.(file) !== true || (hasNew && past.withLast === true && past.isOfLast?.(file) === true);
  const fresh = there.filter((file) => isFresh(file) && !isBehind(file, there, wanted, isFresh));
  if (fresh.length === 0 && entries === undefined) {
    const last = all.filter((file) => past?.isOfLast?.(file) === true);
    const isWhole = last.length > 0 && last.length === past?.lastCount;
    const files = last.filter((file) => there.includes(file)).toSorted(byName);
    return isWhole ? { kind: 'known', files, superseded: [] } : { kind: 'none' };
  }
  if (manifest !== null && entries === undefined) return missingOf(fresh, [], [manifest.text]);
  const { files, superseded, missing } =
    entries === undefined ? newestOf(fresh, there, wanted) : { ...namedIn(there, entries), superseded: [] };
  return missingOf(files, superseded, [...missing, ...(isOlder(marker, files) ? [`a new ${marker!.name}`] : [])]);
}

/**
 * Whether a newer file of the same name was taken before: where files stay, a delivery may be complete without a new one of each name, and what
 * comes late must not go before it.
 */
function isBehind<T extends Listed>(
  file: T,
  there: T[],
  { names }: SeveralWanted,
  isFresh: (file: T) => boolean,
): boolean {
  if (names?.some(({ stays }) => stays) !== true) return false;
  const own = names.find(({ pattern }) => pattern.matches(file.name));
  const newest = there.find(({ name }) => own?.pattern.matches(name));
  return newest !== undefined && newest !== file && !isFresh(newest);
}

function missingOf<T extends Listed>(files: T[], superseded: T[], missing: string[]): Gathered<T> {
  const found = { files: files.toSorted(byName), superseded };
  return missing.length === 0 ? { kind: 'delivery', ...found } : { kind: 'waiting', ...found, missing };
}

/** The files that a manifest names, as large as it says. */
function namedIn<T extends Listed>(there: T[], entries: ManifestEntry[]) {
  const found = entries.map(({ name, size }) => {
    const file = there.find((one) => one.name === name);
    const isWhole = file !== undefined && (size === null || file.inexact === true || file.size === size);
    return { file: isWhole ? file : undefined, what: size === null ? name : `${name} with ${size} bytes` };
  });
  const files = [...new Set(found.flatMap(({ file }) => file ?? []))];
  return { files, missing: found.filter(({ file }) => file === undefined).map(({ what }) => what) };
}

/** The files of the newest date, or the newest for each of some names; of a name that stays the newest that is there. */
function newestOf<T extends Listed>(fresh: T[], there: T[], { pattern, names, count }: SeveralWanted) {
  const staying = names?.filter(({ stays }) => stays) ?? [];
  const passing = fresh.filter(({ name }) => !staying.some((one) => one.pattern.matches(name)));
  const date = Math.max(...passing.map(({ name }) => pattern.dateOf(name) ?? -Infinity));
  const ofDate = passing.filter(({ name }) => (pattern.dateOf(name) ?? -Infinity) === date);
  const named = names?.map((one) => (one.stays ? there : ofDate).find(({ name }) => one.pattern.matches(name)));
  const files = [...new Set(named?.flatMap((file) => file ?? []) ?? ofDate)];
  const missing = [
    ...(names ?? []).filter((_, at) => named?.[at] === undefined).map((one) => one.pattern.text),
    ...(count !== null && files.length < count ? [`${count - files.length} of ${count} files`] : []),
  ];
  return { files, superseded: fresh.filter((file) => !files.includes(file)), missing };
}

function isOlder(marker: Known['marker'], files: Listed[]): boolean {
  const at = marker?.mtimeMs ?? null;
  return at !== null && files.some(({ mtimeMs }) => mtimeMs !== null && mtimeMs > at);
}

function byName(a: Listed, b: Listed): number {
  const [one, other] = [`${a.name}\0${a.id ?? ''}`, `${b.name}\0${b.id ?? ''}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
