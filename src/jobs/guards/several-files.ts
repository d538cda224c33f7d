import type { Guard, JoinConfig } from '../../config/schema/schema.ts';
import { namedFiles } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import type { ListedFile } from '../../ledger/schema/json-values.ts';
import { filesTakenBefore } from '../../ledger/runs/deliveries.ts';
import type { Db } from '../../ledger/ledger.ts';
import { filesOfRun } from '../../ledger/runs/taken-files.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { JoinedFile, Share } from '../../model.ts';
import { isAhead } from '../../pull/choose/ahead.ts';
import { identityOf } from '../../pull/choose/past.ts';
import { patternOf } from '../../pull/choose/pattern.ts';
import { cleanName } from '../../pull/source.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';

const DAY = 24 * 60 * 60_000;
/** A date in a name without a year is in 1970. */
const FIRST_YEAR = Date.UTC(2000, 0, 1);

/**
 * Why a run is held as one of the files that are joined is older than its `maxAge` was when it was taken; null when none is. One whose times say
 * nothing is too old if an earlier run took it as it is. Files given by hand and bytes of an earlier run are never held for their age.
 */
export async function oldPartner(run: RunRow, { config, ledger }: Context): Promise<RunReason | null> {
  const { file, of, from, files: taken } = run.options;
  const feed = own(config.feeds, run.feed);
  const isEarlier = of !== undefined && from !== 'pull';
  if (file !== undefined || isEarlier || feed?.join === undefined) return null;
  const { partners } = feed.join;
  if (!Object.values(partners).some(({ maxAge }) => maxAge !== undefined)) return null;
  // Runs of earlier versions have not kept them.
  const files = taken ?? (await filesOfRun(ledger.db, run.id));
  const now = run.taken_at ?? run.created_at;
  const found =
    olderThanAllowed(files, namedFiles(feed), partners, now) ??
    (await takenLongAgo(agedPartners(files, namedFiles(feed), partners, now), { ...run, now }, ledger.db));
  return found === null ? null : { code: 'joined-file-old', feed: run.feed, ...found };
}

type Named = ReturnType<typeof namedFiles>;
type Old = { role: string; file: string; at: number; maxAge: number };
type Timed = Pick<ListedFile, 'name' | 'mtimeMs' | 'shownAt'>;

/**
 * The first file that is older than allowed at a time: by its modification time or the date in its name, whichever is older. Times in the future do not
 * count. Pure.
 * @internal exported for tests
 */
export function olderThanAllowed(
  files: Timed[],
  named: Named,
  partners: JoinConfig['partners'],
  now: number,
): Old | null {
  for (const { role, listed, at, maxAge } of agedPartners(files, named, partners, now)) {
    if (at !== null && now - at > maxAge) return { role, file: cleanName(listed.name), at, maxAge };
  }
  return null;
}

/** The files that have a `maxAge`, and of when they are; null where nothing tells. Pure. */
function agedPartners<T extends Timed>(files: T[], named: Named, partners: JoinConfig['partners'], now: number) {
  return named.flatMap(({ role, pattern }) => {
    const maxAge = own(partners, role)?.maxAge;
    const { matches, dateOf } = patternOf(pattern);
    const listed = files.find(({ name }) => matches(name));
    if (maxAge === undefined || listed === undefined) return [];
    const { name, mtimeMs, shownAt } = listed;
    const dated = dateOf(name);
    const isDay = !pattern.includes('HH');
    const times = [
      mtimeMs ?? (shownAt === undefined ? null : shownAt + DAY),
      // A date without a time may be any of its day, in any zone, as may a time whose zone is not known.
      dated === null || dated < FIRST_YEAR ? null : dated + (isDay ? DAY : 0),
    ].filter((at): at is number => at !== null && !isAhead(at, now));
    return [{ role, listed, at: times.length === 0 ? null : Math.min(...times), maxAge }];
  });
}

