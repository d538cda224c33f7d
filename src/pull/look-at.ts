import type { FolderSource, HttpSource, ListingSource, SourceConfig } from '../config/schema/source-schema.ts';
import { showUrl } from '../wording/show-url.ts';
import { isIndex } from '../config/schema/sources/web.ts';
import { inTime } from './in-time.ts';
import { cleanName } from './source.ts';
import { lookAtDirectory } from './directory.ts';
import type { Choice, Listed } from './choose/choose.ts';
import { identityOf, type Past } from './choose/past.ts';
import type { PushedFiles } from './source.ts';
import { urlOf } from './server/place.ts';
import { gather, manifestIn } from './several/gather.ts';
import { severalOf, type SeveralWanted } from './several/wanted.ts';
import { counted } from '../wording/words.ts';

/** What a place holds: each file with what a pull would do with it, the one to be taken first. */
export type Look = {
  /** Without credentials. */
  place: string;
  files: LookedAt[];
};

/** A file of a place, and what a pull would do with it. */
export type LookedAt = {
  name: string;
  /** Bytes; null for what is passed over. */
  size: number | null;
  /** Epoch milliseconds by the clock of the place. */
  modifiedAt: number | null;
  /** `wait`: it is part of a delivery that is not complete, or changes that come after others. */
  decision: 'take' | 'wait' | 'superseded' | 'pass over';
  why: string;
  /** As `identityOf` gives it; null for what is passed over without a look at it. */
  identity: string | null;
};

/**
 * Looks at what the place of a feed holds and changes nothing, neither here nor there; null for an address that is asked
 * with POST, which may have effects. A file to take may be the one that is live already. Throws `pull-failed` as a pull does,
 * after `source.deadline` at the latest. `pushed`: of a feed to which files are pushed.
 */
export async function lookAt(
  source: SourceConfig,
  past?: Past,
  signal?: AbortSignal,
  pushed?: PushedFiles,
): Promise<Look | null> {
  if (source.type === 'directory') {
    const now = Date.now();
    const choice = await lookAtDirectory(source, past, now);
    return shownOf(source, source.path, choice, { past, now });
  }
  const isFolder = source.type !== 'http' || isIndex(source);
  const place = isFolder ? urlOf(source) : showUrl(source.url);
  const bounds = { source, place, deadline: source.deadline, next: 'ask the supplier why it is so slow' };
  return inTime(bounds, { signal }, (asking) =>
    isFolder ? lookAtFolder(source, past, asking.signal, pushed) : lookAtFile(source, asking.signal),
  );
}

async function lookAtFile(source: HttpSource, signal?: AbortSignal): Promise<Look | null> {
  if (source.method === 'POST') return null;
  const { lookAtAddress } = await import('./http/pull-http.ts');
  return shown(showUrl(source.url), {
    newest: await lookAtAddress(source, signal),
    older: [],
    passedOver: [],
    near: [],
  });
}

async function lookAtFolder(
  source: ListingSource,
  past?: Past,
  signal?: AbortSignal,
  pushed?: PushedFiles,
): Promise<Look> {
  const { lookAtServer } = await import('./server/pull-server.ts');
  const now = Date.now();
  const choice = await lookAtServer(source, past, now, { signal, pushed });
  return shownOf(source, urlOf(source), choice, { past, now });
}

type Found = Choice<Listed> & { marker?: Listed };

type Known = { past: Past | undefined; now: number };

function shownOf(source: FolderSource, place: string, choice: Found, known: Known): Look {
  const several = severalOf(source);
  return several === null ? shown(place, choice) : shownFiles(place, choice, several, known);
}

