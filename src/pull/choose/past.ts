import { createHash } from 'node:crypto';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import type { ChangesPast } from './changes.ts';

/** What is known of a place from earlier pulls. */
export type Past = {
  /** The file that was taken last; null before the first. */
  last: Listed | null;
  /** True for a file that was passed over for a newer one and has not been changed since. */
  isSuperseded: (file: Listed) => boolean;
  /** True for a file that was taken and has not been changed since. */
  isTaken?: (file: Listed) => boolean;
  /** True for a result that was put there, which is no delivery. */
  isResult?: (file: Listed) => boolean;
  /** True for a file of the delivery that was taken last; `lastCount`: how many it has. */
  isOfLast?: (file: Listed) => boolean;
  lastCount?: number;
  /** These files, also those that are gone from the place. */
  lastFiles?: Listed[];
  /** Its files count as new ones: a person says that those that came since belong to them. */
  withLast?: boolean;
  /** Of a feed whose deliveries are changes. */
  changes?: ChangesPast;
};

/** Distinguishes a file of a place from all others and from itself once it was changed, as far as the place tells. */
export function identityOf({ name, size, mtimeMs, id }: Listed): string {
  const facts = JSON.stringify([name, size, mtimeMs, id ?? null]);
  return createHash('sha256').update(facts).digest('base64url');
}

/** True when nothing says that a file was changed between two looks. */
export function isSameFile(before: Listed, now: Listed | undefined): now is Listed {
  return now?.size === before.size && now.mtimeMs === before.mtimeMs && now.id === before.id;
}

/** What is known of a place, and that some of its files are results. */
export function exceptResults(results: Listed[], past: Past = { last: null, isSuperseded: () => false }): Past {
  const known = new Set(results.map(identityOf));
  return { ...past, isResult: (file) => known.has(identityOf(file)) || past.isResult?.(file) === true };
}