/** The first file of which no time tells that was in the last delivery before its `maxAge`, as it is. */
async function takenLongAgo(
  aged: ReturnType<typeof agedPartners<ListedFile>>,
  { feed, now }: Pick<RunRow, 'feed'> & { now: number },
  db: Db,
): Promise<Old | null> {
  for (const { role, listed, maxAge } of aged.filter(({ at }) => at === null)) {
    const last = await filesTakenBefore(db, feed, now - maxAge);
    const found = last?.files.find((file) => identityOf(file) === identityOf(listed));
    if (last !== undefined && found !== undefined) return { role, file: cleanName(listed.name), at: last.at, maxAge };
  }
  return null;
}

/**
 * Why a run is held as a file that is joined has far fewer of the parts of the list than the one that is live: the list may be whole, but what rules
 * say of parts without a value is wrong then. Null when none has, where rows may become as few, and of changes. Pure.
 */
export function shrunkPartner(
  run: Pick<RunRow, 'feed' | 'counts'>,
  live: Pick<RunRow, 'counts'> | null,
  { maxRowDrop: limit }: Pick<Guard, 'maxRowDrop'>,
): RunReason | null {
  if (limit === undefined || run.counts?.change !== undefined) return null;
  for (const known of live?.counts?.joined ?? []) {
    const file = run.counts?.joined?.find(({ role }) => role === known.role);
    if (file === undefined || known.joined === 0) continue;
    const [before, after] = [sharedBy(known), sharedBy(file)];
    // A list that becomes shorter has fewer rows for it, and one that becomes longer a smaller share.
    const kept = Math.max(after.rows / before.rows, after.rows / after.of / (before.rows / before.of));
    if (!(1 - kept > limit)) continue;
    return { code: 'joined-file-shrank', feed: run.feed, role: file.role, file: file.file, limit, before, after };
  }
  return null;
}

/** The rows of the list that a file has values for, of those that it could have them for. */
function sharedBy({ joined, withoutPartner }: JoinedFile): Share {
  return { rows: joined, of: joined + withoutPartner };
}

/** Whether the configuration says that a feed's files are taken without those that are missing. */
export function takesWhatIsThere({ feed }: Pick<RunRow, 'feed'>, { config }: Pick<Context, 'config'>): boolean {
  return own(config.feeds, feed)?.source.incomplete === 'take';
}

/** So many of the files that are missing are named. */
const SHOWN = 10;

/**
 * Why a run is held whose delivery has all files of the live one but some: a list without a maker is not the whole list. Names that differ by numbers
 * alone are those of one file; where others are new, the supplier packs its list in another way. Null when none is missing, and of changes. Pure.
 */
export function missingFiles(run: FilesOfRun, live: (FilesOfRun & Pick<RunRow, 'id'>) | null): RunReason | null {
  if (run.counts === null || run.counts.change !== undefined || live?.counts?.files === undefined) return null;
  const [before, now] = [numberless(live), numberless(run)];
  const missing = [...before].filter(([name]) => !now.has(name)).map(([, file]) => file);
  if (missing.length === 0 || [...now.keys()].some((name) => !before.has(name))) return null;
  const more = Math.max(0, missing.length - SHOWN);
  const file = run.delivery_name ?? '';
  return { code: 'files-missing', feed: run.feed, file, missing: missing.slice(0, SHOWN), more, run: live.id };
}

type FilesOfRun = Pick<RunRow, 'feed' | 'counts' | 'delivery_name' | 'entry'>;

/** A number in a name, with what separates it: the first part of a list often has none. */
const NUMBER = /[\s._-]*\(?\d+\)?/gu;

/** The files of a delivery, by their names without numbers. */
function numberless({ counts, entry, delivery_name }: FilesOfRun): Map<string, string> {
  const names = counts?.files?.map(({ file }) => file) ?? [entry ?? delivery_name ?? ''];
  return new Map(names.map((name) => [name.normalize().toLowerCase().replaceAll(NUMBER, ''), name]));
}