/** The files of a delivery of several, which are taken together. */
function shownFiles(place: string, choice: Found, several: SeveralWanted, { past, now }: Known): Look {
  const found = gather(choice, several, { past, marker: choice.marker, now });
  const [files, superseded] = found.kind === 'none' ? [[], []] : [found.files, found.superseded];
  const told = new Set([...files, ...superseded]);
  const others = choice.newest === undefined ? [] : [choice.newest, ...choice.older].filter((file) => !told.has(file));
  const notes = notesOf(found.notes);
  const manifest = manifestIn(choice, several, past);
  const isWaiting = found.kind === 'waiting';
  const why = !isWaiting
    ? `one of ${counted(files.length, 'file')} of the delivery`
    : manifest === undefined
      ? `the delivery is not complete: ${found.missing.join(', ')} missing`
      : `${cleanName(manifest.name)} says which files the delivery has`;
  const withNote = (file: Listed, decision: LookedAt['decision'], reason: string) =>
    lookedAt(file, decision, noted(reason, file, notes));
  return {
    place,
    files: [
      ...files.map((file) => withNote(file, isWaiting ? 'wait' : 'take', why)),
      ...superseded.map((file) => withNote(file, 'superseded', 'older than the files of the delivery')),
      ...others.map((file) => lookedAt(file, 'pass over', notes.get(file) ?? othersWhy(file, several))),
      ...choice.passedOver.map(passedOver),
    ],
  };
}

/** Why a file that fits is no part of the delivery. */
function othersWhy({ name }: Listed, { manifest }: SeveralWanted): string {
  return manifest?.matches(name) === true ? 'names the files of a delivery' : 'was taken before';
}

function notesOf(notes: { file: Listed; why: string }[]): Map<Listed, string> {
  return new Map(notes.map(({ file, why }) => [file, why]));
}

function noted(reason: string, file: Listed, notes: ReadonlyMap<Listed, string>): string {
  return notes.has(file) ? `${reason}; ${notes.get(file)}` : reason;
}

function shown(place: string, choice: Choice<Listed>): Look {
  const { newest, older, passedOver: others, byName } = choice;
  if (choice.changes !== undefined) return { place, files: shownChanges(choice, choice.changes) };
  const notes = notesOf(choice.notes ?? []);
  const why = byName === true ? 'the last by name: the place shows no times' : 'the newest that fits';
  const taken = newest === undefined ? [] : [lookedAt(newest, 'take', noted(why, newest, notes))];
  const before = byName === true ? `before ${taken[0]?.name} by name` : `older than ${taken[0]?.name}`;
  return {
    place,
    files: [
      ...taken,
      ...older.map((file) => lookedAt(file, 'superseded', noted(before, file, notes))),
      ...others.map(passedOver),
    ],
  };
}

/** The full list or changes that are taken, then changes in the order in which they are taken afterwards. */
function shownChanges(
  { newest, older, passedOver: others, notes: its = [] }: Choice<Listed>,
  { next, waits, taken }: NonNullable<Choice<Listed>['changes']>,
): LookedAt[] {
  const isFull = older.length > 0;
  const inTurn = newest === undefined ? next : [newest, ...next];
  const notes = notesOf(its);
  return [
    ...inTurn.map((file, at) => {
      const whole = isFull ? 'the newest full list' : 'the next to be taken';
      if (file === newest) return lookedAt(file, 'take', noted(whole, file, notes));
      const before = inTurn[at - 1];
      const why = before === undefined ? (waits?.why ?? '') : `is taken after ${cleanName(before.name)}`;
      return lookedAt(file, 'wait', noted(why, file, notes));
    }),
    ...older.map((file) => lookedAt(file, 'superseded', `older than ${cleanName(newest?.name ?? '')}`)),
    ...taken.map((file) => lookedAt(file, 'pass over', 'was taken before')),
    ...others.map(passedOver),
  ];
}

function lookedAt(file: Listed, decision: LookedAt['decision'], why: string): LookedAt {
  const { name, size, mtimeMs } = file;
  return { name: cleanName(name), size, modifiedAt: mtimeMs, decision, why, identity: identityOf(file) };
}

function passedOver({ name, why }: Choice<Listed>['passedOver'][number]): LookedAt {
  return { name: cleanName(name), size: null, modifiedAt: null, decision: 'pass over', why, identity: null };
}
