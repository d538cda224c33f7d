import { OfferlineError } from '../errors.ts';
import { objectKey } from './s3/object-key.ts';
import { shownRemote, type Remote } from './s3/remote.ts';

/**
 * A file of the archive, as plain data that crosses threads. Read it with `openReading`, `keptBytes`, `verifiedPath` or the
 * readers of lines.ts: all of them verify its hash. Nobody else opens what is at `unverifiedPath`; a test sees to it.
 */
export type KeptFile = {
  sha256: string;
  unverifiedPath: string;
  /** Where the file is kept that lies at `unverifiedPath` only while it is needed; absent where that is the place itself. */
  remote?: Remote;
};

/** What is wrong with a file of the archive. */
export type Damage = 'missing' | 'damaged' | 'unreadable';

/** Days for which damaged files are kept beside the archive for people to examine. */
export const KEEP_DAMAGED = 90;

/** Where a file of the archive is (or would be), for messages only. */
export function shownPath({ sha256, unverifiedPath, remote }: KeptFile): string {
  return remote === undefined ? unverifiedPath : shownRemote(remote) + objectKey(sha256, 0);
}

/** What an error says of a file of the archive; null for any other error. */
export function damageOf(error: unknown): { sha256: string; damage: Damage } | null {
  if (!(error instanceof OfferlineError) || error.code !== 'archive') return null;
  const { sha256, damage } = error.details;
  // A store that cannot be reached says nothing of the file.
  return damage === undefined ? null : { sha256: String(sha256), damage: damage as Damage };
}

/** The error for a file that is not whole, with what can be done. */
export function damagedFile(file: KeptFile, damage: Damage, why: string, cause?: unknown): OfferlineError {
  const message = `The archive file ${shownPath(file)} is ${damage}: ${why}. Run \`offerline verify --repair\` to restore what can be restored.`;
  return new OfferlineError('archive', message, { cause, details: { sha256: file.sha256, damage } });
}
