import { createHash } from 'node:crypto';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';

/** What is known of a place from earlier pulls. */
export type Past = {
  /** The file that was taken last; null before the first. */
  last: Listed | null;
  /** True for a file that was passed over for a newer one and has not been changed since. */
  isSuperseded: (file: Listed) => boolean;
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
