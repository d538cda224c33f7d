import { OfferlineError } from '../errors.ts';
import { inParallel } from '../io/in-parallel.ts';
import { backupsIn, readManifest } from './manifest.ts';
import { filesOf } from './names.ts';
import type { BackupPlace } from './place.ts';

const AT_ONCE = 4;

/**
 * Reads what backups have left that did not come to their end, and removes what is not whole: a power cut may have taken its bytes. Answers with what is
 * whole. Files of the backups that are there are not read: each was on the disk before its manifest was.
 */
export async function examineLeftovers(place: BackupPlace, throwIfStopped: () => void): Promise<string[]> {
  const named = await namedBy(place);
  const left: string[] = [];
  for await (const { sha256 } of place.files.list()) if (!named.has(sha256)) left.push(sha256);
  const whole: string[] = [];
  await inParallel(left, AT_ONCE, async (sha256) => {
    throwIfStopped();
    if ((await place.files.verify(sha256)) === 'ok') whole.push(sha256);
    else await place.removeFile(sha256);
  });
  return whole;
}

async function namedBy(place: BackupPlace): Promise<Set<string>> {
  const named = new Set<string>();
  for (const id of await backupsIn(place)) {
    try {
      for (const sha256 of await filesOf(await readManifest(place, id), place)) named.add(sha256);
    } catch (error) {
      // Of one that cannot be read, each file is looked at.
      if (!(error instanceof OfferlineError) || error.code !== 'archive') throw error;
    }
  }
  return named;
}
