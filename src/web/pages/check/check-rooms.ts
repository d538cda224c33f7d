import { rm } from 'node:fs/promises';
import { OfferlineError } from '../../../errors.ts';
import { temporaryFolder } from '../../../io/temporary-folder.ts';
import type { Visit } from '../../visit.ts';

/** Files that are kept at once while they are received and checked: they may be large, and uploads need the disk, too. */
const MOST = 8;
/** Of one visitor, so that nobody takes the places of all others. */
const MOST_OF_ONE = 2;

/** Whose files are kept, a name for each. */
const kept: string[] = [];

/** A folder for a file of the visitor, which goes with all that is in it. Fails with `conflict` when too many files are kept. */
export async function openRoom({ visitor }: Pick<Visit, 'visitor'>): Promise<AsyncDisposable & { folder: string }> {
  const own = kept.filter((name) => name === visitor.name).length;
  if (own >= MOST_OF_ONE || kept.length >= MOST) {
    const whose = own >= MOST_OF_ONE ? `${own} of your files` : `${kept.length} files`;
    throw new OfferlineError(
      'conflict',
      `${whose} are being checked already. Wait until one is done, and send this one then.`,
    );
  }
  kept.push(visitor.name);
  const leave = () => void kept.splice(kept.indexOf(visitor.name), 1);
  try {
    const folder = await temporaryFolder('check');
    const remove = () => rm(folder, { recursive: true, force: true }).finally(leave);
    return { folder, [Symbol.asyncDispose]: remove };
  } catch (error) {
    leave();
    throw error;
  }
}
