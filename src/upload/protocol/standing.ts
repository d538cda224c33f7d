import type { KnownAttempt } from '../../ledger/uploads/watches.ts';
import type { Listed } from './attempt.ts';
import { isUnfinished } from './service-record.ts';

/** What the list says is live: the newest success. `sha256` of ours says which dataset it is. */
export type Standing =
  { live: 'ours'; record: Listed; attempt: KnownAttempt } | { live: 'foreign'; record: Listed } | { live: 'nothing' };

/**
 * What the service shows of the attempts at an intent that was open when a backup was made. `replaced`: it has ended them, and what is live is an upload that
 * the backup does not know.
 */
export type OpenStanding = 'not-listed' | 'goes-on' | 'replaced';

/** An attempt that was given up, and the record that shows that the service took it all the same. */
export type LateArrival = { record: Listed; attempt: KnownAttempt };

/** What is live according to the list, which is newest first; ids need not ascend. */
export function standingOf(records: readonly Listed[], attempts: readonly KnownAttempt[]): Standing {
  const record = records.find(({ state }) => state === 'success');
  if (record === undefined) return { live: 'nothing' };
  const attempt = attemptOf(record, attempts);
  return attempt === undefined ? { live: 'foreign', record } : { live: 'ours', record, attempt };
}

/** Where the attempts at an open intent stand after a restore. */
export function openStandingOf(
  records: readonly Listed[],
  own: readonly Named[],
  { live }: Pick<Standing, 'live'>,
): OpenStanding {
  const listed = records.filter((record) => attemptOf(record, own) !== undefined);
  if (listed.length === 0) return 'not-listed';
  return live !== 'foreign' || listed.some(isUnfinished) ? 'goes-on' : 'replaced';
}

/** Finished records that carry the token of an attempt which was given up, oldest first. */
export function lateArrivals(records: readonly Listed[], attempts: readonly KnownAttempt[]): LateArrival[] {
  return records
    .filter((record) => !isUnfinished(record))
    .map((record) => ({ record, attempt: attemptOf(record, attempts) }))
    .filter((found): found is LateArrival => found.attempt !== undefined && wasGivenUp(found.attempt))
    .reverse();
}

/** True for an attempt that is no longer probed for and that has no known record. */
export function wasGivenUp({ state, offer_id }: KnownAttempt): boolean {
  return offer_id === null && (state === 'lost' || state === 'refused');
}

/** True for a file that an offerline named: this one before its ledger was restored, or another installation. */
export function isNamedLikeOurs({ sourceFile }: Listed, login: string): boolean {
  const ours = `offerline-${login}-`;
  return (
    (sourceFile?.startsWith(ours) ?? false) &&
    /^[a-z0-9]{12}(?:[a-z0-9]{6}(?:[a-z0-9]{12})?)?\./.test(sourceFile?.slice(ours.length) ?? '')
  );
}

/**
 * The term of the installation that a file is of, where it was restored from a backup of the one with this mark and goes on in its place; null for any
 * other file.
 */
export function termOfSuccessor({ sourceFile }: Listed, login: string, mark: string): string | null {
  const ours = `offerline-${login}-`;
  if (sourceFile?.startsWith(ours) !== true) return null;
  const [, found, term] = /^[a-z0-9]{12}([a-z0-9]{6})([a-z0-9]{12})?\./.exec(sourceFile.slice(ours.length)) ?? [];
  return found === mark ? (term ?? '') : null;
}

/** What an attempt is known by at the service. */
type Named = Pick<KnownAttempt, 'token' | 'offer_id'>;

/** The attempt that a record is of, if it is of one of these. */
export function attemptOf<T extends Named>(record: Listed, attempts: readonly T[]): T | undefined {
  return (
    attempts.find(({ offer_id }) => offer_id === record.id) ??
    attempts.find(({ token }) => record.sourceFile?.includes(token) ?? false)
  );
}
