import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { CopyPlace } from '../../config/parse/archive-address.ts';
import { OfferlineError } from '../../errors.ts';

/** Refuses a folder for backups that lies in the home: what takes the one takes the other. Fails with `usage`. */
export async function assertOutsideHome(place: CopyPlace, home: string): Promise<void> {
  if (place.type !== 'folder') return;
  const { folder } = place;
  const inner = await realPath(folder);
  const outer = await realPath(home);
  if (inner !== outer && !inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)) return;
  throw new OfferlineError(
    'usage',
    `${folder} lies in the home ${home}: what destroys the home destroys its backups. Name a folder on another disk, a mounted volume or a bucket.`,
  );
}

/** Where a path leads when links are followed, as far as it is there. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (dirname(path) === path || !isAbsolute(path)) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}
