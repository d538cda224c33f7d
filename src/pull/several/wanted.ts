import type { FolderSource } from '../../config/schema/source-schema.ts';
import { patternOf, type Pattern } from '../choose/pattern.ts';
import { dateSharedBy, isSameDate, type SharesDate } from './shared-date.ts';

/** When the files of a place make one delivery, and when that is complete. */
export type SeveralWanted = {
  /** Fits every file that may be part of it. */
  pattern: Pattern;
  /** One file for each of these patterns; null: all that fit. */
  names: NamedFile[] | null;
  sharesDate: SharesDate;
  /** So many files at least; null: any number. */
  count: number | null;
  /** Fits the list of names that comes with each delivery; null: none does. */
  manifest: Pattern | null;
};

/** `stays`: where no new file of this name has come, the newest that was taken before is part of the delivery again. */
type NamedFile = { pattern: Pattern; stays: boolean };

/** Waiting for the rest of a delivery, in milliseconds, where nothing else is written. */
const COMPLETE_WITHIN = 2 * 60 * 60_000;

type SeveralSource = Pick<
  FolderSource,
  'take' | 'files' | 'manifest' | 'count' | 'completeWithin' | 'incomplete' | 'pattern'
>;

/** What a source says of deliveries of several files; null where the newest file is the delivery. */
export function severalOf({ take, files, manifest, count, pattern }: SeveralSource): SeveralWanted | null {
  if (files !== undefined) {
    const names = Object.values(files).map(({ pattern: text, stays = false }) => ({ pattern: patternOf(text), stays }));
    const sharesDate = dateSharedBy(names.filter(({ stays }) => !stays).map((one) => one.pattern.text));
    return { pattern: anyOf(names.map((one) => one.pattern)), names, sharesDate, count: null, manifest: null };
  }
  if (take !== 'all') return null;
  const list = manifest === undefined ? null : patternOf(manifest);
  const lists = patternOf(pattern);
  return {
    pattern: list === null ? lists : anyOf([lists, list]),
    names: null,
    sharesDate: isSameDate,
    count: count ?? null,
    manifest: list,
  };
}

/** Whether a file is part of each delivery of a source until a newer one of its name is there. */
export function staysAt(source: SeveralSource, name: string): boolean {
  return severalOf(source)?.names?.some(({ stays, pattern }) => stays && pattern.matches(name)) === true;
}

/** Which names a source takes. */
export function patternIn(source: SeveralSource): Pattern {
  return severalOf(source)?.pattern ?? patternOf(source.pattern);
}

/** What becomes of a delivery that is not complete: how long its rest is waited for, and whether it is taken without it then. */
export function patienceOf({ completeWithin = COMPLETE_WITHIN, incomplete = 'wait' }: SeveralSource) {
  return { completeWithin, takesPart: incomplete === 'take' };
}

function anyOf(patterns: Pattern[]): Pattern {
  return {
    matches: (name) => patterns.some((pattern) => pattern.matches(name)),
    dateOf: (name) => patterns.find((pattern) => pattern.matches(name))?.dateOf(name) ?? null,
    sequenceOf: () => null,
    nearOf: (name) => {
      const almost = patterns.map((pattern) => pattern.nearOf(name));
      return patterns.some((pattern) => pattern.matches(name)) ? undefined : almost.find((one) => one !== undefined);
    },
    text: patterns.map(({ text }) => text).join(', '),
  };
}
